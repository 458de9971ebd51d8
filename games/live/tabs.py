"""Several windows of one seat: the newest one plays, the others watch.

The newest is the one that joined last to play. A window that was told to watch says so when it reconnects (`aside` of
`join`), so that a lost connection alone does not take the seat. Windows of other processes are known by their hubs'
presence, within a quarter of a second; without a working channel layer each process only knows its own.
"""

from collections.abc import Iterable, Mapping
from typing import Generic, Protocol, TypeVar

from games.fold import Viewer
from tock_league.common import clock


class Window(Protocol):
    """The part of a socket that this module needs."""

    viewer: Viewer


W = TypeVar("W", bound=Window)


class Tabs(Generic[W]):
    """Which window plays each seat of one table."""

    def __init__(self) -> None:
        self._playing: dict[int, tuple[int, W]] = {}  # by seat: since when (ms), and the window

    @property
    def playing(self) -> Mapping[int, int]:
        """The seats played by a window of this process, with the moment (ms) it took them."""
        return {seat: since for seat, (since, _) in self._playing.items()}

    def take(self, window: W) -> None:
        """Let this window play its seat from now on."""
        if window.viewer.seat is not None:
            self._playing[window.viewer.seat] = (clock.now_ms(), window)

    def leave(self, window: W) -> None:
        """Free the seat that this window plays; the next window that sends a command takes it."""
        self._playing = {seat: held for seat, held in self._playing.items() if held[1] is not window}

    def plays(self, window: W, elsewhere: Iterable[Mapping[int, int]]) -> bool:
        """Return whether this window plays its seat; a window takes a seat that no other window plays.

        `elsewhere`: the seats played in other processes, each with the moment.
        """
        seat = window.viewer.seat
        if seat is None:
            return False
        since, holder = self._playing.get(seat, (0, None))
        if any(there.get(seat, 0) > since for there in elsewhere):
            return False
        if holder is None:
            self.take(window)
            return True
        return holder is window

    def give_way(self, there: Mapping[int, int]) -> list[W]:
        """Return the windows here whose seat was taken later in another process; they stop playing."""
        gone = [window for seat, (since, window) in self._playing.items() if there.get(seat, 0) > since]
        for window in gone:
            self.leave(window)
        return gone
