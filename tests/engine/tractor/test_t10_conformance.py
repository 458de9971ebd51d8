"""The `tractor.*` requests (rulebook T10): every worked case, and an error for anything that is not a request."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.engine import conformance
from tests.every import every

from .asking import KINDS, SAMPLES, expected, of_sample

ROOT = Path(__file__).parents[3]


def level(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the same with unordered lists sorted: components, and the cards in them."""
    parts = answer.get("components")
    if parts is not None:
        answer = answer | {"components": sorted(sorted(part) for part in parts)}
    return answer | ({"must_lead": sorted(answer["must_lead"])} if "must_lead" in answer else {})


def test_every_case_of_the_samples_is_run() -> None:
    assert Counter(case["kind"] for case in SAMPLES) == {
        "order": 4, "is_tractor": 6, "legal_follow": 8, "trick_winner": 7, "throw_valid": 5, "score": 7, "declare": 4,
    }  # fmt: skip
    assert len({case["id"] for case in SAMPLES}) == 41
    assert set(KINDS) == {case["kind"] for case in SAMPLES}


@every("case", SAMPLES)
def test_the_case_is_answered_exactly(case: dict[str, Any]) -> None:
    assert level(conformance.answer(of_sample(case))) == level(expected(case))


def test_the_process_answers_them_all_and_goes_on_after_an_error() -> None:
    lines = [line for case in SAMPLES for line in ('{"op": "tractor.order"}', json.dumps(of_sample(case)))]
    done = subprocess.run(
        [sys.executable, "-S", "-m", "games.engine"],
        input="\n".join(lines), capture_output=True, text=True, cwd=ROOT, timeout=60, check=True,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(answer) for answer in answers[::2]] == [["error"]] * 41
    assert [level(answer) for answer in answers[1::2]] == [level(expected(case)) for case in SAMPLES]
    assert not done.stderr


HEARTS = {"rank": "2", "suit": "H"}
ORDER = {"op": "tractor.order", "trump": HEARTS, "a": "AS", "b": "KS"}
PARTS = {"op": "tractor.components", "trump": HEARTS, "cards": ["AS"]}
FOLLOW = {"op": "tractor.follow", "trump": HEARTS, "lead": ["9S"], "hand": ["KS"], "play": ["KS"]}
TRICK = {"op": "tractor.trick", "trump": HEARTS, "plays": [["9S"], ["KS"], ["3H"], ["AS"]]}
THROW = {"op": "tractor.throw", "trump": HEARTS, "lead": ["AS", "KS"], "others": [["3S"], ["10S"], ["9S"]]}
SCORE = next(of_sample(case) for case in SAMPLES if case["kind"] == "score")
FIRST = {
    "op": "tractor.declare", "round": "first", "trump_rank": "2", "starter": None,
    "events": [{"seat": 1, "cards": ["2H"]}],
}  # fmt: skip
LATER = next(of_sample(case) for case in SAMPLES if case["id"] == "dec-20")
WHOLE = [ORDER, PARTS, FOLLOW, TRICK, THROW, SCORE, FIRST, LATER]


@every(
    "request_, named",
    [
        (ORDER | {"a": "1S"}, "a: no card '1S'"),
        (ORDER | {"a": "JK"}, "a: no card 'JK'"),
        (ORDER | {"a": None}, "a: no card None"),
        (ORDER | {"trump": "2H"}, "trump: an object"),
        (ORDER | {"trump": {"rank": "2"}}, "trump: suit: missing"),
        (ORDER | {"trump": {"rank": "1", "suit": "H"}}, "trump: no rank '1'"),
        (ORDER | {"trump": {"rank": "2", "suit": "T"}}, "trump: no suit 'T'"),
        (ORDER | {"trump": {"rank": "2", "suit": ""}}, "trump: no suit ''"),
        (ORDER | {"trump": HEARTS | {"op": 1}}, "trump: 'op': no such key"),
        (ORDER | {"c": "AS"}, "'c': no such key"),
        (PARTS | {"cards": []}, "cards: at least one"),
        (PARTS | {"cards": ["AS"] * 3}, "cards: AS a third time"),
        (PARTS | {"cards": "AS"}, "cards: a list"),
        (FOLLOW | {"lead": []}, "lead: at least one"),
        (FOLLOW | {"lead": ["9S", "9D"]}, "lead: the cards of a lead are of one effective suit"),
        (FOLLOW | {"hand": ["KS"] * 3}, "hand: KS a third time"),
        (FOLLOW | {"play": ["KS", 3]}, "play: no card 3"),
        (TRICK | {"plays": [["9S"], ["KS"], ["3H"]]}, "plays: a list of 4"),
        (TRICK | {"plays": [["9S"], ["KS"], ["3H"], []]}, "plays: at least one"),
        (TRICK | {"plays": [["9S"], ["KS"], ["3H"], ["AS", "AS"]]}, "plays: every play has as many cards"),
        (TRICK | {"plays": [["9S", "9D"], *[["KS", "KS"]] * 3]}, "plays: the cards of a lead"),
        (THROW | {"lead": ["AS", "AH"]}, "lead: the cards of a lead"),
        (THROW | {"others": [["3S"], ["10S"]]}, "others: a list of 3"),
        (THROW | {"others": [["3S"] * 3, [], []]}, "others: 3S a third time"),
        (SCORE | {"attacker_points": 7}, "attacker_points: a multiple of 5"),
        (SCORE | {"attacker_points": True}, "attacker_points: a multiple of 5"),
        (SCORE | {"last_trick_winner": "attacker"}, "last_trick_winner: declarers or attackers"),
        (SCORE | {"last_trick_size": 0}, "last_trick_size: a whole number from 1 to 25"),
        (SCORE | {"talon_points": 85}, "talon_points: a multiple of 5 from 0 to 80"),
        (SCORE | {"ranks": {"declarers": "2"}}, "ranks: attackers: missing"),
        (SCORE | {"ranks": {"declarers": "2", "attackers": "won"}}, "ranks: no rank 'won'"),
        (SCORE | {"ranks": ["2", "2"]}, "ranks: an object"),
        (SCORE | {"starter": 4}, "starter: a whole number from 0 to 3"),
        (FIRST | {"round": "second"}, "round: first or later"),
        (FIRST | {"starter": 1}, "starter: null in round one"),
        (FIRST | {"events": [{"seat": 4, "cards": ["2H"]}]}, "events: seat: a whole number"),
        (FIRST | {"events": [{"seat": 1}]}, "events: cards: missing"),
        (FIRST | {"events": [["2H"]]}, "events: an object"),
        (FIRST | {"events": None}, "events: a list"),
        (FIRST | {"trump_rank": 2}, "trump_rank: no rank 2"),
        (LATER | {"starter": None}, "starter: a whole number"),
        (LATER | {"talon": LATER["talon"][:7]}, "talon: 8 cards"),
        (LATER | {"talon": ["AC"] * 8}, "talon: AC a third time"),
        ({key: value for key, value in LATER.items() if key != "talon"}, "talon: missing: nobody showed"),
        ({"op": "tractor.nothing"}, "op: one of new, legal"),
    ],
)  # fmt: skip
def test_a_wrong_request_is_answered_by_an_error_that_names_the_key(request_: Any, named: str) -> None:
    answer = conformance.answer(request_)
    assert list(answer) == ["error"]
    assert named in answer["error"]


@pytest.mark.parametrize("request_", WHOLE, ids=lambda request: request["op"])
def test_a_request_that_lacks_a_key_is_refused(request_: dict[str, Any]) -> None:
    assert "error" not in conformance.answer(request_)
    for key in request_.keys() - {"op"}:
        answer = conformance.answer({name: value for name, value in request_.items() if name != key})
        assert "missing" in answer["error"]
        assert key in answer["error"]


def test_a_card_of_the_lead_that_is_in_the_hand_too_often_changes_nothing() -> None:
    """Hands, leads and plays of one request are checked one by one."""
    assert conformance.answer(FOLLOW | {"lead": ["KS"], "hand": ["KS", "KS"]}) == {"legal": True, "reason": "OK"}


def test_the_requests_about_positions_are_answered_for_the_engines_own_positions_too() -> None:
    position = conformance.answer({"op": "new", "rules": "tractor/1", "seats": 4, "teams": 2, "dealer": 3})["position"]
    assert (position["phase"], position["drawer"]) == ("deck", 3)
    assert conformance.answer({"op": "legal", "position": position}) == {"plays": []}
    assert conformance.answer({"op": "result", "position": position}) == {"ranks": None}
    counted = conformance.answer({"op": "perft", "position": position, "depth": 1})
    assert counted["error"].startswith("not_counted: perft")
    for wrong in ({"seats": 6}, {"teams": 4}, {"full_ranking": True}):
        asked = {"op": "new", "rules": "tractor/1", "seats": 4, "teams": 2} | wrong
        assert conformance.answer(asked)["error"].startswith("no_such_table")
