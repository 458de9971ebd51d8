"""Each card has a random name, and no name is where it must not be; each planted leak is found.

`python -m tests.soak.canaries --games 1000` plays whole games.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LEAKS = 3  # one of them in six places


def test_a_game_with_named_cards_is_clean_and_each_leak_is_found() -> None:
    """In a process of its own, because the cards are named before the product is imported."""
    played = subprocess.run(
        [sys.executable, "-m", "tests.soak.canaries", "--leaks"],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert played.returncode == 0, played.stdout + played.stderr
    lines = played.stdout.splitlines()
    assert sum(line.startswith("nothing: as it must be, 0 hits") for line in lines) == 2
    assert len(lines) == 2 + LEAKS
    assert "WRONG" not in played.stdout
