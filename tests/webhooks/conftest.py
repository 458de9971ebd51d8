from collections.abc import Iterator
from typing import Any

import pytest

from tests.common.receiver import Receiver, receiving


@pytest.fixture
def inside(settings: Any) -> None:
    """A site that may tell programs of its own network."""
    settings.WEBHOOKS_INSIDE = True


@pytest.fixture
def receiver(inside: None) -> Iterator[Receiver]:
    with receiving() as made:
        yield made
