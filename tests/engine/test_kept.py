"""The cache of a position is never used for another position: no play, no other seat and no caller sees an old value."""

import random
from typing import Any

import pytest

from games.engine import registry
from games.engine.errors import IllegalPlay
from games.engine.game import SPECTATOR
from games.engine.tock.game import GAME
from games.engine.tock.plays import Kind, Play
from games.engine.tock.position import Position
from games.engine.tock.rules import TockRules
from tests.boards import at, new

TABLES = [
    pytest.param(entry.rules, seats, id=f"{rule_set}-{seats}")
    for rule_set, entry in registry.entries().items()
    if isinstance(entry.rules, TockRules)
    for seats in entry.rules.teams
]


def asked(p: Position) -> dict[str, Any]:
    """Return everything that a table requests of a position."""
    seats = range(p.seats)
    return {
        "views": [GAME.view(p, viewer) for viewer in (*seats, SPECTATOR)],
        "lines": [[play.text for play in GAME.narrow(p, seat=seat)] for seat in seats],
        "effects": [GAME.fx(p, play) for play in GAME.legal_plays(p)],
        "plays": [GAME.parse_play(p, play.text) for play in GAME.legal_plays(p)],
    }


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_a_position_that_is_played_in_place_answers_like_one_that_was_never_asked(rules: TockRules, seats: int) -> None:
    roll = random.Random(seats)
    deck = list(rules.deck(seats))
    p = GAME.new(rules, seats=seats)
    for _ in range(150):
        if p.phase == "over":
            p = GAME.new(rules, seats=seats)
        assert asked(p) == asked(GAME.from_json(p.to_json()))
        if p.phase == "deck":
            roll.shuffle(deck)
            GAME.apply_in_place(p, Play("deck", -1, Kind.DECK, tuple(deck)))
        else:
            GAME.apply_in_place(p, roll.choice(GAME.legal_plays(p)))


def test_a_wrong_play_is_refused_after_a_right_one_was_checked() -> None:
    p = at(marbles="0: t30", hands="0: 9C 2C")
    right, wrong = GAME.parse_play(p, "9C t30-t39"), GAME.parse_play(p, "burn 9C")
    GAME.check(p, right, 0)
    for refuse in (GAME.check, GAME.apply):
        with pytest.raises(IllegalPlay, match="must_play"):
            refuse(p, wrong, 0)
    after = GAME.apply(p, right, 0)
    with pytest.raises(IllegalPlay):
        GAME.apply(after, right)


def test_effects_are_those_of_the_play_that_is_asked_about() -> None:
    p = at(marbles="0: t30 / 1: t39", hands="0: 9C 2C")
    eats, moves = GAME.parse_play(p, "9C t30-t39"), GAME.parse_play(p, "2C t30-t32")
    for _ in range(2):
        assert GAME.fx(p, eats) == [["move", 0, "t30", "t39"], ["eaten", 1, "t39"]]
        assert GAME.fx(p, moves) == [["move", 0, "t30", "t32"]]


def test_a_caller_that_changes_its_result_does_not_change_later_results() -> None:
    p = at(marbles="0: t30", hands="0: 9C 2C")
    before = GAME.view(p, 0), GAME.narrow(p), GAME.fx(p, GAME.legal_plays(p)[0])
    view, plays, effects = GAME.view(p, 0), GAME.narrow(p), GAME.fx(p, GAME.legal_plays(p)[0])
    view["hand"].clear()
    view["legal"].clear()
    view["phase"] = "over"
    plays.clear()
    effects[0].clear()
    assert (GAME.view(p, 0), GAME.narrow(p), GAME.fx(p, GAME.legal_plays(p)[0])) == before


def test_a_marble_put_on_the_board_is_seen_at_once() -> None:
    p = at(marbles="0: t30", hands="0: 9C 2C")
    assert asked(p)["lines"][0] == ["2C t30-t32", "9C t30-t39"]
    p.put(0, 50)
    assert asked(p) == asked(GAME.from_json(p.to_json()))
    assert "2C t50-t52" in asked(p)["lines"][0]


def test_a_penalty_on_a_copy_does_not_change_the_original_position() -> None:
    p = new()
    shown = GAME.view(p, SPECTATOR)
    assert GAME.view(GAME.penalise(p, 2), SPECTATOR)["owed"] == [0, 0, 1, 0]
    assert GAME.view(p, SPECTATOR) == shown
