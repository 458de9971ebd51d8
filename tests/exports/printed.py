"""Events whose sheets are printed, and what stands on the sheets, read back by another library."""

import io
from typing import Any

import pypdf
from django.test import Client
from django.urls import reverse

from tests.competitions.world import (
    a_plan,
    a_signed_up_player,
    a_tournament,
)
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.competitions.models import Competition
from tock_league.competitions.services.seasons import roles
from tock_league.hall.services import links
from tock_league.hall.services.shared import CLOSED

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
PUBLIC = ("pairings", "pairings-by-name", "standings", "cross-table", "bracket", "regulations")
STAFF = ("slips", "check-in", "badges", "team-links", "poster", "room", "certificates")
FRENCH = {"accept-language": "fr"}
NAME = "L’été à l’Œil−de−Bœuf"


def organiser_of(found: Competition, client: Client) -> Player:
    """Sign an organiser of the event in."""
    person = a_signed_up_player(f"{found.slug}@example.org")
    roles.give(by=SITE, competition=found, player=person, name="organiser")
    client.force_login(person.user, backend=BACKEND)
    client.cookies["django_language"] = "fr"
    return person


def ask(client: Client, found: Competition, what: str, **chosen: str) -> Any:
    return client.get(reverse("exports:print_sheet", args=[found.slug, what]), chosen, headers=FRENCH)


def pages(client: Client, found: Competition, what: str, **chosen: str) -> list[str]:
    """Return the text of each page; assert that every font is inside the file and that each page has number and event."""
    answer = ask(client, found, what, **chosen)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    read = pypdf.PdfReader(io.BytesIO(answer.content))
    for page in read.pages:
        for font in page["/Resources"]["/Font"].values():
            assert "/FontFile2" in font["/DescendantFonts"][0]["/FontDescriptor"]
    texts = [page.extract_text() for page in read.pages]
    for number, text in enumerate(texts, start=1):
        assert f"{number}" in text
        assert found.name in text
        assert "2026" in text
    return texts


def an_event(kind: str = "groups_knockout", teams: int = 5, **more: Any) -> Competition:
    made = a_tournament(teams, plan=a_plan(kind), **more)
    Competition.objects.filter(pk=made.pk).update(name=NAME)
    made.refresh_from_db()
    if made.state not in CLOSED:
        links.make(by=SITE, competition=made)
    return made
