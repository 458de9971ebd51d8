"""Browsers of people in a case: signed in, what their pages say, and the form of a decision."""

import re

from allauth.account.internal.flows import login
from django.test import Client
from django.urls import reverse

from tock_league.accounts.models import Player
from tock_league.accounts.services import create_user
from tock_league.common import clock

from .world import World

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def signed_in(player: Player | None) -> Client:
    """Return a browser that reads English, with `player` signed in if given."""
    browser = Client(headers={"accept-language": "en"})
    if player is None:
        return browser
    if player.user is None:
        player.user = create_user(email=f"{player.slug}@example.org", password="le tock du mercredi")
        player.language = "en"
        player.save()
    browser.force_login(player.user, backend=BACKEND)
    return gave_password(browser, player)


def gave_password(browser: Client, player: Player, *, ago: int = 0) -> Client:
    """Return the browser as after a sign-in with the password, so many seconds ago."""
    session = browser.session
    session[login.AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "password", "at": clock.now().timestamp() - ago}]
    session[login._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(player.user.pk)
    session.save()
    return browser


def words_of(answer) -> str:
    """Return the text of a page, without tags, in one line."""
    body = re.sub(r"<(script|svg)\b.*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    body = re.sub(r"<[^>]+>", " ", body).replace("&#x27;", "'").replace("&nbsp;", " ")
    return " ".join(body.split())


def to(name: str, number: object) -> str:
    return reverse(f"arbitration:{name}", args=[number])


def typed(world: World, **more: object) -> dict[str, object]:
    """Return the form of a referee who finds that the first player of the other side has talked."""
    decision = {"outcome": "upheld", "row": "talk", "offender": world.players[1].pk, "penalty": "", "rules": "8, 9"}
    decision |= {"facts": "Il a parlé au coup 12.", "reasons": "Parler est interdit."}
    return decision | more


def digest_of(answer) -> str:
    return re.search(r'name="preview_digest" value="(\w{64})"', answer.content.decode()).group(1)
