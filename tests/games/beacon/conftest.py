"""A source of the public beacon on this machine, and a table whose deals wait for it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.services import beacon, pulses
from tests.games.conftest import Sat
from tests.games.drand import Source
from tests.games.outages.conftest import Server, heart, rows, server  # noqa: F401 (fixtures)
from tock_league.common import clock


@pytest.fixture
def source(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Source]:
    """A source on this machine, which the settings name; its period is that of the public one."""
    monkeypatch.setattr(beacon, "source", pulses.Source())
    with Source().serving() as found:
        settings.BEACON = found.setting()
        yield found


@pytest.fixture
def sat(source: Source, frozen_clock: clock.Frozen, open_table: Callable[..., Sat]) -> Sat:
    return open_table()
