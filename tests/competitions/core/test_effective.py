"""The fold of versions and rulings in force: the result of each effect, their order, and that a lift undoes an
effect."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tock_league.competitions.core.effective import (
    Effective,
    Line,
    PlainEffect,
    Side,
    Version,
    ledger_of,
    penalties,
    resolve,
)
from tock_league.competitions.core.rated import AS_RECORDED, Verdict, verdicts
from tock_league.competitions.core.scoring import FACTS


def lines(winner, margin=0):
    return tuple(
        Line(p, "win" if p == winner else "loss", 0 if p == winner else 1, margin if p == winner else -margin)
        for p in (0, 1)
    )


def game(number, index, winner, *, margin=3, fact="played", **more):
    return Version(number, index, fact, lines(winner, margin), **more)


def whole(number, fact, winner=None):
    return Version(number, None, fact, lines(winner) if fact != "void" else ())


def effect(kind, *, seq=1, after=1, **more):
    return PlainEffect(seq, kind, after, **more)


WON = [game(1, 1, 0)]


@pytest.mark.parametrize(
    ("made", "state", "fact", "winner", "margins"),
    [
        (effect("result", game=1, position=1), "decided", "adjudicated", 1, (0, 0)),
        (effect("result", game=1, position=0), "decided", "played", 0, (3, -3)),
        (effect("result", position=1), "decided", "adjudicated", 1, (3, -3)),
        (effect("void"), "void", "void", None, (0, 0)),
        (effect("void", game=1), "open", "played", None, (0, 0)),
        (effect("replay"), "open", "played", None, (0, 0)),
        (effect("replay", game=1), "open", "played", None, (0, 0)),
        (effect("forfeit_game", game=1, position=0), "decided", "forfeit", 1, (0, 0)),
        (effect("forfeit_match", position=0), "decided", "forfeit", 1, (3, -3)),
        (effect("forfeit_match"), "decided", "double_forfeit", None, (3, -3)),
        (effect("points", entry=7, amount=-1), "decided", "played", 0, (3, -3)),
        (effect("rating", game=1, amount=0), "decided", "played", 0, (3, -3)),
    ],
    ids=lambda value: f"{value.kind}-{value.game}-{value.position}" if isinstance(value, PlainEffect) else None,
)
def test_each_effect_on_a_game_that_position_0_won_by_three(made, state, fact, winner, margins):
    result = resolve(WON, [made])
    assert (result.state, result.fact, result.winner) == (state, fact, winner)
    assert tuple(side.margin for side in result.sides) == margins


def test_a_forfeit_before_a_completed_game_is_a_walkover_and_counts_as_unplayed():
    result = resolve([], [effect("forfeit_match", position=1, after=0)], best_of=3)
    assert (result.state, result.fact, result.cause, result.winner, result.score) == (
        "decided", "walkover", "forfeit", 0, (0, 0),
    )  # fmt: skip


@pytest.mark.parametrize("fact", ["no_show", "withdrawal", "disqualification"])
def test_an_entry_that_leaves_after_a_completed_game_forfeits_the_rest(fact):
    before = resolve([whole(1, fact, 1)], best_of=3)
    after = resolve([game(1, 1, 0), whole(2, fact, 1)], best_of=3)
    assert (before.fact, after.fact, after.cause, after.winner, after.score) == (fact, "forfeit", fact, 1, (1, 0))


def test_effects_apply_in_the_order_of_signing_whatever_the_order_they_come_in():
    first = effect("result", seq=1, game=1, position=1)
    second = effect("forfeit_game", seq=2, game=1, position=1)
    assert resolve(WON, [first, second]).winner == 0
    assert resolve(WON, [second, first]).winner == 0
    assert resolve(WON, [first]).winner == 1


def test_effects_come_between_the_versions_after_which_they_were_signed():
    versions = [game(1, 1, 0), game(2, 1, 0), game(3, 1, 0)]
    early, late = (
        effect("result", seq=1, after=1, game=1, position=1),
        effect("result", seq=2, after=3, game=1, position=1),
    )
    assert resolve(versions, [early]).winner == 0, "the second version of the game is newer"
    assert resolve(versions, [early, late]).winner == 1


def test_a_corrected_game_leaves_the_other_games_as_they_were():
    versions = [game(1, 1, 0), game(2, 2, 1), game(3, 1, 1)]
    assert resolve(versions, [], best_of=3).score == (0, 2)


def test_a_game_played_again_counts_in_the_place_of_the_first_and_falls_with_its_order():
    order = effect("replay", seq=5, after=1, game=1)
    again = [*WON, game(2, 1, 1, order=5)]
    assert resolve(again, [order]).winner == 1
    assert resolve(again, []) == resolve(WON)


def test_what_is_written_after_a_void_match_counts_again():
    assert resolve([*WON, game(2, 1, 1)], [effect("void", after=1)]).winner == 1
    assert resolve([*WON, game(2, 1, 1)], [effect("void", after=2)]).state == "void"


def test_a_reopened_match_forgets_what_the_rules_alone_had_written():
    assert resolve([whole(1, "withdrawal", 0), Version(2, None, "reopened")]).state == "open"
    assert resolve([whole(1, "withdrawal", 0), Version(2, None, "reopened"), game(3, 1, 1)]).winner == 1


def test_a_paper_counts_only_when_it_is_signed_and_then_as_its_games():
    sheet = (lines(0, 2), lines(1, 1), lines(0, 4))
    paper = Version(1, None, "played", sheet=sheet, counts=False)
    assert resolve([paper], best_of=3).state == "open"
    result = resolve([replace(paper, counts=True)], best_of=3)
    assert (result.state, result.fact, result.winner, result.score) == ("decided", "played", 0, (2, 1))
    assert [side.margin for side in result.sides] == [5, -5]


def test_points_taken_off_add_up_and_what_sums_to_nothing_is_nothing():
    made = [
        effect("points", seq=1, entry=7, amount=-1),
        effect("points", seq=2, entry=7, amount=-2),
        effect("points", seq=3, entry=9, amount=-1),
        effect("points", seq=4, entry=9, amount=1),
    ]
    assert penalties(made) == {7: 3}


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ([], AS_RECORDED),
        ([effect("result", game=1, position=1)], Verdict("result", 1)),
        ([effect("result", game=1, position=0)], Verdict("result", 0)),
        ([effect("result", position=1)], AS_RECORDED),
        ([effect("forfeit_match", position=0)], AS_RECORDED),
        ([effect("forfeit_game", game=1, position=0)], Verdict("result", rated=False, reason="penalty_forfeit")),
        ([effect("void")], Verdict("void", rated=False, reason="voided")),
        ([effect("replay", game=1)], Verdict("void", rated=False, reason="voided")),
        ([effect("rating", game=1, amount=0)], Verdict("result", rated=False, reason="ruling")),
        ([effect("rating", game=1, amount=0), effect("rating", seq=2, game=1, amount=1)], AS_RECORDED),
    ],
)
def test_the_rating_log_gets_the_result_of_a_game(made, said):
    assert verdicts(WON, made) == {1: said}


effects = st.lists(
    st.builds(
        PlainEffect,
        seq=st.just(0),
        kind=st.sampled_from(["result", "void", "replay", "forfeit_game", "forfeit_match", "points", "rating"]),
        after=st.integers(0, 3),
        game=st.sampled_from([None, 1, 2, 3]),
        position=st.sampled_from([0, 1]),
        entry=st.sampled_from([None, 1]),
        amount=st.integers(-2, 1),
    ),
    max_size=5,
).map(lambda found: [replace(made, seq=seq) for seq, made in enumerate(sorted(found, key=lambda e: e.after), 1)])
winners = st.lists(st.sampled_from([0, 1]), max_size=3)


@given(winners, effects)
def test_whatever_is_ruled_a_match_has_one_winner_at_most_and_a_fact_that_can_be_scored(won, made):
    versions = [game(number, number, winner) for number, winner in enumerate(won, 1)]
    result = resolve(versions, made, best_of=3)
    assert result.state in ("open", "decided", "void")
    assert result.fact in FACTS
    assert sum(side.outcome == "win" for side in result.sides) <= 1
    assert sum(side.margin for side in result.sides) == 0
    assert sum(result.score) <= 3
    if result.state == "decided" and result.fact != "double_forfeit":
        assert result.winner is not None
    standing = ledger_of(versions, made, best_of=3).games
    for number, said in verdicts(versions, made, best_of=3).items():
        assert (said.kind == "void") == (number not in {slot.version for slot in standing.values()})


@given(winners, effects)
def test_without_its_effects_a_match_is_what_it_was(won, made):
    versions = [game(number, number, winner) for number, winner in enumerate(won, 1)]
    before = resolve(versions, best_of=3)
    played = [*versions, *(game(10 + e.seq, 1, 1, order=e.seq) for e in made if e.kind == "replay")]
    assert resolve(played, [], best_of=3) == before


@pytest.mark.parametrize(
    ("outcomes", "games", "shown"),
    [
        (("win", "loss"), (2, 1), (2, 1)),
        (("win", "loss"), (1, 2), (1, 0)),  # decided against the games
        (("win", "loss"), (1, 1), (1, 0)),
        (("loss", "win"), (0, 0), (0, 1)),
        (("loss", "loss"), (1, 0), (0, 0)),  # nobody wins
        (("tie", "tie"), (1, 1), (1, 1)),
        (("loss", "win", "loss"), (1, 0, 0), (0, 1, 0)),
    ],
)
def test_the_score_that_pages_show_never_contradicts_the_outcome(outcomes, games, shown) -> None:
    sides = tuple(Side(place, *line, 0) for place, line in enumerate(zip(outcomes, games, strict=True)))
    assert Effective("decided", "adjudicated", sides).shown == shown
    assert Effective("open", "played", sides).shown == games
