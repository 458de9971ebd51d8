from collections.abc import Iterator

import pytest

from tests.competitions.world import START
from tock_league.common import clock


@pytest.fixture
def hand() -> Iterator[clock.Frozen]:
    """The clock, frozen at noon of the first league day."""
    with clock.frozen(START) as held:
        yield held
