"""A guest in the session: the key of the guest's seats, and the name that was given last."""

import secrets

from django.http import HttpRequest

from games.models.table import GUEST_NAME_LENGTH
from games.permissions import GUEST_KEY, Person, person_of
from tock_league.accounts.sessions import GUEST_NAME


def key_of(request: HttpRequest) -> str:
    """Return the guest's key; the session is kept for GUEST_SESSION_S from now on."""
    key = str(request.session.setdefault(GUEST_KEY, secrets.token_hex(16)))
    request.session.modified = True
    return key


def somebody(request: HttpRequest) -> Person:
    """Return the person who wants a seat: a player by the login, or a guest, who gets a key."""
    person = person_of(request.user, request.session)
    return person if person.player_id is not None else Person(guest_key=key_of(request))


def name_of(request: HttpRequest) -> str:
    """Return the name that the guest gave last, or an empty text."""
    return str(request.session.get(GUEST_NAME, ""))


def keep_name(request: HttpRequest, name: str) -> None:
    """Keep the name for the next table. Where it was not needed nobody has checked it."""
    request.session[GUEST_NAME] = name[:GUEST_NAME_LENGTH]
