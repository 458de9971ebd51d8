"""A whole tournament of every format, written down: the same entries, results and seed must always give the same
rounds."""

import hashlib
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tock_league.competitions.core import registry
from tock_league.competitions.core.format import History, Over
from tock_league.competitions.core.lots import round_seed
from tock_league.competitions.core.scoring import MatchResult, SideResult

FOLDER = ROOT / "tests" / "golden" / "tournaments"
KEYS = sorted(registry.formats())
ENTRIES = 9
SETTINGS = {"knockout/1": {"third_place": True}, "round_robin/1": {"legs": 1}, "swiss/1": {"rounds": 5}}


def golden(key: str) -> Path:
    return FOLDER / f"{key.replace('/', '-')}.json"


def played(key: str) -> dict[str, object]:
    """Play a tournament of nine entries; the home side wins, except when the sum of the two and the round is divisible
    by three."""
    made = registry.format_of(key)
    history = History(
        tuple(range(1, ENTRIES + 1)),
        registry.options_of(key, SETTINGS.get(key, {})),
        names={entry: f"entry-{entry}" for entry in range(1, ENTRIES + 1)},
    )
    told = []
    while not isinstance(plan := made.next_round(history, round_seed("golden", 1, len(history.rounds) + 1)), Over):
        results = []
        for table, pairing in enumerate(plan.pairings, start=1):
            home, away = pairing.sides
            winner = away if (home + away + plan.number) % 3 == 0 else home
            sides = tuple(SideResult(entry, "win" if entry == winner else "loss") for entry in pairing.sides)
            results.append(MatchResult(table, plan.number, "played", sides))
        certificate = json.dumps(plan.certificate, sort_keys=True) if plan.certificate is not None else ""
        told.append(
            {
                "pairs": [list(pairing.sides) for pairing in plan.pairings],
                "rests": list(plan.rests),
                "byes": list(plan.byes),
                "certificate": hashlib.sha256(certificate.encode()).hexdigest() if certificate else "",
            }
        )
        history = replace(history, rounds=(*history.rounds, plan), results=(*history.results, *results))
    return {"format": key, "options": SETTINGS.get(key, {}), "entries": ENTRIES, "over": plan.reason, "rounds": told}


@pytest.mark.parametrize("key", KEYS)
def test_a_format_plays_its_golden_tournament(key: str) -> None:
    assert played(key) == json.loads(golden(key).read_text(encoding="utf-8"))


@pytest.mark.parametrize("key", KEYS)
def test_a_format_has_its_page(key: str) -> None:
    page = ROOT / "docs" / "formats" / f"{key.split('/')[0]}.md"
    assert f"(`{key}`)" in page.read_text(encoding="utf-8").splitlines()[0]


if (
    __name__ == "__main__"
):  # `python -m tests.competitions.core.test_golden_tournaments swiss/1` writes a new format's file
    for wanted in sys.argv[1:]:
        text = json.dumps(played(wanted), indent=1, sort_keys=True)
        golden(wanted).write_text(text + "\n", encoding="utf-8")
