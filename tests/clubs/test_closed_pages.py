"""Who may open a player's page: whom the player chose; of a child nobody but those who look after it."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.accounts.children import BACKEND, a_child, a_guardian, consented
from tock_league.accounts import consents
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import services
from tock_league.clubs.models import Club
from tock_league.clubs.selectors import shows_page

pytestmark = pytest.mark.django_db


def a_player(name: str) -> Player:
    return create_player(display_name=name, user=create_user(email=f"{name.lower()}@example.org"), birth_year=1980)


@pytest.fixture
def people() -> dict[str, Player | None]:
    """Return a player and those who stand near to it: clubmate, officer of the club, teammate, stranger, visitor."""
    found: dict[str, Player | None] = {name: a_player(name) for name in ("Player", "Clubmate", "Officer", "Teammate")}
    found |= {"Stranger": a_player("Stranger"), "Visitor": None}
    club = services.found_club(by=found["Officer"], name="Club de tock de Shawinigan", town="Shawinigan")
    for name in ("Player", "Clubmate"):
        services.join(by=found[name], club=club)
    team = services.found_team(by=found["Player"], name="Les As")
    invitation = services.invite(by=found["Player"], team=team, player=found["Teammate"], slot=2)
    services.answer(by=found["Teammate"], invitation=invitation, accept=True)
    return found


@pytest.mark.parametrize(
    ("chosen", "closed_to"),
    [("clubs", {"Stranger", "Visitor"}), ("signed_in", {"Visitor"}), ("everybody", set())],
)
def test_a_page_is_open_to_whom_the_player_chose(people: dict[str, Player], chosen: str, closed_to: set[str]) -> None:
    player = people["Player"]
    assert player.page_for == "clubs"  # until somebody chooses otherwise
    client = Client()
    client.force_login(player.user, backend=BACKEND)
    form = {"display_name": "Player", "language": "fr", "time_zone": "America/Toronto", "page_for": chosen}
    assert client.post(reverse("accounts:profile"), form).status_code == 302
    player.refresh_from_db()
    assert {name for name, viewer in people.items() if not shows_page(player, viewer)} == closed_to


def test_a_childs_page_is_open_to_itself_its_guardian_and_its_clubs_staff(people: dict[str, Player]) -> None:
    child, guardian = a_child(page_for="everybody"), a_guardian()
    consent = consented(child, guardian)
    services.join(by=people["Officer"], club=Club.objects.get(), player=child)
    asked = {**people, "Child": child, "Guardian": guardian}
    assert {name for name, viewer in asked.items() if shows_page(child, viewer)} == {"Child", "Guardian", "Officer"}
    consents.withdraw(by=guardian, consent=consent)
    assert not shows_page(child, guardian)


def test_a_closed_page_says_the_name_and_nothing_else(people: dict[str, Player]) -> None:
    player = people["Player"]
    page = Client().get(reverse("pages:player", args=[player.slug]))
    text = page.content.decode()
    assert page.status_code == 200
    assert "Les As" not in text
    assert "Shawinigan" not in text.split("<main")[1].split("</main>")[0]
    assert 'content="noindex"' in text
    client = Client()
    client.force_login(people["Clubmate"].user, backend=BACKEND)
    assert "Les As" in client.get(reverse("pages:player", args=[player.slug])).content.decode()
