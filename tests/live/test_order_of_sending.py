"""A seat that may act gets its frame last: listing its plays takes a time that depends on its hand."""

from types import SimpleNamespace
from typing import Any

import pytest

from games.fold import SPECTATOR, Viewer
from games.live import telling


class Somebody:
    """A client of which only the viewer counts here."""

    sent, waits = ("game", 1), False

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer


@pytest.mark.parametrize("acting", [{0}, {2}, {1, 3}, set()])
def test_the_seats_that_may_act_come_last(monkeypatch: pytest.MonkeyPatch, acting: set[int]) -> None:
    viewers = [*map(Viewer, range(4)), Viewer(2), SPECTATOR, Viewer(referee=True)]
    feed: Any = SimpleNamespace(
        private=SimpleNamespace(state=SimpleNamespace(may_act=frozenset(acting))), clients={*map(Somebody, viewers)}
    )
    served: list[Viewer] = []
    monkeypatch.setattr(telling, "advance", lambda feed, client, now: served.append(client.viewer))
    telling.advance_all(feed)
    assert sorted(viewer.key for viewer in served) == sorted(viewer.key for viewer in viewers)
    last = [viewer.seat in acting for viewer in served]
    assert last == sorted(last)
