"""The pages of lists: preview, mending, choices, saving, undo; for a club and for an event."""

import io
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import Workbook

from tests.accounts.signing import a_player, sign_in
from tests.competitions.world import START, a_club, a_plan, a_tournament
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player
from tock_league.clubs.models import Club, Membership
from tock_league.clubs.services import give_role, join
from tock_league.common import clock
from tock_league.competitions.models import Entry
from tock_league.newcomers.models import NameList

pytestmark = pytest.mark.django_db
LIST = "nom\téquipe\nÉlodie Gélinas\tLes Draveurs\nYvon Roy\tLes Draveurs\n"


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    cache.clear()
    with clock.frozen(START):
        yield


@pytest.fixture
def club(client: Client) -> Club:
    """A club whose organiser is signed in."""
    found = a_club()
    organiser = a_player("Chantal Brière", "c@example.org")
    join(by=SITE, club=found, player=organiser)
    give_role(by=SITE, club=found, player=organiser, name="organiser")
    sign_in(client, organiser.user)
    return found


def members(club: Club) -> set[str]:
    return set(Membership.objects.filter(club=club, until=None).values_list("player__display_name", flat=True))


def test_a_list_is_shown_mended_saved_and_undone(client: Client, club: Club) -> None:
    address = reverse("newcomers:club_list", args=[club.slug])
    file = SimpleUploadedFile("liste.csv", (LIST + "=1+1\t\n").encode("cp1252"))
    page = client.post(address, {"file": file}).content.decode()
    assert "ligne 4" in page.lower() or "line 4" in page.lower()
    assert "Windows-1252" in page
    assert "=1+1" in page  # to be mended in the text
    client.post(address, {"text": LIST + "=1+1\t\n", "agreed": "on", "save": "yes"})
    assert "Yvon Roy" not in members(club)
    client.post(address, {"text": LIST, "save": "yes"})  # without the tick
    assert "Yvon Roy" not in members(club)
    answer = client.post(address, {"text": LIST, "agreed": "on", "save": "yes"})
    assert answer["Location"] == reverse("newcomers:club", args=[club.slug])
    assert {"Yvon Roy", "Élodie Gélinas"} <= members(club)
    client.post(reverse("newcomers:undo", args=[NameList.objects.get().slug]))
    assert members(club) == {"Chantal Brière"}
    assert not Player.objects.filter(display_name="Yvon Roy").exists()


def test_a_workbook_is_read_and_a_double_is_asked(client: Client, club: Club) -> None:
    known = create_player(display_name="Gelinas Élodie")
    book, out = Workbook(), io.BytesIO()
    book.active.append(["Prénom", "Nom de famille"])
    book.active.append(["Élodie", "Gélinas"])
    book.save(out)
    address = reverse("newcomers:club_list", args=[club.slug])
    page = client.post(address, {"file": SimpleUploadedFile("liste.xlsx", out.getvalue())}).content.decode()
    assert f'name="line-2" value="{known.slug}"' in " ".join(page.split())
    text = "Prénom\tNom de famille\nÉlodie\tGélinas\n"
    client.post(address, {"text": text, "agreed": "on", "save": "yes"})
    assert not NameList.objects.exists()
    client.post(address, {"text": text, "agreed": "on", "save": "yes", "line-2": known.slug})
    assert members(club) == {"Chantal Brière", "Gelinas Élodie"}


def test_one_player_is_added_and_a_like_one_is_asked_first(client: Client, club: Club) -> None:
    create_player(display_name="Yvon Roy")
    address = reverse("newcomers:club", args=[club.slug])
    client.post(address, {"name": "Élodie Gélinas", "agreed": "on"})
    page = client.post(address, {"name": "Yvon Roy", "agreed": "on"}).content.decode()
    assert 'value="other"' in " ".join(page.split())
    assert members(club) == {"Chantal Brière", "Élodie Gélinas"}
    client.post(address, {"name": "Yvon Roy", "agreed": "on", "line-2": "other"})
    assert Player.objects.filter(display_name="Yvon Roy").count() == 2
    assert client.post(address, {"name": "@SUM(A1)", "agreed": "on"}).status_code == 422


def test_visitors_are_entered_at_the_desk(client: Client, club: Club) -> None:
    event = a_tournament(2, club=club, plan=a_plan("knockout"), state="open")
    desk = client.get(reverse("competitions:organise", args=[event.slug])).content.decode()
    address = reverse("newcomers:event", args=[event.slug])
    assert address in desk
    answer = client.post(address, {"text": LIST, "agreed": "on", "save": "yes"})
    assert answer["Location"] == address
    assert Entry.objects.filter(competition=event, team__name="Les Draveurs", state="accepted").exists()
    page = client.get(address).content.decode()
    assert "Yvon Roy" in page
    third = {"text": LIST.replace("Yvon Roy", "Marc Roy"), "agreed": "on", "save": "yes"}
    refused = client.post(address, third)  # she is entered already
    assert refused.status_code == 422
    assert not Player.objects.filter(display_name="Marc Roy").exists()


def test_a_late_team_by_names_leads_to_the_preview_of_its_late_entry(client: Client, club: Club) -> None:
    event = a_tournament(4, club=club, plan=a_plan("swiss", rounds=3, auto=False))
    address = reverse("newcomers:event", args=[event.slug])
    assert address in client.get(reverse("competitions:organise", args=[event.slug])).content.decode()
    answer = client.post(address, {"text": LIST, "agreed": "on", "save": "yes"})
    assert "/organise/late/?team=" in answer["Location"]
    shown = client.get(answer["Location"])
    assert shown.status_code == 200
    assert shown.context["preview"] is not None


def test_the_queries_of_the_pages_do_not_grow_with_the_people(client: Client, club: Club) -> None:
    address = reverse("newcomers:club", args=[club.slug])
    listing = reverse("newcomers:club_list", args=[club.slug])
    client.get(address)

    def counts(text: str) -> tuple[int, int]:
        with CaptureQueriesContext(connection) as shown:
            client.get(address)
        with CaptureQueriesContext(connection) as previewed:
            client.post(listing, {"text": text})
        return len(shown), len(previewed)

    client.post(address, {"name": "Première Personne", "agreed": "on"})
    few = counts("nom\nPersonne A\n")
    client.post(
        listing, {"text": "nom\n" + "".join(f"Personne {n}\n" for n in range(30)), "agreed": "on", "save": "yes"}
    )
    assert len(members(club)) == 32
    assert counts("nom\n" + "".join(f"Autre {n}\n" for n in range(30))) == few
