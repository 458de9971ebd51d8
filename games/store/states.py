"""A cache of folded states in this process, so that a command folds one row and not the whole game.

Every state can be folded again from the rows.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Sequence

from django.db import transaction

from games.fold import ClockSettings, Setup, TableState, TimeCap, apply_row, opening
from games.models import Game, Table
from tock_league.common.errors import Broken

from .rows import rows_of

CACHED_GAMES = 512
CACHED_STATES = 16  # the last ones of each game, for readers that are a few events behind


def setup_of(game: Game) -> Setup:
    """Return the setup of a game; reads `game.table`, and the table's earlier games when it is a best of N."""
    table = game.table
    wins = [0] * table.teams
    if table.best_of > 1:
        before = Game.objects.filter(table=table, number__lt=game.number, state=Game.State.OVER)
        for ranks in before.values_list("ranks", flat=True):
            for team in winners(ranks or []):
                wins[team] += 1
    return Setup(
        game=game.slug,
        rules=game.rules,
        seats=table.seats,
        teams=table.teams,
        touch=table.touch,
        clocks=ClockSettings.from_json(table.clocks) if table.clocks else None,
        number=game.number,
        best_of=table.best_of,
        wins=tuple(wins) if table.best_of > 1 else (),
        full_ranking=table.full_ranking,
        rounds=table.rounds,
        cap=TimeCap.from_json(table.cap) if table.cap else None,
        takes_back=table.kind == Table.Kind.PRACTICE and not table.clocks,
    )


def winners(ranks: Sequence[int]) -> list[int]:
    """Return the teams of rank 0, or none when all share it."""
    first = [team for team, rank in enumerate(ranks) if rank == 0]
    return first if len(first) < len(ranks) else []


def opening_of(game: Game) -> TableState:
    """Return the table of `game` before its first row."""
    return opening(setup_of(game))


class States:
    """The latest folded states of at most `games` games, `each` per game, by public game id; only of committed rows.

    Least recently used games are dropped first. Usable from any thread.
    """

    def __init__(self, games: int, each: int) -> None:
        self._games, self._each = games, each
        self._lock = threading.Lock()
        self._found: OrderedDict[str, deque[TableState]] = OrderedDict()

    def before(self, slug: str, upto: int) -> TableState | None:
        """Return the latest cached state at or before seq `upto`."""
        with self._lock:
            states = self._found.get(slug)
            if states is None:
                return None
            self._found.move_to_end(slug)
            return next((state for state in reversed(states) if state.seq <= upto), None)

    def put(self, slug: str, state: TableState) -> None:
        """Cache a state, unless one of this row or a later row is cached already."""
        with self._lock:
            states = self._found.setdefault(slug, deque(maxlen=self._each))
            if not states or states[-1].seq < state.seq:
                if state.result is not None:
                    states.clear()  # a finished game needs only its last state
                states.append(state)
            self._found.move_to_end(slug)
            while len(self._found) > self._games:
                self._found.popitem(last=False)

    def clear(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._found.clear()


folded = States(CACHED_GAMES, CACHED_STATES)


def current(game: Game) -> TableState:
    """Return the table after the game's `last_seq`; reads only the rows that this process has not folded yet."""
    return state_at(game, game.last_seq)


def state_at(game: Game, seq: int) -> TableState:
    """Return the table after row `seq` of the game. Raises Broken when there is no such row."""
    known = folded.before(game.slug, seq)
    if known is not None and known.seq == seq:
        return known
    state = known if known is not None else opening_of(game)
    rows = rows_of(game, after=state.seq, upto=seq)
    for row in rows:
        state = apply_row(state, row)
    if state.seq != seq:
        raise Broken(f"game {game.slug}: rows end at {state.seq}, not {seq}")
    if rows and seq == game.last_seq and not transaction.get_connection().in_atomic_block:
        folded.put(game.slug, state)
    return state


def remember(game: Game, state: TableState) -> None:
    """Cache `state` for the next command once the open transaction has committed."""
    transaction.on_commit(lambda: folded.put(game.slug, state))
