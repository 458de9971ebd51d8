"""Pairs of games that a viewer cannot tell apart give the same bytes; each leak made on purpose is found.

`python -m tests.soak.noninterference --pairs 10000` compares more.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from . import leaks, pairs, stage

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def on_stage() -> Iterator[stage.Stage]:
    """Give the stage with its people."""
    with stage.ready(TOCK_DRAW_MS=600) as found:
        yield found


def test_no_byte_depends_on_what_the_viewer_may_not_know(on_stage: stage.Stage) -> None:
    covered: Counter[str] = Counter()
    for seed, kind in enumerate((leaks.TOCK, leaks.TRACTOR, pairs.Kind("tock/1", 6, 3)), 1):
        outcome = pairs.compare(on_stage, seed, pairs=3, kind=kind)
        assert outcome.faults == []
        assert outcome.pairs == 3
        assert outcome.heard > 100
        covered += outcome.covered
    assert sum(covered.values()) > 20


@pytest.mark.parametrize("part", [leaks.ALL[:5], leaks.ALL[5:10], leaks.ALL[10:]], ids=["1", "2", "3"])
def test_each_leak_made_on_purpose_is_found(on_stage: stage.Stage, part: Sequence[leaks.Leak]) -> None:
    kept: pairs.Kept = {}
    for leak in part:
        with leak.planted():
            seeds = range(1, 1 + leaks.WITHIN)
            found = any(pairs.compare(on_stage, seed, pairs=1, kind=leak.kind, kept=kept).faults for seed in seeds)
        assert found, leak.name
