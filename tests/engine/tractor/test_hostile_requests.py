"""Whatever a request about a Tractor position contains, the answer is one line: an error that says what is wrong and
where, or a usable position.
"""

import json
import random
from typing import Any

import pytest

from games.engine import conformance
from games.engine.tractor.game import GAME

from .asking import SAMPLES, of_sample
from .test_position import ALL

POSITIONS = [GAME.to_json(p) for p in ALL]
DEEP: Any = []
for _ in range(500):
    DEEP = [DEEP]
WRONG: list[Any] = [
    None, True, False, 0, 1, -1, 8, 10**30, 1.0, 1e999, "", "r", "AS", "JK", "\ud800", "t" * 5000, [], {}, [[]], [[]] * 4,
    [None] * 4, ["AS"] * 3, [["AS"]] * 4, {"seat": 0, "cards": ["AS"]}, DEEP, [DEEP] * 4, [3, 3], [-1, 1], [10**20] * 2,
    "tractor/1", "shawinigan/1", {"rank": "2", "suit": None}, {"rank": "2", "suit": {}}, {"rank": []}, ["won", "won"],
]  # fmt: skip
CLOSE: list[Any] = [
    "deck", "draw", "show", "bury", "play", "over", "2", "A", "H", "won", "AS", "3S", "2H", "RJ", 0, 1, 2, 3, 5, 10, 80, 200,
    [0, 0], [5, 10], [0], [1, 2], ["2", "2"], ["A", "won"], ["AS"], ["3S", "4S"], [], {"rank": "2"},
    {"rank": "2", "suit": "H"}, {"seat": 0, "cards": ["2H"]}, {"seat": 1, "cards": ["RJ", "RJ"]},
]  # fmt: skip
KEYS = ("rounds", "show", "passed", "trump", "turned", "failed", "last", "points", "previous", "starter", "x", "op")
PLAYS = ("draw 4", "pass 1", "show 0: 2H", "play AS", "play 3S", "play KS", "play AS KS", "bury 3C", "deck AS", "")


def spoilt(value: Any, roll: random.Random) -> Any:
    """Return a copy in which one to three values are changed, removed or duplicated."""
    whole = json.loads(json.dumps(value))
    for _ in range(roll.choice((1, 1, 1, 2, 3))):
        at, steps = whole, 0
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            key = roll.choice(keys) if keys else None
            if key is None or not isinstance(at[key], dict | list) or not at[key] or (steps and roll.random() < 0.3):
                break
            at, steps = at[key], steps + 1
        if key is None:
            continue
        chance = roll.random()
        other = json.loads(json.dumps(roll.choice(CLOSE if roll.random() < 0.6 else WRONG)))
        if chance < 0.15:
            del at[key]
        elif chance < 0.25 and isinstance(at, dict):
            at[roll.choice(KEYS)] = other
        elif chance < 0.35 and isinstance(at, list):
            roll.shuffle(at)
        else:
            at[key] = other
    return whole


@pytest.mark.parametrize("seed", range(6))
def test_a_corrupted_position_is_answered_by_a_short_error_or_a_usable_position(seed: int) -> None:
    roll, answered = random.Random(seed), {"error": 0, "other": 0}
    for _ in range(400):
        request = {"op": roll.choice(("legal", "apply", "result")), "position": spoilt(roll.choice(POSITIONS), roll)}
        if request["op"] == "apply":
            request["play"] = roll.choice(PLAYS)
        line = conformance.answer_line(json.dumps(request))
        answer = json.loads(line)
        assert len(answer) == 1
        if "error" not in answer:
            answered["other"] += 1
            if "position" in answer:
                assert "error" not in conformance.answer({"op": "legal", "position": answer["position"]})
            continue
        answered["error"] += 1
        code, _, sentence = answer["error"].partition(": ")
        assert code.isidentifier()
        assert sentence
        assert len(line) < 300
    assert answered["error"] > 200
    assert answered["other"] >= 3


@pytest.mark.parametrize("seed", range(6))
def test_a_corrupted_tractor_request_is_answered_by_a_short_error_or_a_result(seed: int) -> None:
    roll, errors = random.Random(seed), 0
    for _ in range(400):
        request = of_sample(roll.choice(SAMPLES))
        spoilt_one = spoilt({key: value for key, value in request.items() if key != "op"}, roll)
        if not isinstance(spoilt_one, dict):
            continue
        line = conformance.answer_line(json.dumps({**spoilt_one, "op": request["op"]}))
        answer = json.loads(line)
        errors += list(answer) == ["error"]
        assert len(line) < 300 or "components" in answer
    assert 150 < errors < 400
