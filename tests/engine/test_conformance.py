"""The conformance interface (rulebook section 13), its samples, and `python -m games.engine` as a process without Django."""

import copy
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.engine import conformance
from tests.boards import json_at
from tests.every import every

ROOT = Path(__file__).parents[2]
SAMPLES = [json.loads(line) for line in (ROOT / "tests/golden/tock_samples.jsonl").read_text().splitlines()]


def rule_set(sample: dict[str, Any]) -> str:
    return sample["position"]["rules"] if "position" in sample else "any"


CASES = [sample for sample in SAMPLES if sample["kind"] == "case"]
COUNTS = [sample for sample in SAMPLES if sample["kind"] == "perft"]
REQUESTS = [sample for sample in SAMPLES if sample["kind"] == "request"]


def level(position: dict[str, Any]) -> dict[str, Any]:
    """Return the position with unordered lists sorted: hands, marbles, fresh, thrown."""
    data = copy.deepcopy(position)
    data["hands"] = [sorted(hand) for hand in data["hands"]]
    data["marbles"] = [sorted(places) for places in data["marbles"]]
    return {key: sorted(value) if key in ("fresh", "thrown") else value for key, value in data.items()}


def ask(**request: Any) -> dict[str, Any]:
    return json.loads(conformance.answer_line(json.dumps(request)))


def test_every_sample_is_run() -> None:
    assert Counter(sample["kind"] for sample in SAMPLES) == {"case": 105, "perft": 15, "request": 10}
    assert Counter(rule_set(sample) for sample in SAMPLES) == {
        "shawinigan/1": 31, "tock-air/1": 8, "toc/1": 17, "tock/1": 64, "any": 10,
    }  # fmt: skip
    assert len(CASES) + len(COUNTS) + len(REQUESTS) == 130


@every("sample", CASES)
def test_cases_list_apply_refuse_and_rank_as_the_samples_say(sample: dict[str, Any]) -> None:
    position = sample["position"]
    assert ask(op="legal", position=position) == {"plays": sample["plays"]}
    for applied in sample["applied"]:
        reached = ask(op="apply", position=position, play=applied["play"])["position"]
        assert level(reached) == level(applied["position"])
    for play in sample["refused"]:
        assert "error" in ask(op="apply", position=position, play=play), play
    if "ranks" in sample:
        assert ask(op="result", position=position) == {"ranks": sample["ranks"]}


@pytest.mark.parametrize("sample", COUNTS, ids=lambda s: f"{s['id']}-{s['config']}")
def test_counts_are_those_of_the_samples(sample: dict[str, Any]) -> None:
    assert ask(op="perft", position=sample["position"], depth=sample["depth"]) == {"nodes": sample["nodes"]}


@pytest.mark.parametrize("sample", REQUESTS, ids=lambda s: s["why"])
def test_wrong_requests_of_the_samples_are_answered_by_an_error(sample: dict[str, Any]) -> None:
    line = sample.get("line") or json.dumps(sample["request"])
    answer = json.loads(conformance.answer_line(line))
    assert list(answer) == ["error"]
    assert isinstance(answer["error"], str)


def test_a_new_game_waits_for_a_deck_with_the_seat_at_the_dealers_left_first() -> None:
    position = ask(op="new", rules="shawinigan/1", seats=4, teams=2, dealer=2)["position"]
    assert position == {
        "rules": "shawinigan/1", "seats": 4, "teams": 2, "dealer": 2, "deal": 0, "turn": 3, "phase": "deck",
        "hands": [[], [], [], []], "stock": [], "marbles": [["r"] * 4] * 4, "fresh": [], "first": True,
    }  # fmt: skip
    assert ask(op="new", rules="shawinigan/1", seats=4, teams=2)["position"]["dealer"] == 0
    assert ask(op="new", rules="shawinigan/1", seats=4, teams=2, full_ranking=True)["position"]["full_ranking"] is True
    assert ask(op="legal", position=position) == {"plays": []}
    assert ask(op="result", position=position) == {"ranks": None}
    assert ask(op="perft", position=position, depth=5) == {"nodes": 1}


@every(
    "request_",
    [
        {"op": "new", "rules": "shawinigan/2", "seats": 4, "teams": 2},
        {"op": "new", "rules": ["shawinigan/1"], "seats": 4, "teams": 2},
        {"op": "new", "rules": "shawinigan/1", "seats": 6, "teams": 2},
        {"op": "new", "rules": "shawinigan/1", "seats": 4, "teams": 4},
        {"op": "new", "rules": "shawinigan/1", "seats": True, "teams": 2},
        {"op": "new", "rules": "shawinigan/1", "seats": 4, "teams": 2, "dealer": 4},
        {"op": "new", "rules": "shawinigan/1", "seats": 4, "teams": 2, "dealer": "0"},
        {"op": "new", "rules": "shawinigan/1", "seats": 4, "teams": 2, "full_ranking": 1},
        {"op": "new", "rules": "shawinigan/1", "seats": 4, "teams": 2, "colour": "red"},
        {"op": "new", "seats": 4, "teams": 2},
        {"op": "old"},
        {"op": ["new"]},
        {},
        [],
        None,
        {"op": "legal"},
        {"op": "legal", "position": 7},
        {"op": "legal", "position": {"rules": "shawinigan/1"}},
        {"op": "apply", "position": json_at(hands="0: 9C", marbles="0: t0")},
        {"op": "apply", "position": json_at(hands="0: 9C", marbles="0: t0"), "play": 9},
        {"op": "perft", "position": json_at(), "depth": 11},
        {"op": "perft", "position": json_at(), "depth": -1},
        {"op": "perft", "position": json_at(), "depth": "2"},
        {"op": "perft", "position": json_at()},
    ],
)
def test_any_other_wrong_request_is_answered_by_an_error_too(request_: Any) -> None:
    assert list(json.loads(conformance.answer_line(json.dumps(request_)))) == ["error"]


@pytest.mark.parametrize("line", ["{", "nonsense", '"op"', "[" * 100_000, '{"op": "legal", "position": NaN}', "\ufffd"])
def test_a_line_that_is_no_request_is_answered_by_an_error(line: str) -> None:
    assert list(json.loads(conformance.answer_line(line))) == ["error"]


def test_depth_zero_counts_one_and_perft_counts_ends_once() -> None:
    assert ask(op="perft", position=json_at(), depth=0) == {"nodes": 1}
    over = json_at(phase="over", hands="0: 9C", marbles="0: h1 h2 h3 h4 / 2: h1 h2 h3 h4")
    assert ask(op="perft", position=over, depth=4) == {"nodes": 1}


def test_the_process_answers_line_by_line_without_site_packages_and_goes_on_after_an_error() -> None:
    asked = [
        json.dumps({"op": "new", "rules": "shawinigan/1", "seats": 4, "teams": 2, "dealer": 0}).encode(),
        b"no json",
        b"",
        b"\xff\xfe",
        *(json.dumps({"op": "legal", "position": sample["position"]}).encode() for sample in CASES),
    ]
    done = subprocess.run(
        [sys.executable, "-S", "-m", "games.engine"],
        input=b"\n".join(asked) + b"\n",
        capture_output=True,
        cwd=ROOT,
        check=True,
        timeout=60,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(answer) for answer in answers[:3]] == [["position"], ["error"], ["error"]]
    assert [answer["plays"] for answer in answers[3:]] == [sample["plays"] for sample in CASES]
    assert not done.stderr
