"""A rule set is one piece of data: other sheets of the family, held here and not offered, answer their samples."""

import json

import pytest

from games.engine import conformance, registry
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from games.engine.tock.rules import Back, Every, Forward, Out, Split, Swap, TockRules, pips
from tests.engine.test_conformance import SAMPLES, level

_COMMON = pips(2, 3, 5, 6, 8, 9) | {
    "4": (Back(4),),
    "7": (Split(7, legs=4, eats_passed=True),),
    "10": (Forward(10, next_burns=True),),
    "J": (Swap(own=True),),
    "Q": (Forward(12),),
    "K": (Out(), Forward(13)),
}
SHEETS = {
    rules.id: rules
    for rules in (
        TockRules(
            id="toc/1", teams={4: (2, 4)}, packs=1, jokers=0, hands=(5, 4, 4), dealer_moves=Every.DEAL,
            exchange=Every.DEAL, cards=_COMMON | {"A": (Out(), Forward(1), Forward(11))},
        ),
        TockRules(
            id="tock/1", teams={4: (2, 4)}, packs=1, jokers=0, hands=(5, 4, 4), dealer_moves=Every.DEAL,
            exchange=Every.DEAL, cards=_COMMON | {"A": (Out(), Forward(1))},
        ),
    )
}  # fmt: skip
# The six- and eight-seat tables of tock/1 want two more powers: a five over fresh marbles, a king through the centre.
OTHERS = [s for s in SAMPLES if "position" in s and s["position"]["rules"] in SHEETS and s["position"]["seats"] == 4]


@pytest.fixture(autouse=True)
def _offered(monkeypatch: pytest.MonkeyPatch) -> None:
    found = dict(registry.entries()) | {key: registry.Entry(rules, GAME) for key, rules in SHEETS.items()}
    monkeypatch.setattr(registry, "entries", lambda: found)


def test_two_sheets_have_their_samples_here() -> None:
    assert len(OTHERS) == 34


@pytest.mark.parametrize("sample", OTHERS, ids=lambda s: f"{s['id']} {s['config']}")
def test_the_samples_of_another_sheet_are_answered_from_its_data_alone(sample) -> None:  # type: ignore[no-untyped-def]
    position = sample["position"]
    if sample["kind"] == "perft":
        asked = {"op": "perft", "position": position, "depth": sample["depth"]}
        assert conformance.answer(asked) == {"nodes": sample["nodes"]}
        return
    assert conformance.answer({"op": "legal", "position": position}) == {"plays": sample["plays"]}
    for applied in sample["applied"]:
        reached = conformance.answer({"op": "apply", "position": position, "play": applied["play"]})
        assert level(reached["position"]) == level(applied["position"])
    for play in sample["refused"]:
        assert "error" in conformance.answer({"op": "apply", "position": position, "play": play}), play
    if "ranks" in sample:
        asked = {"op": "result", "position": position}
        assert json.loads(json.dumps(conformance.answer(asked))) == {"ranks": sample["ranks"]}


def test_a_ranking_in_full_goes_on_until_one_seat_is_left() -> None:
    p = GAME.from_json(
        {
            "rules": "toc/1", "seats": 4, "teams": 4, "dealer": 0, "deal": 2, "turn": 1, "phase": "play",
            "hands": [["2C"], ["AS", "KS"], ["2D"], ["2H"]], "stock": [], "fresh": [], "full_ranking": True,
            "marbles": [["r"] * 4, ["h2", "h3", "h4", "t16"], ["r", "r", "r", "t40"], ["r"] * 4],
        }
    )  # fmt: skip
    q: Position = GAME.apply(p, GAME.parse_play(p, "AS t16-h1"))
    assert (q.finished, q.hands[1], q.turn, q.phase) == ((1,), [], 2, "play")
    assert GAME.outcome(q) is None


def test_without_a_full_ranking_the_first_seat_home_ends_an_individual_game() -> None:
    data = {
        "rules": "toc/1", "seats": 4, "teams": 4, "dealer": 0, "deal": 2, "turn": 1, "phase": "play",
        "hands": [["2C"], ["AS", "KS"], ["2D"], ["2H"]], "stock": [], "fresh": [],
        "marbles": [["h4", "r", "r", "r"], ["h2", "h3", "h4", "t16"], ["r", "r", "r", "t40"], ["r"] * 4],
    }  # fmt: skip
    p = GAME.from_json(data)
    q = GAME.apply(p, GAME.parse_play(p, "AS t16-h1"))
    outcome = GAME.outcome(q)
    assert outcome is not None
    assert (q.phase, outcome.ranks) == ("over", (1, 0, 2, 2))
