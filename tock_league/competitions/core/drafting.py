"""The making of a bracket: matches are added level by level, and numbered when all are there (`bracket.bracket_of`)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

WIN, LOSS = "win", "loss"


@dataclass(frozen=True)
class Way:
    """Where a seat is filled from: the entry with `outcome` in the match `source` of the draft; see `bracket.Edge`."""

    source: int
    outcome: str
    only: int | None = None


Comes = int | Way  # a seed, or the way from another match
Line = Sequence[Comes | None]  # who stands at each place of a tree, from top to bottom; None for nobody


@dataclass(frozen=True)
class Row:
    """A match of the draft; the fields are those of `bracket.Node`."""

    sides: tuple[Comes, Comes]
    round: int
    label: str
    label_no: int
    part: int
    slot: int


@dataclass
class Draft:
    """The matches added so far."""

    rows: list[Row] = field(default_factory=list)
    ranks: dict[tuple[int, str], int] = field(default_factory=dict)  # by match and outcome

    def level(
        self, line: Line, *, round: int, label: str, label_no: int = 0, part: int = 0, slot: int = 0
    ) -> tuple[Line, Line]:
        """Add the matches of neighbours in `line`; return the line of the winners and that of the losers.

        Whoever has no neighbour goes on without a match, and leaves an empty place among the losers.
        """
        winners: list[Comes | None] = []
        losers: list[Comes | None] = []
        for place in range(len(line) // 2):
            first, second = line[2 * place], line[2 * place + 1]
            if first is None or second is None:
                winners.append(first if second is None else second)
                losers.append(None)
                continue
            key = len(self.rows)
            self.rows.append(Row((first, second), round, label, label_no, part, place + slot))
            winners.append(Way(key, WIN))
            losers.append(Way(key, LOSS))
        return winners, losers

    def rank(self, line: Line, rank: int) -> None:
        """Give everybody in `line` that rank, for those whom no match leads on."""
        self.ranks.update({(way.source, way.outcome): rank for way in line if isinstance(way, Way)})

    def last_round(self, line: Line) -> int:
        """Return the last of the rounds that `line` comes from; 0 for seeds."""
        return max((self.rows[way.source].round for way in line if isinstance(way, Way)), default=0)


def present(line: Line) -> int:
    """Return how many places of a line are taken."""
    return sum(place is not None for place in line)
