"""Queries about the signed-in person and about players."""

from collections.abc import Sequence

from allauth.account.adapter import get_adapter
from allauth.account.authentication import get_authentication_records
from django.conf import settings
from django.http import HttpRequest

from tock_league.common import clock
from tock_league.common.errors import NotThere

from .models import Player, User


def player_of(request: HttpRequest) -> Player | None:
    """Return the signed-in person's player, None for visitors and for logins without one.

    One query, kept with the request.
    """
    if not request.user.is_authenticated:
        return None
    return getattr(request.user, "player", None)


def signed_in_recently(request: HttpRequest) -> bool:
    """Return whether the person has given the password, or a second factor, within the last minutes of this session.

    How many: ACCOUNT_REAUTHENTICATION_TIMEOUT. True for a login that has nothing to give.
    """
    if not request.user.is_authenticated:
        return False
    if not get_adapter().get_reauthentication_methods(request.user):
        return True
    since = clock.now().timestamp() - settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    return any(record["at"] > since for record in get_authentication_records(request, request.user))


def shown_name(user: User) -> str:
    """Return the name by which pages and mails address somebody: the player's, else the address. One query."""
    player = getattr(user, "player", None)
    return player.display_name if player is not None else str(user)


def player(slug: str) -> Player:
    """Return the player of that address, or NotThere. One query."""
    found = Player.objects.filter(slug=slug).first()
    if found is None:
        raise NotThere
    return found


def site_language(language: str) -> str:
    """Return the site's code for a player's language: fr-ca for fr. No query."""
    return known_language(language) or settings.LANGUAGE_CODE


def known_language(asked: str) -> str:
    """Return the site's code for a language asked for as fr or as fr-ca; "" for one that the site does not have."""
    return next((code for code, _name in settings.LANGUAGES if asked in (code, code.split("-")[0])), "")


def names_of(slugs: Sequence[str]) -> dict[str, str]:
    """Return the names of players by the slugs of their addresses. One query."""
    return dict(Player.objects.filter(slug__in=slugs).values_list("slug", "display_name"))


def own_names(user: User) -> list[str]:
    """Return the names under which others know a user. One query; none for a login that is not saved yet."""
    return list(Player.objects.filter(user=user).values_list("display_name", flat=True)) if user.pk else []
