"""Read games: rows, steps and states, as far as a viewer may see. Read-only; call these functions off the loop."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef

from games import store
from games.fold import Row, Step, TableState, Viewer, caps, release, score, steps
from games.models import Game, Table
from tock_league.common.errors import Broken

MAX_BEHIND = 500  # events; a viewer further behind gets the whole view


@dataclass(frozen=True, slots=True)
class Latest:
    """Where a table is: its current game and that game's last seq."""

    game_id: int
    seq: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """The result of a game, as replaying its record through the engine gives it."""

    game_id: int
    table_id: int
    number: int
    teams: int
    ranks: tuple[int, ...]  # per team, 0 is best
    reason: str
    score: tuple[int, ...]  # `games.fold.score` at the end, per team
    reached: tuple[int, ...]  # under a time cap what each team reached by its count, else empty
    record_hash: str  # the last value of the hash chain, hex
    finished_at: datetime


def certificate(game_id: int) -> Certificate:
    """Fold the game's rows through the engine and return its result. Raises Broken when it is not over. Two queries."""
    return certificate_of_record(game_by_id(game_id))


def certificate_of_record(game: Game) -> Certificate:
    """Return what `certificate` does for a game read with its table: one query, none where the state is known here."""
    state = store.current(game)
    if (found := certificate_of(game, state)) is None:
        raise Broken(f"game {game.slug} is not over")
    return found


def certificate_of(game: Game, state: TableState) -> Certificate | None:
    """Return the result of a game whose rows fold to `state`; None when it is not over. No query where its table is read."""
    if state.result is None or game.finished_at is None:
        return None
    return Certificate(
        game_id=game.pk,
        table_id=game.table_id,
        number=game.number,
        teams=game.table.teams,
        ranks=state.result.ranks,
        reason=state.result.reason,
        score=score(state),
        reached=caps.reached(state) if state.setup.cap is not None and state.position is not None else (),
        record_hash=game.chain,
        finished_at=game.finished_at,
    )


def table_by_slug(slug: str) -> Table | None:
    """Return the table with that public id, or None: also where no game has been opened yet. One query."""
    return Table.objects.filter(Exists(Game.objects.filter(table=OuterRef("pk"))), slug=slug).first()


def current_game(table_id: int) -> Game:
    """Return the table's game of the highest number, with its table. One query."""
    return Game.objects.select_related("table").filter(table_id=table_id).order_by("-number")[0]


def game_by_id(game_id: int) -> Game:
    """Return the game, with its table. One query."""
    return Game.objects.select_related("table").get(pk=game_id)


def game_by_slug(slug: str) -> Game | None:
    """Return the game with that public id, with its table, or None. One query."""
    return Game.objects.select_related("table").filter(slug=slug).first()


def latest(table_ids: Iterable[int]) -> dict[int, Latest]:
    """Return by table id where the table is; tables without a game are omitted. One query for any number."""
    found = Game.objects.filter(table_id__in=list(table_ids)).order_by("number")
    return {table: Latest(game, seq) for table, game, seq in found.values_list("table_id", "pk", "last_seq")}


def was_answered(table_id: int, command_id: str) -> bool:
    """Return whether a command with this id has written a row at the table."""
    return store.answered(table_id, command_id) is not None


def current_state(game: Game) -> TableState:
    """Return the table after the game's last row."""
    return store.current(game)


def state_at(game: Game, seq: int) -> TableState:
    """Return the table after row `seq`."""
    return store.state_at(game, seq)


def epoch_at(game: Game, seq: int) -> int:
    """Return the epoch of the table after row `seq`; a viewer who is behind may still be in an older one."""
    return game.epoch if seq == game.last_seq or not game.epoch else store.state_at(game, seq).epoch


def rows_after(game: Game, seq: int) -> list[Row]:
    """Return the committed rows after `seq`, in order. One query."""
    return store.rows_of(game, after=seq)


def rows_upto(game: Game, seq: int) -> list[Row]:
    """Return the rows 1 .. `seq`, in order. One query."""
    return store.rows_of(game, upto=seq)


def steps_between(game: Game, since: int, upto: int) -> list[Step]:
    """Return the steps `since + 1` .. `upto`."""
    return list(steps(store.state_at(game, since), store.rows_of(game, after=since, upto=upto)))


def shown_to(game: Game, viewer: Viewer, *, now: int) -> int:
    """Return the highest seq that the viewer may have at `now` (ms): the last one for a seat or referee, for others
    the last released one.
    """
    if viewer.live:
        return game.last_seq
    state = store.current(game)
    rule = game.table.release
    if rule != release.DEAL or state.result is not None or len(state.deals) < 2:
        return release.bound(state, rule)
    return release.paced(store.rows_of(game, upto=release.bound(state, rule)), state, rule, now)


def is_somebody_playing() -> bool:
    """Return whether a game is under way at any table. One query."""
    return Game.objects.filter(state=Game.State.PLAYING).exists()
