from collections.abc import Iterator
from typing import Any

import pytest

from tests.common.receiver import Receiver, receiving
from tests.competitions.world import START
from tock_league.common import clock


@pytest.fixture
def hand() -> Iterator[clock.Frozen]:
    """The clock, frozen at noon of the first league day."""
    with clock.frozen(START) as held:
        yield held


@pytest.fixture
def inside(settings: Any) -> None:
    """A site that may tell programs of its own network."""
    settings.WEBHOOKS_INSIDE = True


@pytest.fixture
def receiver(inside: None) -> Iterator[Receiver]:
    with receiving() as made:
        yield made
