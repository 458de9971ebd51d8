"""No sequence of fifty legal steps ends in two findings for one act, a final word overturned by one person, or a sanctioned
player seated.

Everybody tries steps at random, through the public services; what is refused writes nothing, and the promises hold after
every step. `TOCK_SEQUENCES=200` in the environment runs two hundred sequences.
"""

import os
from collections import Counter

import pytest

from tock_league.common import clock
from tock_league.common.transactions import rolled_back

from .sequences import Sequence50
from .stage import a_stage

pytestmark = pytest.mark.django_db
SEQUENCES = int(os.environ.get("TOCK_SEQUENCES", "3"))


def test_no_sequence_of_fifty_steps_breaks_a_promise(hand) -> None:
    stage, start = a_stage(), clock.now()
    seen: Counter[str] = Counter()
    for seed in range(SEQUENCES):
        hand.set(start)
        with rolled_back():
            seen += Sequence50(stage, seed, hand).run()
    print(dict(sorted(seen.items())))
