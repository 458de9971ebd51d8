"""No sequence of fifty legal steps ends in two findings for one act, a final word overturned by one person, or a sanctioned
player seated.

Everybody tries steps at random, through the public services; what is refused writes nothing, and the promises hold after
every step. `TOCK_SEQUENCES=200` in the environment runs two hundred sequences, the seeds 0 to 199; `117-199` runs those seeds.
"""

import os
import random
from collections import Counter
from unittest.mock import patch

import pytest

from tock_league.common import clock
from tock_league.common.transactions import rolled_back

from .sequences import Sequence50
from .stage import a_stage

pytestmark = [pytest.mark.django_db, *([pytest.mark.timeout(0)] if "TOCK_SEQUENCES" in os.environ else [])]
USUAL = [5, 7]  # seeds that get far
MOST_DRY = 0.05  # share of the sequences that may end before their fiftieth step, because nothing is left to do


def seeds(wanted: str) -> list[int]:
    """Return the seeds that `TOCK_SEQUENCES` asks for: a number of sequences, or the first and the last seed."""
    first, _, last = wanted.rpartition("-")
    return list(range(int(first), int(last) + 1)) if first else list(range(int(last)))


SEEDS = seeds(os.environ["TOCK_SEQUENCES"]) if "TOCK_SEQUENCES" in os.environ else USUAL
# Steps that some sequence must have made, and refusals (`step!code`) that some sequence must have met.
REACHED = {
    "countersign",
    "panel_rule",
    "review",
    "vote",
    "file_again!act_decided",
    "seat!suspended",
}


def test_no_sequence_of_fifty_steps_breaks_a_promise(hand) -> None:
    seen: Counter[str] = Counter()
    with patch("secrets.token_bytes", random.Random("deals").randbytes):  # the same cards, so the same sequences
        stage, start = a_stage(), clock.now()
        for seed in SEEDS:
            hand.set(start)
            with rolled_back():
                seen += Sequence50(stage, seed, hand).run()
    print(f"{len(SEEDS)} sequences, {seen['dry']} of them dry:", dict(sorted(seen.items())))
    assert seen["dry"] <= MOST_DRY * len(SEEDS)
    assert not (missing := REACHED - set(seen)), f"no sequence got as far as {sorted(missing)}"
