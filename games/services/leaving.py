"""Giving up: a resignation, time-outs, a no-show, a ruling. The game ends, or continues without the team.

With two teams the game is over. With more, a team that leaves must not decide among the others: it is out, its seats
make the default play at once, and it is ranked last at the end. With one team left the game is over. At practice there
is one person, and the game ends when that person leaves.
"""

from collections.abc import Collection
from dataclasses import replace

from games.fold import TableState, acts, ranks_without, rivals
from games.models import Table

from .record import Draft


def final_ranks(table: Table, state: TableState, losers: Collection[int]) -> list[int] | None:
    """Return the final ranks when the teams `losers` give up, or None when the game continues without them."""
    if table.kind != Table.Kind.PRACTICE and len(rivals(state, losers)) > 1:
        return None
    return ranks_without(state, losers)


def give_up(
    draft: Draft,
    losers: Collection[int],
    act: acts.Forfeit | acts.Resign,
    actor: str,
    *,
    command: tuple[str, str] = ("", ""),
) -> None:
    """Add the act by which the teams `losers` give up, with `ranks` if it ends the game."""
    ranks = final_ranks(draft.game.table, draft.state, losers)
    draft.act(act if ranks is None else replace(act, ranks=tuple(ranks)), actor, command=command)
