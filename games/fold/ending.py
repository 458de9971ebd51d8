"""The end of a game at the table: which teams still compete, and how the teams rank.

With more than two teams, one that gives up does not end the game for the others: it is *out*, and ranks last.
"""

from collections.abc import Collection

from .state import TableState
from .values import Result


def score(state: TableState) -> tuple[int, ...]:
    """Return what each team has reached, more is better: marbles in heaven, or ranks climbed. Zeros before the first
    deal.
    """
    return state.setup.family.score(state)


def finished(state: TableState) -> tuple[int, ...]:
    """Return the teams that have finished while the game goes on, in order: individual play with full ranking."""
    return tuple(state.told.get("finished", ()))


def rivals(state: TableState, losers: Collection[int] = ()) -> list[int]:
    """Return the teams that still compete once `losers` have given up."""
    gone = {*state.out, *losers, *finished(state)}
    return [team for team in range(state.setup.teams) if team not in gone]


def ranks_without(state: TableState, losers: Collection[int] = ()) -> list[int]:
    """Return a rank per team, 0 best, if the game ended now: teams that are out and `losers` tie for last.

    Of the others those that have finished come first, in order; then a higher score is better, and equal scores tie
    (rulebook section 9).
    """
    out, first, inside = {*state.out, *losers}, finished(state), score(state)
    keys = []
    for team in range(state.setup.teams):
        if team in out:
            keys.append((1, 0, 0))
        elif team in first:
            keys.append((0, first.index(team), 0))
        else:
            keys.append((0, len(first), -inside[team]))
    return [sum(other < own for other in keys) for own in keys]


def result_of(state: TableState) -> Result | None:
    """Return the result after a play, or None while the game goes on.

    The engine does not know which teams are out. So the table ranks, and ends a full ranking when only one competing
    team is left.
    """
    outcome = state.setup.engine.outcome(state.position)
    if outcome is not None:
        ranks = ranks_without(state) if state.out else outcome.ranks
        return Result(tuple(ranks), outcome.reason)
    if state.out and len(rivals(state)) < 2:
        return Result(tuple(ranks_without(state)), "played")
    return None
