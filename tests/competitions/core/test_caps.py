"""The counting of games under a time cap, for every count that a side can have."""

from itertools import product
from types import SimpleNamespace

import pytest

from games.engine.tock.board import MARBLES, SECTION, steps_home, steps_of
from tests.every import every
from tock_league.common.errors import Refused
from tock_league.competitions.core import caps
from tock_league.competitions.core.caps import Asked, Cap, CapError, count
from tock_league.competitions.core.effective import Line, PlainEffect, Version, resolve
from tock_league.competitions.core.rated import of_papers
from tock_league.competitions.core.scoring import MatchResult, PointsRule, SideResult
from tock_league.competitions.core.sheets import game_lines, row_of
from tock_league.competitions.core.standings import standings
from tock_league.competitions.core.tiebreaks import record
from tock_league.competitions.services.results.timed import capped_sheet

POINTS = Cap(45, absent=(8, 4))
SETTINGS = [
    Cap(minutes, of=of, call=call, counts=counts, tie=tie, absent=absent)
    for minutes, of, call, counts, tie, absent in product(
        (caps.LEAST_MINUTES, caps.MOST_MINUTES), caps.OFS, caps.CALLS, caps.COUNTS, caps.TIES, (None, (8, 4), (0, 0))
    )
]


def asked(cap=POINTS, *, most=8, ties=True):
    return Asked(caps.EACH, 0, most, ties, cap)


def counted(games, *, cap=POINTS, ties=True, best_of=1, mode="first_to"):
    match = SimpleNamespace(sides=2, best_of=best_of, mode=mode)
    given = [SimpleNamespace(winner=None, counts=game) for game in games]
    return capped_sheet(match, asked(cap, ties=ties), given)


def version(rows, number=1):
    return Version(number, None, "adjudicated", sheet=tuple(game_lines(row, 2) for row in rows))


@every("cap", SETTINGS)
def test_a_cap_is_read_back_as_it_was_written(cap) -> None:
    assert Cap.read(cap.to_json()) == cap


@every(
    "changes, field",
    [
        ({"minutes": 0}, "minutes"),
        ({"minutes": -5}, "minutes"),
        ({"minutes": 10_000}, "minutes"),
        ({"of": "day"}, "of"),
        ({"call": "whistle"}, "call"),
        ({"counts": "cards"}, "counts"),
        ({"tie": "coin"}, "tie"),
        ({"marble": 0}, "marble"),
        ({"finished": -1}, "finished"),
        ({"absent": (4, 8)}, "absent"),
        ({"absent": (8, -1)}, "absent"),
    ],
)
def test_a_setting_out_of_its_range_is_named(changes, field) -> None:
    with pytest.raises(CapError) as error:
        Cap(**{"minutes": 45} | changes)
    assert (error.value.field, error.value.code) == (field, f"cap_{field}")


@every("counts", [(size, cap) for size in (2, 3, 4) for cap in (POINTS, Cap(30, counts=caps.MARBLES))])
def test_more_marbles_win_whoever_sits_where(counts) -> None:
    size, cap = counts
    most = MARBLES * size
    for one, other in product(range(most + 1), repeat=2):
        if one == other == most:
            with pytest.raises(CapError, match="both_finished"):
                count(asked(cap, most=most), (one, other))
            continue
        made = count(asked(cap, most=most), (one, other))
        assert made.winner == (None if one == other else int(other > one))
        assert made.finished == (0 if one == most else 1 if other == most else None)
        assert made.margin == abs(made.scores[0] - made.scores[1])
        turned = count(asked(cap, most=most), (other, one))
        assert turned.scores == made.scores[::-1]
        assert turned.winner == (None if made.winner is None else 1 - made.winner)


def test_points_are_two_a_marble_and_ten_for_a_finished_game() -> None:
    assert count(asked(), (5, 3)).scores == (10, 6)
    assert count(asked(), (8, 7)).scores == (26, 14)
    assert count(asked(Cap(30, counts=caps.STEPS), most=588), (300, 588)).scores == (300, 588)


@every("counts, code", [((-1, 3), "count_range"), ((3, 9), "count_range"), ((8, 8), "both_finished")])
def test_counts_that_cannot_be_are_refused(counts, code) -> None:
    with pytest.raises(CapError, match=code):
        count(asked(), counts)


def test_a_tie_is_refused_where_something_else_decides() -> None:
    assert count(asked(), (4, 4)).winner is None
    with pytest.raises(CapError, match="count_tie"):
        count(asked(ties=False), (4, 4))


@every("seats", [4, 6, 8])
def test_the_steps_of_a_marble_grow_by_one_a_space_up_to_the_end_of_its_heaven(seats) -> None:
    length = SECTION * seats
    for seat in range(seats):
        start = SECTION * seat
        way = ["r", *(f"t{(start + n) % length}" for n in range(length - 1)), *(f"h{k}" for k in range(1, 5))]
        assert [steps_of(place, seat, seats) for place in way] == list(range(length + 4))
    assert steps_home(seats) == sum(range(length, length + 4))


@every("counts", list(product(range(9), repeat=2)))
def test_a_stored_game_says_what_was_counted(counts) -> None:
    if counts == (8, 8):
        return
    (row,) = counted([counts])
    lines = game_lines(row, 2)
    assert row_of(lines) == row
    result = resolve([version([row])])
    assert result.state == "decided"
    assert result.fact == ("played" if 8 in counts else "adjudicated")
    assert result.shown == tuple(row[4:6]) == tuple(side.scored for side in result.sides)
    assert [side.margin for side in result.sides] == [row[4] - row[5], row[5] - row[4]]
    assert sum(line.outcome == "win" for line in lines) == (counts[0] != counts[1])
    # Only a finished game moves ratings.
    assert [game.verdict.rated for game in of_papers([version([row])], [])] == (
        [] if counts[0] == counts[1] else [8 in counts]
    )


def test_of_a_whole_match_the_games_after_the_cap_are_missing_and_the_score_decides_between_equals() -> None:
    cap = Cap(60, of=caps.MATCH)
    won_and_lost = counted([(8, 3), (2, 7)], cap=cap, best_of=3)
    result = resolve([version(won_and_lost)], best_of=3)
    assert (result.state, result.winner, result.score) == ("decided", 0, (1, 1))  # 26 + 4 against 6 + 14
    assert resolve([version(counted([(8, 3)], cap=cap, best_of=3))], best_of=3).winner == 0  # the time was up after it
    level = counted([(4, 4)], cap=cap, best_of=3)
    assert {side.outcome for side in resolve([version(level)], best_of=3).sides} == {"tie"}


@every(
    "games, more, code",
    [
        ([], {}, "games_missing"),
        ([(5,)], {}, "counts_missing"),
        ([(5, 3), (5, 3)], {}, "too_many_games"),
        ([(5, 3)], {"best_of": 3}, "games_missing"),
        ([(4, 4)], {"ties": False}, "count_tie"),
        ([(5, 3), (8, 3)], {"best_of": 3, "cap": Cap(60, of=caps.MATCH)}, "after_the_cap"),
        ([(4, 4)], {"best_of": 3, "cap": Cap(60, of=caps.MATCH), "ties": False}, "count_tie"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused_with_its_rule(games, more, code) -> None:
    with pytest.raises(Refused) as error:
        counted(games, **more)
    assert (error.value.code, error.value.field) == (code, "games")


def test_a_voided_game_of_a_timed_match_is_open_again() -> None:
    rows = counted([(8, 3), (2, 7)], cap=Cap(60, of=caps.MATCH), best_of=3)
    played = [version(rows)]
    assert resolve(played, [PlainEffect(1, "void", after=1, game=2)], best_of=3).state == "open"
    again = resolve(played, [PlainEffect(1, "replay", after=1)], best_of=3)
    assert (again.state, [side.scored for side in again.sides]) == ("open", [None, None])
    taken = resolve([*played, Version(2, None, "withdrawal", (Line(0, "win", 0), Line(1, "loss", 1)))], best_of=3)
    assert (taken.fact, taken.winner) == ("forfeit", 0)
    assert resolve([*played, Version(2, None, "withdrawal"), Version(3, None, "reopened")], best_of=3).winner == 0


def test_standings_sum_what_was_scored_and_an_unplayed_match_counts_where_it_has_a_score() -> None:
    results = [
        MatchResult(1, 1, "adjudicated", (SideResult(1, "win", 1, 4, 10), SideResult(2, "loss", 0, -4, 6))),
        MatchResult(2, 1, "no_show", (SideResult(3, "win", 0, 4, 8), SideResult(4, "loss", 0, -4, 4))),
        MatchResult(3, 2, "no_show", (SideResult(4, "win", 0, 9), SideResult(2, "loss", 0, -9))),
    ]
    rows = standings(record([1, 2, 3, 4], results, PointsRule()), ("points", "margin", "scored"))
    found = {row.entry: (row.margin.value, row.scored.value, len(row.scored.terms)) for row in rows}
    assert found == {1: (4, 10, 1), 2: (-4, 6, 1), 3: (4, 8, 1), 4: (-4, 4, 1)}
    assert [row.entry for row in rows] == [1, 3, 4, 2]
    assert rows[0].separated_by == "scored"
