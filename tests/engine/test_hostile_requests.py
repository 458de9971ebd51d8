"""Whatever a request contains, the answer is one line: an error that says what is wrong and where, or a usable
position.
"""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.engine import conformance
from games.engine.errors import EngineError
from games.engine.tock.game import GAME
from tests.engine.test_conformance import SAMPLES

ROOT = Path(__file__).parents[2]
POSITIONS = [sample["position"] for sample in SAMPLES if "position" in sample]
DEEP: Any = []
for _ in range(500):
    DEEP = [DEEP]
WRONG: list[Any] = [
    None, True, False, 0, 1, -1, 8, 10**30, 1.0, 1e999, "", "r", "t0", "x7", "h1", "0h1", "JK", "BJ", "\ud800",
    "\u0663h1", "t" * 5000, [], {}, [[]], [[]] * 8, [None] * 4, [True] * 4, [0] * 8, ["r"] * 4, [["r"] * 4] * 8,
    {"a": 1}, DEEP, [DEEP] * 4, [0, 1, 2, 3], [3, 3], [-1], [10**20] * 4, "tock/1", ["tock/1"],
]  # fmt: skip
CLOSE: list[Any] = [
    "r", "t7", "t8", "t16", "h1", "x25", "JK", "7C", "KS", "10H", "play", "joker", "forced", "blind", "give", "deck",
    "over", 0, 1, 2, 3, 4, 6, 8, True, [], [0], [2, 1], ["7C"], ["h1", "h2", "h3", "h4"], ["x7", "x7", "r", "t40"],
    [0, 1, 0, 0], "0h1", "t40",
]  # fmt: skip
OTHER_KEYS = ("joker", "thrown", "finished", "penalties", "full_ranking", "first", "given", "x", "op")


def copied(value: Any) -> Any:
    """Return a copy, made from its text: `copy.deepcopy` cannot copy DEEP."""
    return json.loads(json.dumps(value))


def spoilt(value: Any, roll: random.Random) -> Any:
    """Return a copy in which one to three values are changed, removed or duplicated."""
    whole = copied(value)
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
        if chance < 0.12:
            del at[key]
        elif chance < 0.2 and isinstance(at, dict):
            at[roll.choice(OTHER_KEYS)] = copied(roll.choice(CLOSE))
        elif chance < 0.25 and isinstance(at, list):
            at.append(copied(at[key]))
        else:
            at[key] = copied(roll.choice(CLOSE if roll.random() < 0.6 else WRONG))
    return whole


def requests(seed: int, many: int) -> list[dict[str, Any]]:
    roll = random.Random(seed)
    made = []
    for _ in range(many):
        sample = roll.choice([sample for sample in SAMPLES if "position" in sample])
        request: dict[str, Any] = {"op": roll.choice(("legal", "apply", "apply", "result", "perft"))}
        if request["op"] == "apply":
            request["play"] = roll.choice(sample.get("plays") or ["burn 9C"])
        elif request["op"] == "perft":
            request["depth"] = 1
        if roll.random() < 0.9:
            made.append(request | {"position": spoilt(sample["position"], roll)})
        else:
            made.append(spoilt(request, roll) | {"position": sample["position"]})
    return made


@pytest.mark.parametrize("seed", range(5))
def test_a_corrupted_request_is_answered_by_a_short_error_or_a_usable_position(seed: int) -> None:
    answered = {"error": 0, "other": 0}
    for request in requests(seed, 300):
        line = conformance.answer_line(json.dumps(request))
        answer = json.loads(line)
        assert len(answer) == 1
        if "error" in answer:
            answered["error"] += 1
            code, _, sentence = answer["error"].partition(": ")
            assert code.isidentifier()
            assert sentence
            assert len(line) < 300
        else:
            answered["other"] += 1
            if "position" in answer:
                again = {"op": "perft", "position": answer["position"], "depth": 1}
                assert list(conformance.answer(again)) == ["nodes"]
    # Both must happen, or the test proves nothing.
    assert answered["error"] > 200
    assert answered["other"] >= 3


def test_a_refused_play_changes_nothing() -> None:
    for sample in SAMPLES:
        if sample["kind"] != "case":
            continue
        p = GAME.from_json(sample["position"])
        before = GAME.to_json(p)
        for line in (*sample["refused"], "deck 9C", "7C t1-t2 t3-t4", "KD x7-t25", "nonsense"):
            with pytest.raises(EngineError):
                GAME.apply(p, GAME.parse_play(p, line))
        assert GAME.to_json(p) == before


def test_the_process_outlives_them_all_and_writes_no_trace() -> None:
    asked = [json.dumps(request) for request in requests(99, 200)]
    done = subprocess.run(
        [sys.executable, "-S", "-m", "games.engine"],
        input="\n".join([*asked, "[" * 100_000, json.dumps({"op": "legal", "position": POSITIONS[0]})]),
        capture_output=True, text=True, cwd=ROOT, timeout=60, check=True,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == 202
    assert "plays" in answers[-1]
    assert not done.stderr
