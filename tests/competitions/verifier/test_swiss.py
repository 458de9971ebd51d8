"""The verifier accepts the Swiss rounds of the core, and rejects forged ones."""

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tests.every import every
from tock_league.competitions.verifier import swiss

from .events import Event, faults, play

Certificate = dict[str, Any]


@cache
def played(number: int) -> Event:
    return play(number)


@every("number", range(1, 61))
def test_every_round_of_a_random_event_is_accepted(number: int) -> None:
    event = played(number)
    assert event.steps
    assert list(faults(event)) == []


def test_the_random_events_contain_every_case() -> None:
    """Withdrawals, late entries, forfeits, void matches, byes and accepted rematches all occur in the default run."""
    events = [played(number) for number in range(1, 61)]
    facts = {result.fact for event in events for result in event.steps[-1][0].results}
    assert {"played", "no_show", "double_forfeit", "requested_bye"} <= facts
    assert any(event.steps[-1][0].void for event in events)
    assert any(made.byes for event in events for _history, made in event.steps)
    assert any(event.relaxed for event in events)
    assert any(len(event.steps[0][0].entries) < len(event.steps[-1][0].entries) for event in events), "nobody came late"
    assert any(made.absent for event in events for _history, made in event.steps), "nobody stayed away"


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    """The certificate of a round of an odd field in the middle of an event."""
    for number in range(1, 200):
        for _history, made in played(number).steps[2:]:
            if made.byes and len(made.pairings) >= 7:
                assert swiss.check(made.certificate) == ()
                return dict(made.certificate)
    raise AssertionError("no event with an odd field")


def swap(told: Certificate) -> None:
    """Pair the first table's home side with the last table's away side, and the other way round."""
    first, last = told["pairs"][0], told["pairs"][-1]
    first["away"], last["away"] = last["away"], first["away"]


def swap_and_pay(told: Certificate) -> None:
    """Give the first home side that has one its best alternative, with the correct costs: the certificate is true
    except that the round is not optimal."""
    field, order = swiss.Field(told["inputs"]), told["order"]
    for pair in told["pairs"]:
        for other in pair["alternatives"]:
            against = next((row for row in told["pairs"] if other["against"] in (row["home"], row["away"])), None)
            if other["entry"] == pair["home"] and against is not None:
                mine = "away" if against["home"] == other["against"] else "home"
                place = "home" if mine == "away" else "away"
                pair["away"], against[place] = against[place], pair["away"]
                for row in (pair, against):
                    sides = row["home"], row["away"]
                    row["paid"] = [field.cost(*sides)[criterion] for criterion in order]
                    row["scores"] = [field.score[entry] for entry in sides]
                    row["ranks"] = [field.ranked.index(entry) + 1 for entry in sides]
                    row["alternatives"] = []
                rows = [*told["pairs"], *told["byes"]]
                told["cost"] = [sum(column) for column in zip(*(row["paid"] for row in rows), strict=True)]
                return
    raise AssertionError("no alternative to take")


def drop_bye(told: Certificate) -> None:
    told["byes"] = []


def second_bye(told: Certificate) -> None:
    """State in the inputs that the entry with the bye had one before, and update their hash."""
    told["inputs"]["rounds"][0]["byes"] = [told["byes"][0]["entry"]]
    told["inputs_hash"] = swiss._digest(told["inputs"])


def cheaper(told: Certificate) -> None:
    told["pairs"][0]["paid"][-1] -= 1


def cheaper_sum(told: Certificate) -> None:
    told["cost"][-2] += 1


def other_hash(told: Certificate) -> None:
    told["inputs_hash"] = told["inputs_hash"][::-1]


def other_inputs(told: Certificate) -> None:
    told["inputs"]["results"][0][2][0][1] = 2 - told["inputs"]["results"][0][2][0][1]


def lighter(told: Certificate) -> None:
    told["weights"][1] = "1"


def turned(told: Certificate) -> None:
    pair = told["pairs"][1]
    pair["home"], pair["away"] = pair["away"], pair["home"]
    pair["scores"].reverse()
    pair["ranks"].reverse()


def dearer_alternative(told: Certificate) -> None:
    told["pairs"][0]["alternatives"][0]["costs"][-1] += 1


def rematch(told: Certificate) -> None:
    """State in the inputs that the first table met in the first round, and update their hash."""
    first = told["pairs"][0]
    told["inputs"]["rounds"][0]["pairs"].append([first["home"], first["away"]])
    told["inputs_hash"] = swiss._digest(told["inputs"])


def garbled(told: Certificate) -> None:
    told["pairs"][0]["paid"] = None


@pytest.mark.parametrize(
    ("forge", "code"),
    [
        (swap, "paid"),
        (swap_and_pay, "not_best"),
        (drop_bye, "partition"),
        (second_bye, "bye_twice"),
        (cheaper, "paid"),
        (cheaper_sum, "cost"),
        (other_hash, "inputs_hash"),
        (other_inputs, "inputs_hash"),
        (lighter, "weights"),
        (turned, "home"),
        (dearer_alternative, "alternative"),
        (rematch, "illegal"),
        (garbled, "malformed"),
    ],
)
def test_a_forged_round_is_rejected(certificate: Certificate, forge: Callable[[Certificate], None], code: str) -> None:
    told = copy.deepcopy(certificate)
    forge(told)
    assert code in {fault.code for fault in swiss.check(told)}


def test_a_round_published_otherwise_than_certified_is_rejected(certificate: Certificate) -> None:
    pairs = [(pair["home"], pair["away"]) for pair in certificate["pairs"]]
    byes = [bye["entry"] for bye in certificate["byes"]]
    assert swiss.check(certificate, pairs=pairs, byes=byes, inputs=certificate["inputs"]) == ()
    assert {fault.code for fault in swiss.check(certificate, pairs=pairs[1:], byes=byes)} == {"published"}
    assert {fault.code for fault in swiss.check(certificate, pairs=pairs, byes=[])} == {"published"}
    other = copy.deepcopy(certificate["inputs"])
    other["present"] = other["present"][1:]
    assert {fault.code for fault in swiss.check(certificate, pairs=pairs, byes=byes, inputs=other)} == {"inputs"}
