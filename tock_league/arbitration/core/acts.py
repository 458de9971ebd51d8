"""Which act a case is about, as far as the record tells: the plays, and whether two cases are about the same ones.

Pure functions without database access. Source: docs/arbitration.md, "One act, one case".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Act:
    """The plays of one game that a complaint is about."""

    game: int | None  # None for a match without a record
    match: int
    plays: frozenset[int]  # rows of the record
    point: int  # the row that stands for the act: a play, where there is one
    called_at: datetime | None = None  # when the referee was called; None for a dispute after the game
    ruled_at: datetime | None = None  # when the call was ruled
    entered: str = ""  # the result that people entered, of a match without a record


def act_at(
    *,
    match: int,
    game: int | None,
    seq: int,
    plays: Sequence[int],
    called_at: datetime | None = None,
    ruled_at: datetime | None = None,
    entered: str = "",
) -> Act:
    """Return the act of a case that points at the row `seq` of its game, whose plays by seats are `plays`, in order.

    A call follows what it is about: its own row and the last two plays before it, one of each side. A dispute names a
    play; one that names another row, such as a touch, is about that row and the plays around it. `entered`: the result
    that the case is about, in a match without a record.
    """
    if game is None:
        return Act(None, match, frozenset({seq}), seq, entered=entered)
    before = [play for play in plays if play <= seq]
    if called_at is not None:
        point = before[-1] if before else seq
        return Act(game, match, frozenset({seq, *before[-2:]}), point, called_at, ruled_at)
    if seq in before:
        return Act(game, match, frozenset({seq}), seq)
    after = [play for play in plays if play > seq]
    return Act(game, match, frozenset({seq, *before[-1:], *after[:1]}), seq)


def same_plays(one: Act, other: Act) -> bool:
    """Return whether both are about plays of the same game that overlap, or about the same result that people entered."""
    if one.game is None or other.game is None:
        return (one.game, one.match, one.entered) == (other.game, other.match, other.entered)
    return one.game == other.game and bool(one.plays & other.plays)


def apart(one: Act, other: Act) -> bool:
    """Return whether a referee was called again after the other call had been ruled: something new has happened."""
    return any(
        first.called_at is not None
        and first.ruled_at is not None
        and later.called_at is not None
        and first.ruled_at <= later.called_at
        for first, later in ((one, other), (other, one))
    )


def same_act(one: Act, other: Act, *, alike: bool) -> bool:
    """Return whether both are about one act. `alike`: of one kind, or of one family of the penalty table.

    Under another name it is the same act if it is about the very same play, or the same entered result.
    """
    if not same_plays(one, other) or apart(one, other):
        return False
    return alike or bool(one.entered) or (one.game is not None and one.point == other.point)
