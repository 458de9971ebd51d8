"""Of several windows of one seat the newest plays, the others look on.

Newest is who joined last to play. A window that was told to look on says so when it comes back (`aside` of `join`), and so
does not take the seat by a lost connection alone. The windows of other processes are known by their hubs' presence, within
a quarter of a second; without a channel layer that answers, each process knows its own only.
"""

from collections.abc import Iterable, Mapping
from typing import Generic, Protocol, TypeVar

from games.fold import Viewer
from tock_league.common import clock


class Window(Protocol):
    """What is known here of a seat's socket."""

    viewer: Viewer


W = TypeVar("W", bound=Window)


class Tabs(Generic[W]):
    """Which window plays each seat of one table."""

    def __init__(self) -> None:
        self._playing: dict[int, tuple[int, W]] = {}

    @property
    def playing(self) -> Mapping[int, int]:
        """The seats played by a window of this process, with the moment (ms) it took them."""
        return {seat: since for seat, (since, _) in self._playing.items()}

    def take(self, window: W) -> None:
        """Let this window play its seat from now on."""
        if window.viewer.seat is not None:
            self._playing[window.viewer.seat] = (clock.now_ms(), window)

    def leave(self, window: W) -> None:
        """Free the seat that this window plays; the next one that asks for something takes it."""
        self._playing = {seat: held for seat, held in self._playing.items() if held[1] is not window}

    def plays(self, window: W, elsewhere: Iterable[Mapping[int, int]]) -> bool:
        """Return whether this window plays its seat; one that nobody plays it takes.

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
        """Return the windows that play here what was taken later in another process; they play no longer."""
        gone = [window for seat, (since, window) in self._playing.items() if there.get(seat, 0) > since]
        for window in gone:
            self.leave(window)
        return gone
