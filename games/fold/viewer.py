"""Who looks at a table."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a seat, a spectator (`seat` None), or, once hands are released, somebody who sees `everything`.

    `referee`: sees what is public as it happens, and of the hands only that of the seat `sees`, where a view was granted.
    `afterwards`: the game is over, and a seat is told whether a referee looked at its hand.
    """

    seat: int | None = None
    everything: bool = False
    referee: bool = False
    sees: int | None = None
    afterwards: bool = False

    # One number for each viewer: the key of what is worked out for every play, where hashing five fields would be felt.
    key: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        parts = (-1 if self.seat is None else self.seat, -1 if self.sees is None else self.sees)
        flags = self.everything | self.referee << 1 | self.afterwards << 2
        object.__setattr__(self, "key", flags | parts[0] + 1 << 4 | parts[1] + 1 << 12)

    @property
    def live(self) -> bool:
        """Whether what happens is shown at once, not as it is released."""
        return self.seat is not None or self.referee


SPECTATOR = Viewer()
EVERYTHING = Viewer(everything=True)
