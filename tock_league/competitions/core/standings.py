"""The table: ranked rows with the reasons for their order.

Entries are split by the first criterion, parts still tied by the second, and so on. Between two neighbours the table
keeps every criterion applied, both values, and which criterion separated them. Two more criteria enclose the list:

| key | when | what |
| --- | --- | --- |
| presence | before all criteria | withdrawn entries come after those that play, disqualified ones last |
| settled | after all criteria | the order given by a play-off, lots or a ruling to entries that are still equal |
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .tiebreaks import EntryRound, Explained, Parts, Record, explain, split

PRESENCE, SETTLED = "presence", "settled"
PRESENT, WITHDRAWN, DISQUALIFIED = 0, 1, 2


@dataclass(frozen=True)
class Step:
    """One criterion applied to two neighbours."""

    criterion: str
    ahead: Explained
    behind: Explained
    decides: bool  # whether it separated them; only on the last step


@dataclass(frozen=True)
class StandingRow:
    """A row of the table."""

    entry: int
    ordinal: int  # 1..n
    rank: int  # shared by entries that no criterion separates
    played: int  # with `wins`, `ties` and `losses`: matches and pairing byes, without the rounds that it missed
    wins: int
    ties: int
    losses: int
    points: Explained
    margin: Explained
    scored: Explained
    meetings: tuple[EntryRound, ...]
    why: tuple[Step, ...] = ()  # the comparison with the next row

    @property
    def separated_by(self) -> str:
        """The criterion that separates this row from the next one; "" for the last row and for equals."""
        return self.why[-1].criterion if self.why and self.why[-1].decides else ""


@dataclass(frozen=True)
class Frame:
    """The data of all criteria, including presence and settled."""

    record: Record
    out: Mapping[int, int]  # WITHDRAWN or DISQUALIFIED by entry
    settled: Mapping[int, int]  # by entry, its place in the order given to equals

    def split(self, criterion: str, tied: tuple[int, ...]) -> Parts:
        """Return `tied` cut into parts, best first."""
        if criterion == PRESENCE:
            return _by(tied, self.out)
        if criterion == SETTLED:
            # Applies only if it has all of the equals.
            return _by(tied, self.settled) if all(entry in self.settled for entry in tied) else (tied,)
        return split(criterion, tied, self.record)

    def explain(self, criterion: str, entry: int, tied: tuple[int, ...]) -> Explained:
        """Return the entry's value under `criterion`; more is better."""
        if criterion == PRESENCE:
            return Explained(criterion, Fraction(-self.out.get(entry, PRESENT)))
        if criterion == SETTLED:
            return Explained(criterion, Fraction(-self.settled.get(entry, 0)))
        return explain(criterion, entry, tied, self.record)


def _by(tied: tuple[int, ...], places: Mapping[int, int]) -> Parts:
    levels = sorted({places.get(entry, 0) for entry in tied})
    return tuple(tuple(entry for entry in tied if places.get(entry, 0) == level) for level in levels)


def standings(
    record: Record,
    criteria: Sequence[str],
    *,
    out: Mapping[int, int] | None = None,
    settled: Sequence[int] = (),
) -> tuple[StandingRow, ...]:
    """Return the rows, best first. `criteria`: keys of tiebreaks.SUPPORTED, in order; raises ValueError for others.

    `out`: WITHDRAWN or DISQUALIFIED, by entry. `settled`: entries in the order in which a tie among them was settled.
    """
    frame = Frame(record, out or {}, {entry: place for place, entry in enumerate(settled, start=1)})
    entries = tuple(record.meetings)
    asked: list[tuple[tuple[str, tuple[int, ...]], ...]] = []  # for rows i and i + 1: (criterion, tied entries)
    separated: list[bool] = []
    keys = (*([PRESENCE] if out else []), *criteria, *([SETTLED] if settled else []))
    order = _order(entries, keys, (), frame, asked, separated)
    rows: list[StandingRow] = []
    for index, entry in enumerate(order):
        steps: tuple[Step, ...] = ()
        if index + 1 < len(order):
            below = order[index + 1]
            steps = tuple(
                Step(
                    criterion,
                    frame.explain(criterion, entry, tied),
                    frame.explain(criterion, below, tied),
                    decides=decides,
                )
                for place, (criterion, tied) in enumerate(asked[index])
                if (decides := separated[index] and place == len(asked[index]) - 1)
                or criterion not in (PRESENCE, SETTLED)
            )
        rank = index + 1 if index == 0 or separated[index - 1] else rows[-1].rank
        rows.append(_row(entry, index + 1, rank, steps, record))
    return tuple(rows)


def _order(
    tied: tuple[int, ...],
    criteria: tuple[str, ...],
    path: tuple[tuple[str, tuple[int, ...]], ...],
    frame: Frame,
    asked: list[tuple[tuple[str, tuple[int, ...]], ...]],
    separated: list[bool],
) -> tuple[int, ...]:
    """Return `tied` in order; append one item to `asked` and to `separated` for each pair of neighbours."""
    if len(tied) < 2:
        return tied
    if not criteria:
        asked.extend([path] * (len(tied) - 1))
        separated.extend([False] * (len(tied) - 1))
        return tied
    step = (criteria[0], tied)
    order: tuple[int, ...] = ()
    for part in frame.split(criteria[0], tied):
        if order:
            asked.append((*path, step))
            separated.append(True)
        order += _order(part, criteria[1:], (*path, step), frame, asked, separated)
    return order


def _row(entry: int, ordinal: int, rank: int, why: tuple[Step, ...], record: Record) -> StandingRow:
    meetings = record.meetings[entry]
    counted = [meeting for meeting in meetings if not meeting.missed]
    return StandingRow(
        entry=entry,
        ordinal=ordinal,
        rank=rank,
        played=len(counted),
        wins=sum(meeting.outcome == "win" for meeting in counted),
        ties=sum(meeting.outcome == "tie" for meeting in counted),
        losses=sum(meeting.outcome == "loss" for meeting in counted),
        points=explain("points", entry, (), record),
        margin=explain("margin", entry, (), record),
        scored=explain("scored", entry, (), record),
        meetings=meetings,
        why=why,
    )
