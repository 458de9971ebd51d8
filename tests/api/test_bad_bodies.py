"""Bodies of writes that are wrong: each is refused by the name of its field, and nothing is written."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.competitions.world import FIRST_ROUND
from tests.permissions.world import World, build
from tock_league.common import clock
from tock_league.competitions.models import Competition

from .calling import caller, send

pytestmark = pytest.mark.django_db
START = "2027-01-01T19:00:00-05:00"
GAME = {"winner": 0, "margin": 1}


@pytest.fixture
def world() -> Iterator[World]:
    with clock.frozen(FIRST_ROUND):
        yield build()


DRAFTS: list[tuple[dict[str, Any], int, str]] = [
    ({"name": "x"}, 400, "name"),
    ({"name": "Coupe <b>"}, 400, "name"),
    ({"name": 7 * ["x"]}, 400, "name"),
    ({"kind": "ladder"}, 400, "kind"),
    ({"starts_at": "2027-01-01T19:00"}, 400, "starts_at"),
    ({"starts_at": "9999-12-31T23:59:59Z"}, 400, "starts_at"),
    ({"starts_at": "2020-01-01T00:00Z"}, 422, "starts_at"),
    ({"starts_at": None}, 400, "starts_at"),
    ({"places": 1}, 400, "places"),
    ({"places": 10**30}, 400, "places"),
    ({"places": True}, 400, "places"),
    ({"kind": "swiss", "rounds": 0}, 400, "rounds"),
    ({"rules": "shawinigan/1", "seats": 5}, 400, "rules"),
    ({"check_in_from": START}, 422, "check_in_until"),
    ({"correction_s": 7}, 400, "correction_s"),
    ({"pause_minutes": -1}, 400, "pause_minutes"),
    ({"clocks": "perhaps"}, 400, "clocks"),
    ({"colour": "red"}, 400, "colour"),
    ({"club": "nowhere"}, 404, "club"),
]


def test_a_draft_with_a_wrong_setting_is_refused_by_its_field(world: World) -> None:
    client = caller(world.player("club_organiser"))
    before = Competition.objects.count()
    for more, status, field in DRAFTS:
        draft = {"name": "Coupe", "club": world.club.slug, "starts_at": START} | more
        answer = send(client, "competitions", draft)
        assert (answer.status_code, answer.json()["field"]) == (status, field), (more, answer.json())
    assert Competition.objects.count() == before


RESULTS: list[tuple[str, dict[str, Any], int, str | None]] = [
    ("certify", {"games": []}, 400, "games"),
    ("certify", {"games": [GAME] * 10}, 400, "games"),
    ("certify", {"games": [{"winner": 9}]}, 400, "games.0.winner"),
    ("certify", {"games": [{"winner": 0, "lead": 3}]}, 400, "games.0.lead"),
    ("certify", {"games": "0-1"}, 400, "games"),
    ("certify", {"games": [GAME], "seen": -1}, 400, "seen"),
    ("no-show", {"position": 0}, 400, "reason"),
    ("no-show", {"position": "first", "reason": "x"}, 400, "position"),
    ("move", {"starts_at": "tomorrow"}, 400, "starts_at"),
    ("corrections", {"kind": "revert", "reason": "x", "digest": "x"}, 400, "kind"),
    ("corrections/preview", {"kind": "move", "other": "nowhere"}, 404, "other"),
    ("corrections/preview", {"kind": "no_show", "absent": 9}, 400, "absent"),
]


def test_a_wrong_result_is_refused_by_its_field(world: World) -> None:
    client = caller(world.player("club_organiser"))
    for path, body, status, field in RESULTS:
        answer = send(client, f"matches/{world.match.slug}/{path}", body)
        assert (answer.status_code, answer.json()["field"]) == (status, field), (path, body, answer.json())


def test_a_token_that_plays_reaches_no_right_of_an_office(world: World) -> None:
    player = caller(world.player("club_organiser"), ["play"])
    team, match = world.team.slug, world.match.slug
    for path, body in (
        (f"competitions/{world.league.slug}/entries", {"team": team}),
        (f"entries/{world.entry.slug}/check-in", {"player": world.player("captain").slug, "here": True}),
        (f"entries/{world.entry.slug}/leave", {"how": "withdrawal"}),
        (f"matches/{match}/forfeit", {"position": 0, "reason": "x"}),
        (f"matches/{match}/certify", {"games": [GAME]}),
    ):
        answer = send(player, path, body)
        assert (answer.status_code, answer.json()["code"]) == (403, "token_scope"), path
        assert answer.json()["details"] == {"needed": "manage"}
