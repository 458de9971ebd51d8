"""Play some games of the simulation; CONTRIBUTING.md has the command for ten thousand."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import tally

ROOT = Path(__file__).resolve().parent.parent.parent
SEEDS = "23..34"  # twelve seeds, short and long games, in which everything happens that must happen
CROWDED = "10"  # a seed with two processes, network faults and kills


def run(*words: str, hash_seed: str = "0") -> "subprocess.CompletedProcess[str]":
    """Run the command in a separate process, because it replaces parts of the product's code."""
    return subprocess.run(
        [sys.executable, "-m", "tests.simulation", *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        timeout=280,
    )


@pytest.mark.slow
def test_twelve_games_under_faults_have_no_violation() -> None:
    played = run("--seeds", SEEDS)
    assert played.returncode == 0, played.stdout + played.stderr
    assert played.stdout.startswith("12 games")
    never = [name for name in tally.WANTED if f"{name} 0" in played.stdout.replace("\n", ";").split("; ")]
    assert not never, "what never happens is not tried"


@pytest.mark.slow
def test_a_seed_replays_byte_for_byte() -> None:
    first, second = (run("--seed", CROWDED, "--log", hash_seed=hash_seed) for hash_seed in ("1", "2"))
    assert first.returncode == 0, first.stdout[-3000:] + first.stderr
    assert " is dead" in first.stdout
    assert '"t":"ack"' in first.stdout
    assert first.stdout == second.stdout
