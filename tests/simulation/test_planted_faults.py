"""Test that the simulation finds each planted fault."""

import re

import pytest

from .test_simulation import run

NAMES = (
    "acknowledged before commit",
    "hint believed",
    "Woogles: a bank that no row carries",
    "Woogles: a touch that no row carries",
    "seat told too late",
    "login told too late",
    "state told too late",
    "doubled after a kill",
    "neighbour sees a card",
    "definition shows a card",
)


@pytest.mark.slow
def test_each_planted_fault_is_found_within_200_games() -> None:
    searched = run("--faults")
    assert searched.returncode == 0, searched.stdout + searched.stderr
    found = dict(re.findall(r"^(.+?): found after (\d+) games", searched.stdout, re.MULTILINE))
    assert sorted(found) == sorted(NAMES)
    assert all(int(games) <= 200 for games in found.values())
