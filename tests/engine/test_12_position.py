"""Rulebook section 12 and the last paragraph of section 14: positions written, read, refused."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from games.engine.errors import BadPosition, EngineError, UnknownRules
from games.engine.tock.game import GAME
from tests.boards import after, at, json_at, lines
from tests.every import every

GOOD = json_at(marbles="0: h4 t16 t70 / 1: t18*", hands="0: KS 10H / 1: JK 9C / 2: / 3: 2C")


def refused(data: Any) -> str:
    with pytest.raises(EngineError) as refusal:
        GAME.from_json(data)
    return str(refusal.value)


def test_a_position_is_written_as_it_was_read_hands_and_marbles_sorted() -> None:
    written = GAME.to_json(GAME.from_json(GOOD))
    assert written == {**GOOD, "hands": [["10H", "KS"], ["9C", "JK"], [], ["2C"]]}


def test_keys_with_default_values_are_omitted_and_accepted() -> None:
    resting = {
        "first": False, "given": None, "joker": None, "thrown": [], "penalties": [0, 0, 0, 0], "finished": [],
        "full_ranking": False,
    }  # fmt: skip
    assert GAME.to_json(GAME.from_json({**GOOD, **resting})) == GAME.to_json(GAME.from_json(GOOD))


def test_order_in_hands_and_marbles_means_nothing() -> None:
    other = copy.deepcopy(GOOD)
    other["hands"][0].reverse()
    other["marbles"][0].reverse()
    assert GAME.from_json(other) == GAME.from_json(GOOD)


@pytest.mark.parametrize("key", sorted(GOOD))
def test_a_missing_key_is_named(key: str) -> None:
    data = {k: v for k, v in GOOD.items() if k != key}
    assert key in refused(data)


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Return a copy with one value changed; `path` is keys and indices with dots."""

    def do(data: dict[str, Any]) -> None:
        *way, last = path.split(".")
        at_ = data
        for step in way:
            at_ = at_[int(step)] if isinstance(at_, list) else at_[step]
        if isinstance(at_, list):
            at_[int(last)] = value
        else:
            at_[last] = value

    return do


@every(
    "path, value, named",
    [
        ("colour", "red", "colour"),
        ("rules", "shawinigan/9", "rules"),
        ("rules", None, "rules"),
        ("seats", 6, "seats"),
        ("seats", "4", "seats"),
        ("seats", 4.0, "seats"),
        ("teams", 4, "teams"),
        ("teams", True, "teams"),
        ("dealer", 4, "dealer"),
        ("dealer", -1, "dealer"),
        ("deal", 3, "deal"),
        ("turn", 9, "turn"),
        ("turn", None, "turn"),
        ("turn", 2, "turn"),
        ("phase", "dance", "phase"),
        ("phase", ["play"], "phase"),
        ("phase", "blind", "phase"),
        ("phase", "joker", "phase"),
        ("phase", "deck", "phase"),
        ("hands", [["KS"], ["JK"], []], "hands"),
        ("hands", {}, "hands"),
        ("hands.0", "KS", "hands"),
        ("hands.0.0", "11D", "hands"),
        ("hands.0.0", "BJ", "hands"),
        ("hands.0.0", 5, "hands"),
        ("hands.0.0", "9C", "hands"),
        ("stock", None, "stock"),
        ("stock.0", "KS", "stock"),
        ("stock", [], "stock"),
        ("marbles", [["r"] * 4] * 3, "marbles"),
        ("marbles.0", ["r"] * 3, "marbles"),
        ("marbles.0", ["r"] * 5, "marbles"),
        ("marbles.0", "rrrr", "marbles"),
        ("marbles.0.0", "t72", "marbles"),
        ("marbles.0.0", "x7", "marbles"),
        ("marbles.0.0", "h5", "marbles"),
        ("marbles.0.0", None, "marbles"),
        ("marbles.0.0", "t18", "marbles"),
        ("marbles.0.3", "h4", "marbles"),
        ("fresh", [0], "fresh"),
        ("fresh", [1, 1], "fresh"),
        ("fresh", [4], "fresh"),
        ("fresh", 1, "fresh"),
        ("first", 1, "first"),
        ("joker", "t72", "joker"),
        ("joker", "h1", "joker"),
        ("joker", "4h1", "joker"),
        ("joker", "r", "joker"),
        ("joker", 7, "joker"),
        ("penalties", [0, 0, 0], "penalties"),
        ("penalties", [0, 0, 0, -1], "penalties"),
        ("penalties", [0, 0, 0, True], "penalties"),
        ("thrown", [5], "thrown"),
        ("finished", ["0"], "finished"),
        ("given", ["9C"], "given"),
        ("full_ranking", "yes", "full_ranking"),
    ],
)
def test_impossible_positions_are_refused_with_the_key(path: str, value: Any, named: str) -> None:
    data = copy.deepcopy(GOOD)
    change(path, value)(data)
    assert named in refused(data)


def test_no_position_at_all_is_refused() -> None:
    for nothing in (None, [], 7, "position", {}):
        assert refused(nothing)
    with pytest.raises(UnknownRules):
        GAME.from_json({**GOOD, "rules": "belote/1"})


def test_a_joker_must_name_a_marble_that_is_there() -> None:
    assert "joker" in refused({**GOOD, "phase": "joker", "joker": "t5"})
    assert "joker" in refused({**GOOD, "phase": "joker", "joker": "0h1"})
    for place in ("t16", "0h4", "t18"):
        assert GAME.from_json({**GOOD, "phase": "joker", "joker": place}).joker >= 0


def test_a_seat_that_has_given_is_not_to_act_in_the_exchange() -> None:
    giving = json_at(phase="give", deal=0, first=True, turn=0, given=[None, "KH", None, None], hands="1: 9C")
    giving["stock"].remove("KH")
    assert lines(GAME.from_json(giving))
    assert "turn" in refused({**giving, "turn": 1})
    again = copy.deepcopy(giving)
    again["stock"].append("KH")
    assert "hands" in refused(again)


def test_a_missing_given_means_that_nobody_has_given() -> None:
    p = at(phase="give", deal=0, first=True, turn=0, hands="0: 9C 9D")
    assert lines(p) == ["give 9C", "give 9D"]
    assert p.to_json()["given"] == [None] * 4


def test_joker_and_given_without_a_use_are_accepted_and_dropped_by_the_next_play() -> None:
    p = at(marbles="0: t30", hands="0: 9C", joker="t30", given=[None, "AS", None, None])
    q = after(p, "9C t30-t39").to_json()
    assert "joker" not in q
    assert "given" not in q


def test_a_position_shows_what_it_holds_when_a_test_fails() -> None:
    assert "shawinigan/1" in repr(at(hands="0: 9C"))
    assert at(hands="0: 9C") != "a position"
    assert BadPosition("bad_position").sentence == ""
