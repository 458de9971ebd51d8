"""The event store: append and read. Only services and selectors import this.

Concurrency: a service locks the Game row, folds, and appends with the seq it folded to. UNIQUE(game, seq) is what makes
two writers impossible even where the lock is none (SQLite ignores it; its write lock does the same work).
"""

import json
import threading
from collections import OrderedDict, deque
from collections.abc import Sequence

from django.db import IntegrityError, connection, transaction

from games.fold import ClockSettings, Row, Setup, TableState, apply_row, first_link, link, opening
from games.models import Game, GameEvent
from tock_league.common.errors import Broken

CACHED_GAMES = 512
CACHED_STATES = 16  # of each game, for readers that are a few events behind


class LostRace(Exception):
    """Somebody appended first; nothing was written. The caller folds again or answers that the turn has passed."""


def setup_of(game: Game) -> Setup:
    """Answer the setup of a game; `game.table` is read, and the table's earlier games when it is a best of N."""
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
    )


def winners(ranks: Sequence[int]) -> list[int]:
    """Answer the teams of rank 0, unless all share it."""
    first = [team for team, rank in enumerate(ranks) if rank == 0]
    return first if len(first) < len(ranks) else []


def append(game: Game, rows: Sequence[Row], *, expected_seq: int) -> None:
    """Write `rows` behind `expected_seq` and move the game's `last_seq` and `chain` on; call it inside `writing()`.

    The rows' seq run on from `expected_seq + 1`. Raises LostRace when the game has moved on meanwhile.
    """
    if game.last_seq != expected_seq:
        raise LostRace
    chain = game.chain or first_link(game.slug)
    lines = []
    for number, row in enumerate(rows, start=expected_seq + 1):
        if row.seq != number:
            raise Broken(f"row {row.seq} where {number} was due")
        chain = link(chain, row)
        body = json.dumps(dict(row.body))
        known = (row.command_id or None, row.body_hash)
        lines.append((game.pk, row.seq, row.epoch, row.kind, row.code, body, row.actor, *known, row.at, chain))
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(_INSERT, lines)
    except IntegrityError:
        raise LostRace from None
    game.last_seq = expected_seq + len(rows)
    game.chain = chain


# By hand, for every play and every record that is imported comes through here: four times as quick as bulk_create.
_COLUMNS = ("game_id", "seq", "epoch", "kind", "code", "body", "actor", "command_id", "body_hash", "at", "chain")
_INSERT = "INSERT INTO {} ({}) VALUES ({})".format(  # nosec B608: names of our own, values are parameters
    GameEvent._meta.db_table, ", ".join(f'"{name}"' for name in _COLUMNS), ", ".join(["%s"] * len(_COLUMNS))
)


def load(game_id: int, *, after: int = 0, upto: int | None = None) -> list[Row]:
    """Answer the rows with `after` < seq <= `upto`, in order."""
    found = GameEvent.objects.filter(game_id=game_id, seq__gt=after).order_by("seq")
    if upto is not None:
        found = found.filter(seq__lte=upto)
    return [_row(event) for event in found.iterator(chunk_size=500)]


def chain_values(game_id: int) -> list[str]:
    """Answer the stored chain value of each row, in order."""
    return list(GameEvent.objects.filter(game_id=game_id).order_by("seq").values_list("chain", flat=True))


def _row(event: GameEvent) -> Row:
    return Row(
        seq=event.seq,
        epoch=event.epoch,
        kind="play" if event.kind == "play" else "act",
        code=event.code,
        body=event.body,
        actor=event.actor,
        at=event.at,
        command_id=event.command_id or "",
        body_hash=event.body_hash,
    )


def answered(table_id: int, command_id: str) -> tuple[int, str] | None:
    """Answer (seq, body hash) of the row that this command wrote in any game of the table, or None.

    Any game, so that a command sent again after its game has ended does not act in the next one.
    """
    found = (
        GameEvent.objects.filter(command_id=command_id, game__table_id=table_id).values_list("seq", "body_hash").first()
    )
    return (found[0], found[1]) if found else None


def opening_of(game: Game) -> TableState:
    """Answer the table of `game` before its first row."""
    return opening(setup_of(game))


class _States:
    """The latest folded states by public game id, of committed rows only; losing one loses nothing."""

    def __init__(self, games: int, each: int) -> None:
        self._games, self._each = games, each
        self._lock = threading.Lock()
        self._found: OrderedDict[str, deque[TableState]] = OrderedDict()

    def before(self, slug: str, upto: int) -> TableState | None:
        """Answer the latest known state at or before seq `upto`."""
        with self._lock:
            states = self._found.get(slug)
            if states is None:
                return None
            self._found.move_to_end(slug)
            return next((state for state in reversed(states) if state.seq <= upto), None)

    def put(self, slug: str, state: TableState) -> None:
        with self._lock:
            states = self._found.setdefault(slug, deque(maxlen=self._each))
            if not states or states[-1].seq < state.seq:
                states.append(state)
            self._found.move_to_end(slug)
            while len(self._found) > self._games:
                self._found.popitem(last=False)


_states = _States(CACHED_GAMES, CACHED_STATES)


def current(game: Game) -> TableState:
    """Answer the table after the game's `last_seq`; reads only the rows that this process has not folded yet."""
    return state_at(game, game.last_seq)


def state_at(game: Game, seq: int) -> TableState:
    """Answer the table after row `seq` of the game. Raises Broken when there is no such row."""
    known = _states.before(game.slug, seq)
    state = known if known is not None else opening_of(game)
    rows = load(game.pk, after=state.seq, upto=seq)
    for row in rows:
        state = apply_row(state, row)
    if state.seq != seq:
        raise Broken(f"game {game.slug}: rows end at {state.seq}, not {seq}")
    if rows and seq == game.last_seq and not transaction.get_connection().in_atomic_block:
        _states.put(game.slug, state)
    return state


def remember(game: Game, state: TableState) -> None:
    """Keep `state` for the next command once the open transaction has committed."""
    transaction.on_commit(lambda: _states.put(game.slug, state))
