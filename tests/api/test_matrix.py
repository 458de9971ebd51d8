"""Who may read what, for every endpoint of the router: a new one needs a line here, written by hand."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from games.models import Game
from tests.architecture.test_addresses import named
from tests.competitions.world import FIRST_ROUND
from tests.permissions.world import NEVER, PEOPLE, World, build
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.competitions.models import Competition

from .calling import caller, code, document, fits
from .test_matrix_tables import TABLES

pytestmark = pytest.mark.django_db
EVERYBODY = {
    "clubs-list", "clubs-detail", "clubs-members", "teams-list", "teams-detail", "competitions-list", "competitions-detail",
    "competitions-entries", "competitions-rounds", "competitions-standings", "entries-detail", "matches-list",
    "matches-detail", "rule-sets-list", "rule-sets-detail", "games-list", "games-detail", "ladders-list", "rulings-list",
    "journal-list", "journal-detail", "journal-entries", "players-list", "players-detail",
}  # fmt: skip
SIGNED_IN = {"me", "invitations-list"}
# By what the thing itself allows: tests below, and test_reading.
ELSEWHERE = {
    "players-ratings", "rulings-detail", "ladders-detail", "ladders-board", "ladders-history", "invitations-answer",
    "console", "schema",
}  # fmt: skip
WITH_RIGHTS = {"organiser", "club_organiser", "officer", "administrator", "superuser", "event_organiser"}
OF_THE_EVENT = {"playing_organiser", "referee", "head_referee", "club_referee", "playing_referee", "case_referee"}


@pytest.fixture
def world() -> Iterator[World]:
    with clock.frozen(FIRST_ROUND):
        yield build()


def endpoints() -> dict[str, Any]:
    return {name.removeprefix("api:"): p for name, p in named(get_resolver()) if name.startswith("api:")}


def things(world: World) -> dict[str, dict[str, str]]:
    """Return the parameters of each endpoint that has any."""
    competition = {"slug": world.league.slug}
    return {
        "clubs-detail": {"slug": world.club.slug},
        "clubs-members": {"slug": world.club.slug},
        "teams-detail": {"slug": world.team.slug},
        "competitions-detail": competition,
        "competitions-entries": competition,
        "competitions-rounds": competition,
        "competitions-standings": competition,
        "entries-detail": {"slug": world.entry.slug},
        "matches-detail": {"slug": world.match.slug},
        "rule-sets-detail": {"page": "shawinigan-1"},
        "games-detail": {"slug": world.game.slug},
        "journal-detail": {"name": "open"},
        "journal-entries": {"name": "open"},
        "players-detail": {"slug": world.player("captain").slug},
    }


def clients(world: World, names: tuple[str, ...]) -> dict[str, Client]:
    return {name: caller(None if name in NEVER else world.player(name)) for name in names}


def test_every_endpoint_has_a_line() -> None:
    assert set(endpoints()) == EVERYBODY | SIGNED_IN | ELSEWHERE | TABLES


def test_what_is_public_is_told_to_everybody_as_the_document_says(world: World) -> None:
    known = things(world)
    shown = {part.replace("{", "<").replace("}", ">"): part for part in document()["paths"]}
    for who, client in clients(world, ("visitor", "newcomer", "administrator", "former_referee")).items():
        for name in sorted(EVERYBODY | SIGNED_IN):
            address = reverse(f"api:{name}", kwargs=known.get(name))
            answer = client.get(address)
            expected = 401 if name in SIGNED_IN and who == "visitor" else 200
            assert answer.status_code == expected, f"{who} {name}: {answer.content!r}"
            for key, value in known.get(name, {}).items():
                address = address.replace(f"/{value}", f"/<{key}>", 1)
            fits(answer, shown[address])


def test_a_draft_is_shown_to_those_who_may_see_its_page(world: World) -> None:
    Competition.objects.filter(pk=world.league.pk).update(state="draft")
    private = ("competitions-detail", "competitions-entries", "competitions-rounds", "competitions-standings",
               "matches-detail", "entries-detail")  # fmt: skip
    names = ("visitor", *PEOPLE, "administrator", "superuser")
    for who, client in clients(world, names).items():
        may = who in WITH_RIGHTS | OF_THE_EVENT
        for name in private if who in ("visitor", "officer", "stranger", "referee") else private[:1]:
            answer = client.get(reverse(f"api:{name}", kwargs=things(world)[name]))
            assert answer.status_code == (200 if may else 404), f"{who} {name}"
    for name in ("competitions-list", "matches-list", "games-list"):
        told = caller(world.player("officer")).get(reverse(f"api:{name}")).content.decode()
        assert world.match.slug not in told
        assert world.league.slug not in told


def test_a_player_is_told_to_those_who_may_see_the_page(world: World) -> None:
    captain, stranger = world.player("captain"), world.player("stranger")
    address = reverse("api:players-detail", kwargs={"slug": captain.slug})
    names = reverse("api:players-list")

    def sees(client: Client) -> bool:
        told = client.get(address).json()
        assert told["name"] == captain.display_name
        assert (told["teams"] is not None) == told["is_open"]
        rated = client.get(reverse("api:players-ratings", kwargs={"slug": captain.slug})).status_code
        assert rated == (200 if told["is_open"] else 404)
        listed = captain.slug in {one["slug"] for one in client.get(names, {"limit": "100"}).json()["results"]}
        assert listed == told["is_open"]
        return bool(told["is_open"])

    visitor, other, mate, own = caller(), caller(stranger), caller(world.player("player")), caller(captain)
    expected = {"clubs": (False, False, True, True), "signed_in": (False, True, True, True), "everybody": (True,) * 4}
    for readers, seen in expected.items():
        Player.objects.filter(pk=captain.pk).update(page_for=readers)
        assert tuple(sees(client) for client in (visitor, other, mate, own)) == seen, readers


def test_a_game_is_told_once_it_is_over_and_to_those_who_may_see_its_replay(world: World) -> None:
    address = reverse("api:games-detail", kwargs={"slug": world.game.slug})
    assert caller().get(address).json()["record"] == f"/api/games/{world.game.slug}/record.jsonl"
    table = world.game.table
    type(table).objects.filter(pk=table.pk).update(seated_only=True)
    assert code(caller().get(address)) == "not_found"
    type(table).objects.filter(pk=table.pk).update(seated_only=False)
    Game.objects.filter(pk=world.game.pk).update(state="playing")
    assert code(caller(world.player("captain")).get(address)) == "not_found"


def test_a_player_without_login_rights_gets_no_foreign_invitation(world: World) -> None:
    from tock_league.clubs.services import invite

    offer = invite(by=world.player("captain"), team=world.team, player=world.player("player"), slot=3)
    listed = reverse("api:invitations-list")
    assert [one["id"] for one in caller(world.player("player")).get(listed).json()["results"]] == [offer.pk]
    assert caller(world.player("stranger")).get(listed).json()["results"] == []
