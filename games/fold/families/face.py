"""The one face of every family at the table. A Family object holds no state."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..clocks import Clocks, ClockSettings
from ..patch import Json
from ..rows import Row

if TYPE_CHECKING:
    from ..state import Setup, TableState
    from ..view import Viewer


class Family(Protocol):
    """`kinds`: commands of this family, besides those that every table knows. `by_table`: first words of the lines that
    only the table writes. `touches`: whether a touched card or marble binds. `analysed`: whether a bot may judge the choices of
    a finished game. `rounds`: whether a fixed number of rounds may be played."""

    kinds: frozenset[str]
    by_table: frozenset[str]
    touches: bool
    analysed: bool
    rounds: bool

    def begin(self, setup: "Setup", first: int) -> Any:
        """Return the engine's position before the first deck; `first`: the seat that the first draw named."""
        ...

    def around(self, state: "TableState", row: Row, position: Any) -> dict[str, Any]:
        """Return the fields of the table that a play changes besides the position, which is now `position`."""
        ...

    def begins_deal(self, state: "TableState", after: "TableState", row: Row) -> bool:
        """Say whether the play of `row` began a deal: what was before may be shown to spectators now."""
        ...

    def may_act(self, state: "TableState") -> frozenset[int]:
        """Return the seats that may do something now: those who must, and who may besides."""
        ...

    def pause(self, state: "TableState") -> int:
        """Return how many of its own steps the table waits before the chance play that is due; 0: it follows at once."""
        ...

    def clocks(
        self, state: "TableState", after: "TableState", row: Row, clocks: Clocks, settings: ClockSettings
    ) -> Clocks:
        """Return the clocks after the play of `row`, which led from `state` to `after`."""
        ...

    def running(self, state: "TableState", clocks: Clocks, settings: ClockSettings, at: int) -> Clocks:
        """Return the clocks with the running decision of `state` opened at `at`; stopped when nobody is to decide."""
        ...

    def short(self, state: "TableState") -> bool:
        """Say whether the running decision has a short allowance of its own, which leaves the banks alone."""
        ...

    def counts_timeouts(self, state: "TableState") -> bool:
        """Say whether it is a seat's fault when the time of the running decision is up."""
        ...

    def is_choice(self, line: str) -> bool:
        """Say whether the play is a turn that the seat owed: such turns say whether somebody played the game himself."""
        ...

    def rewindable(self, state: "TableState") -> bool:
        """Say whether the last turn may be taken back now, as far as the cards go."""
        ...

    def open_board(self, setup: "Setup") -> Json:
        """Return the part of a view that the game adds before the first deal."""
        ...

    def public(self, state: "TableState") -> Json:
        """Return what all viewers see of the position, key by key: an allow-list."""
        ...

    def own(self, state: "TableState", viewer: "Viewer") -> Json:
        """Return what this viewer alone sees of the position: an allow-list; no key of it is a public one."""
        ...

    def line(self, row: Row, viewer: "Viewer", setup: "Setup") -> str:
        """Return a play's line as the viewer may read it; hidden cards are written `??`."""
        ...

    def score(self, state: "TableState") -> tuple[int, ...]:
        """Return what each team has reached, the more the better; zeros before the first deal."""
        ...

    def laid(self, state: "TableState") -> Sequence[str]:
        """Return the cards that everybody has seen laid since the last shuffle, and that lie no more."""
        ...

    def may_touch(self, state: "TableState", marble: str) -> bool:
        """Say whether the seat to act may touch the marble after what it has touched. Raises the engine's errors."""
        ...
