"""Rulebook section 12 and the last paragraph of section 14, at the tables that shawinigan/1 does not have."""

import copy
from typing import Any

import pytest

from games.engine import registry
from games.engine.cards import TEXTS
from games.engine.errors import BadPosition, EngineError
from games.engine.tock.game import GAME
from games.engine.tock.rules import TockRules
from tests.every import every

# Eight seats in two teams: a centre with three marbles, two of them from one case 7; two packs, so every card twice.
EIGHT: dict[str, Any] = {
    "rules": "tock/1", "seats": 8, "teams": 2, "dealer": 7, "deal": 2, "turn": 0, "phase": "play",
    "hands": [["9C", "9C"], ["JK", "JK"], ["JK", "JK"], ["2C"], ["2D"], ["2H"], ["2S"], []], "stock": [],
    "marbles": [["r", "t0", "x7", "x7"], ["r", "r", "r", "x133"], *[["r"] * 4] * 6], "fresh": [0],
}  # fmt: skip
# Individual play at four seats with full ranking: seat 2 has finished, three hands are needed for deal 2.
FULL: dict[str, Any] = {
    "rules": "toc/1", "seats": 4, "teams": 4, "dealer": 2, "deal": 1, "turn": 3, "phase": "play",
    "hands": [["2C"], ["3C"], [], ["9C"]],
    "stock": ["4C", "5C", "6C", "8C", "4D", "5D", "6D", "8D", "4H", "5H", "6H", "8H"],
    "marbles": [["r"] * 4, ["r"] * 4, ["h1", "h2", "h3", "h4"], ["r", "r", "r", "t60"]], "fresh": [],
    "finished": [2], "full_ranking": True,
}  # fmt: skip
AIR: dict[str, Any] = {
    "rules": "tock-air/1", "seats": 4, "teams": 2, "dealer": 3, "deal": 2, "turn": 0, "phase": "play",
    "hands": [["2C", "JC"], ["3C"], [], ["9C"]], "stock": [], "marbles": [["r"] * 4] * 4, "fresh": [], "thrown": [2],
}  # fmt: skip


def with_(data: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(data), **changes}


def marbles(*first: str) -> list[list[str]]:
    """Return EIGHT's marbles with other places for seat 0."""
    return [list(first), *EIGHT["marbles"][1:]]


@pytest.mark.parametrize("data", [EIGHT, FULL, AIR], ids=["eight", "full", "air"])
def test_a_position_is_written_as_it_was_read(data: dict[str, Any]) -> None:
    assert GAME.to_json(GAME.from_json(data)) == data


@every(
    "data, named",
    [
        (with_(EIGHT, marbles=marbles("x7", "x8", "r", "r")), "marbles: seat 0 has no place 'x8'"),
        (with_(EIGHT, marbles=marbles("x0", "r", "r", "r")), "marbles"),
        (with_(EIGHT, marbles=marbles("x151", "r", "r", "r")), "marbles"),
        (with_(EIGHT, marbles=marbles("x07", "t0", "r", "r")), "marbles"),
        (with_(EIGHT, marbles=marbles("t144", "t0", "r", "r")), "marbles"),
        (with_(EIGHT, marbles=marbles("x7", "x7", "x7", "x7"), fresh=[0]), "fresh"),
        (with_(EIGHT, marbles=EIGHT["marbles"][:6]), "marbles: a list of 8"),
        (with_(EIGHT, hands=[["9C", "9C"], ["9C"], *EIGHT["hands"][2:]]), "hands, stock: 1 9C more"),
        (with_(EIGHT, hands=[["JK"], *EIGHT["hands"][1:]]), "hands, stock: 1 JK more"),
        (with_(EIGHT, turn=7), "turn"),
        (with_(EIGHT, turn=8), "turn"),
        (with_(EIGHT, dealer=8), "dealer"),
        (with_(EIGHT, teams=3), "teams"),
        (with_(EIGHT, teams=6), "teams"),
        (with_(EIGHT, seats=6, dealer=0), "hands: a list of 6"),
        (with_(EIGHT, seats=5), "seats"),
        (with_(EIGHT, seats=10), "seats"),
        (with_(EIGHT, rules="toc/1"), "seats"),
        (with_(EIGHT, deal=1), "stock: 32 cards"),
        (with_(EIGHT, phase="joker", joker="x7"), "joker"),
        (with_(EIGHT, phase="joker"), "phase: joker"),
        (with_(EIGHT, phase="deck", deal=1, hands=[[]] * 8), "deal"),
        (with_(EIGHT, finished=[1]), "finished"),
        (with_(EIGHT, penalties=[0] * 4), "penalties"),
        (with_(EIGHT, penalties=[1.0] + [0] * 7), "penalties"),
        (with_(EIGHT, thrown=[8]), "thrown"),
        (with_(FULL, finished=[2, 2]), "finished"),
        (with_(FULL, finished=[2, 1]), "finished: the marbles of seat 1"),
        (with_(FULL, finished=[4]), "finished"),
        (with_(FULL, hands=[["2C"], ["3C"], ["2D"], ["9C"]]), "finished: seat 2 holds cards"),
        (with_(FULL, stock=FULL["stock"][1:]), "stock: 12 cards"),
        (with_(FULL, finished=[]), "stock: 16 cards"),
        (with_(FULL, teams=2), "finished"),
        (with_(FULL, full_ranking=1), "full_ranking"),
        (with_(FULL, hands=[["JK"], ["3C"], [], ["9C"]]), "hands, stock: 1 JK more"),
        (with_(AIR, marbles=[["x7", "r", "r", "r"], *[["r"] * 4] * 3]), "marbles"),
        (with_(AIR, teams=4), "teams"),
        (with_(AIR, hands=[["2C", "2C"], ["3C"], [], ["9C"]]), "hands, stock: 1 2C more"),
        (with_(AIR, phase="blind"), "phase: blind"),
    ],
)
def test_impossible_positions_are_refused_with_the_key(data: dict[str, Any], named: str) -> None:
    with pytest.raises(EngineError) as refusal:
        GAME.from_json(data)
    assert named in str(refusal.value)


def test_positions_that_the_rulebook_accepts_are_accepted() -> None:
    for data in (
        with_(EIGHT, joker="t0"),
        with_(EIGHT, given=[None, "AS", *[None] * 6]),
        with_(EIGHT, thrown=[3, 1]),
        with_(EIGHT, full_ranking=True),
        with_(FULL, finished=[2], stock=[*FULL["stock"], "AS"]),
        with_(AIR, first=True),
    ):
        assert GAME.legal_plays(GAME.from_json(data))


def test_a_new_game_refuses_a_dealer_who_does_not_sit_there() -> None:
    with pytest.raises(BadPosition, match="dealer"):
        GAME.new(registry.rules("tock/1"), seats=6, teams=3, dealer=6)


def test_every_table_starts_with_its_own_deck_and_the_exchange_still_to_come() -> None:
    for rule_set, rules in ((name, registry.rules(name)) for name in registry.ids()):
        if not isinstance(rules, TockRules):
            continue
        for seats, numbers in rules.teams.items():
            for teams in numbers:
                data = GAME.to_json(GAME.new(rules, seats=seats, teams=teams, dealer=seats - 1))
                assert data["turn"] == 0
                assert data["phase"] == "deck"
                assert data.get("first", False) is (teams < seats), rule_set
                deck = [TEXTS[card] for card in rules.deck(seats)]
                p = GAME.from_json(data)
                after = GAME.apply(p, GAME.parse_play(p, " ".join(["deck", *deck])))
                assert [len(hand) for hand in after.hands] == [5] * seats
                assert after.phase == ("give" if teams < seats else "play")
                for wrong in (deck[1:], [*deck[1:], deck[1]], [*deck, "AS"]):
                    with pytest.raises(EngineError, match="wrong_deck"):
                        GAME.apply(p, GAME.parse_play(p, " ".join(["deck", *wrong])))
