"""The viewers of a table."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Viewer:
    """A viewer: a seat, a spectator (`seat` None), or somebody who sees `everything` once hands are released."""

    seat: int | None = None
    everything: bool = False
    referee: bool = False  # sees public events as they happen, and of the hands only that of `sees`
    sees: int | None = None  # the seat whose hand was granted to the referee
    afterwards: bool = False  # the game is over: the seat is told whether a referee saw its hand

    # One number per viewer as a cache key: hashing five fields for every play would be slow.
    key: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        parts = (-1 if self.seat is None else self.seat, -1 if self.sees is None else self.sees)
        flags = self.everything | self.referee << 1 | self.afterwards << 2
        object.__setattr__(self, "key", flags | parts[0] + 1 << 4 | parts[1] + 1 << 12)

    @property
    def live(self) -> bool:
        """Whether events are shown at once, without the spectators' delay."""
        return self.seat is not None or self.referee


SPECTATOR = Viewer()
EVERYTHING = Viewer(everything=True)
