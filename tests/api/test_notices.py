"""One's own notices, where a match is played, and related objects told whole."""

from collections.abc import Iterator

import pytest

from tests.competitions.world import FIRST_ROUND
from tests.permissions.world import World, build
from tock_league.common import clock
from tock_league.competitions.models import Match
from tock_league.competitions.services.rounds import opening
from tock_league.notices.models import Notice

from .calling import caller, code, fits, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> Iterator[World]:
    with clock.frozen(FIRST_ROUND):
        yield build()


def test_notices_are_read_and_marked_by_their_reader_alone(world: World) -> None:
    player = world.player("player")
    data = {"team": world.team.slug, "by": "", "until": "2030-01-01T00:00:00Z"}
    for key in "abc":
        made = Notice.objects.create(
            player=player, kind="team_invitation", key=key, address="/", at=clock.now(), data=data
        )
    client = caller(player, ["play"])
    listed = client.get("/api/v1/me/notices?limit=2")
    fits(listed, "/api/v1/me/notices")
    assert [one["seen_at"] for one in listed.json()["results"]] == [None, None]
    assert world.team.name in listed.json()["results"][0]["sentence"]
    assert send(client, f"me/notices/{made.pk}/seen").json()["seen_at"] is not None
    assert code(send(caller(world.player("captain")), f"me/notices/{made.pk}/seen")) == "not_found"
    assert send(client, "me/notices/seen", {"newest": made.pk - 2}).json() == {"seen": 1}
    assert send(client, "me/notices/seen").json() == {"seen": 1}
    assert code(send(caller(player, ["manage"]), "me/notices/seen")) == "token_scope"


def test_a_program_finds_the_table_and_the_game_of_its_match(world: World) -> None:
    other = Match.objects.filter(competition=world.league, table=None).first()
    address = f"/api/v1/matches/{other.slug}/tables"
    assert caller().get(address).json()["results"] == []
    opening.open_table(match_id=other.pk, early=True)
    answer = caller().get(address)
    fits(answer, "/api/v1/matches/{slug}/tables")
    [table] = answer.json()["results"]
    other.refresh_from_db()
    assert (table["slug"], table["game_state"]) == (other.table.slug, "seating")
    assert table["game"] == other.table.games.get().slug
    seated = {seating.player.slug for seating in other.table.seatings.all()}
    assert {seat["player"] for seat in table["seats"]} == seated


def test_expand_tells_whole_objects_in_place(world: World) -> None:
    client = caller(world.player("captain"))
    [match] = client.get("/api/v1/matches?expand=competition&limit=1&fields=slug,competition").json()["results"]
    assert match["competition"]["state"] == "running"
    answer = client.get(f"/api/v1/competitions/{world.league.slug}/entries?expand=team,club")
    fits(answer, "/api/v1/competitions/{slug}/entries")
    told = {one["name"]: one for one in answer.json()["results"]}["Castors"]
    assert (told["club"]["town"], told["team"]["size"]) == ("Shawinigan", 2)
    assert client.get(f"/api/v1/teams/{world.team.slug}?expand=club").json()["club"]["town"] == "Shawinigan"
    refused = client.get("/api/v1/matches?expand=club")
    assert (code(refused), refused.json()["field"]) == ("expand", "expand")
    assert code(client.get("/api/v1/rulings?expand=match")) == "parameter"
