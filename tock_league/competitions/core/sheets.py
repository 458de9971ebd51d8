"""A game of a paper as it is stored, and its lines.

| stored | what |
| --- | --- |
| `[winner, lead]` | the winner's position, null for a tie, and the lead in marbles or levels |
| `[winner, lead, count, count, score, score, finished]` | under a time cap; `lead` is between the scores |

By position, a count is what a side has reached and a score what that is worth; `finished` is the position that finished
the game, null where the time was up before.
"""

from collections.abc import Iterable, Sequence

from .caps import EACH, Asked, Cap, Count, count
from .effective import Line, Sheet

Row = Sequence[int | None]
SHORT, CAPPED = 2, 7


def lines_of(sheet: Iterable[Row], sides: int) -> Sheet:
    """Return the lines of the games of a paper. Raises ValueError for a row that is none."""
    return tuple(game_lines(row, sides) for row in sheet)


def game_lines(row: Row, sides: int) -> tuple[Line, ...]:
    """Return the lines of one game."""
    if len(row) not in (SHORT, CAPPED):
        raise ValueError("a game on paper has two values, or seven under a time cap")
    winner, lead = row[0], row[1] or 0
    made = tuple(_line(position, winner, lead) for position in range(sides))
    if len(row) == SHORT:
        return made
    if sides != SHORT or any(value is None for value in row[2:6]):
        raise ValueError("under a time cap a game on paper has the counts of two sides")
    return tuple(
        Line(
            line.position,
            line.outcome,
            line.place,
            line.margin,
            scored=row[4 + line.position],
            counted=row[2 + line.position],
            finished=line.position == row[6],
        )
        for line in made
    )


def row_of(lines: Sequence[Line]) -> list[int | None]:
    """Return what `game_lines` reads."""
    won = next((line for line in lines if line.outcome == "win"), None)
    row: list[int | None] = [won.position, won.margin] if won is not None else [None, 0]
    if any(line.scored is None for line in lines):
        return row
    finished = next((line.position for line in lines if line.finished), None)
    return [*row, *(line.counted for line in lines), *(line.scored for line in lines), finished]


def counted_row(row: Row, cap: Cap, most: int) -> list[int | None]:
    """Return the row that the counts of `row` give under a cap; `most`: the count of a side that has finished.

    Raises CapError for counts that cannot be, ValueError for a row without counts.
    """
    if len(row) != CAPPED or any(value is None for value in row[2:4]):
        raise ValueError("under a time cap a game on paper has the counts of two sides")
    made = count(Asked(EACH, 0, most, True, cap), tuple(value or 0 for value in row[2:4]))
    return stored(made)


def stored(made: Count) -> list[int | None]:
    """Return a counted game as it is stored."""
    return [made.winner, made.margin, *made.counts, *made.scores, made.finished]


def _line(position: int, winner: int | None, lead: int) -> Line:
    if winner is None:
        return Line(position, "tie", 0)
    won = position == winner
    return Line(position, "win" if won else "loss", 0 if won else 1, lead if won else -lead)
