"""Recompute every game from its record, and compare: the chain, the opened deals, and the columns that are an index.

A finished game is judged as an imported record is: each row must be one that the live table would have allowed, and each
deck must follow from the seeds that were committed to. Deadlines and the times of bots are not compared: they are
appointments, not facts.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from django.db import connection
from django.db.models import Exists, F, OuterRef
from django.utils.translation import override

from games import store
from games.engine.errors import EngineError
from games.fold import BadRecord, Row, TableState, first_link, fold, link
from games.models import ArchivedRecord, DealSecret, Game, GameEvent, Table
from tock_league.common import clock
from tock_league.common.differences import Difference, compared, difference
from tock_league.common.errors import Broken, Refused

from .deals import DEALS, Deals
from .judge import judge
from .record import BEGINS, index
from .results import decided, sides_of, unrated_reason

CHUNK = 200
INDEX = ("state", "epoch", "released_seq", "phase", "decision", "turn", "frozen", "ranks", "reason")
EVENTS, SECRETS, ARCHIVED = (model._meta.db_table for model in (GameEvent, DealSecret, ArchivedRecord))
Follow = Callable[[Game, TableState], Iterable[Difference]]


def differences(*, also: Follow = lambda game, state: ()) -> Iterator[Difference]:
    """Yield what differs, game by game; memory holds one game's rows. Five queries a game at most.

    `also`: what a higher app compares with the folded state of a finished game.
    """
    after = 0
    while games := list(Game.objects.filter(pk__gt=after).select_related("table").order_by("pk")[:CHUNK]):
        yield from _months(games)
        yield from _twice(games)
        for game in games:
            yield from of_game(game, also=also)
        after = games[-1].pk


def of_game(game: Game, *, also: Follow = lambda game, state: ()) -> Iterator[Difference]:
    """Yield what differs in one game."""
    try:
        rows = store.rows_of(game)
        yield from _chain(game, rows)
    except Broken as broken:
        yield Difference(ARCHIVED, game.slug, "body", str(broken))
        return
    over = game.state == Game.State.OVER
    setup, state = store.setup_of(game), None
    if over and any(row.code == "open" for row in rows):
        try:
            state = judge(table=game.table, setup=setup, rows=rows, now=clock.now_ms())
        except Refused as refused:
            yield Difference(EVENTS, _where(game, refused.field or ""), refused.code, why(refused))
    elif not over:
        yield from _secret(game, rows)
    if state is None:
        try:
            state = fold(setup, rows)
        except (BadRecord, EngineError, LookupError, ValueError, TypeError) as error:
            yield Difference(EVENTS, game.slug, "body", f"the record cannot be replayed: {type(error).__name__}")
            return
    yield from _index(game, state, rows)
    if over and state.result is not None:
        yield from _rated(game, state, rows)
        yield from also(game, state)


def tables() -> Iterator[Difference]:
    """Yield the match tables that are finished although another game can decide, or the other way round."""
    after = 0
    while some := list(Table.objects.filter(pk__gt=after, kind=Table.Kind.MATCH).order_by("pk")[:CHUNK]):
        for table in some:
            finished = table.state == Table.State.FINISHED
            if table.state != Table.State.CLOSED and decided(table) != finished:
                found = f"is {table.state!r}, its games say {'not ' if finished else ''}decided"
                yield difference(table, "state", found, name=table.slug)
        after = some[-1].pk


def _chain(game: Game, rows: Sequence[Row]) -> Iterator[Difference]:
    """Compare the chain over the rows; the first row that differs is named."""
    chain = first_link(game.slug)
    for place, (row, stored) in enumerate(zip(rows, store.chain_values(game), strict=False), start=1):
        if row.seq != place:
            yield Difference(EVENTS, f"{game.slug} {place}", "seq", f"row {row.seq} stands where {place} is due")
            return
        chain = link(chain, row)
        if chain != stored:
            yield Difference(EVENTS, f"{game.slug} {row.seq}", "chain", "the row is not the one that was written")
            return
    wanted: dict[str, object] = {"last_seq": rows[-1].seq if rows else 0}
    if rows:
        wanted |= {"chain": chain}
    yield from compared(game, wanted, name=game.slug)


def _months(games: Sequence[Game]) -> Iterator[Difference]:
    """Yield the rows that carry another month than their game: on SQLite, as PostgreSQL refuses them. One query."""
    if connection.vendor == "postgresql":
        return
    wrong = GameEvent.objects.filter(game__in=games).exclude(month=F("game__month")).order_by("game", "seq")
    for slug, seq, month, wanted in wrong.values_list("game__slug", "seq", "month", "game__month"):
        yield Difference(EVENTS, f"{slug} {seq}", "month", f"is {month}, that of the game is {wanted}")


def _twice(games: Sequence[Game]) -> Iterator[Difference]:
    """Yield the games whose record is in the archive although there are rows. One query."""
    found = ArchivedRecord.objects.filter(Exists(GameEvent.objects.filter(game=OuterRef("game"))), game__in=games)
    for slug in found.values_list("game__slug", flat=True):
        yield Difference(ARCHIVED, slug, "game", "the record is in the archive, and its rows are here too")


def _index(game: Game, state: TableState, rows: Sequence[Row]) -> Iterator[Difference]:
    """Compare the columns that are an index of the fold."""
    fresh = Game(pk=game.pk, table=game.table, number=game.number, slug=game.slug, rules=game.rules)
    index(fresh, state, bots=())
    wanted = {name: getattr(fresh, name) for name in INDEX}
    wanted["month"] = store.month_of(rows[0].at) if rows else game.month
    drawn = next((row for row in rows if row.code in BEGINS), None)
    wanted["started_at"] = clock.from_ms(drawn.at) if drawn is not None else None
    wanted["finished_at"] = game.finished_at if state.result is not None else None
    if opened := next((row for row in reversed(rows) if row.code == "open"), None):
        wanted["finished_at"] = clock.from_ms(opened.at)
    yield from compared(game, wanted, name=game.slug)


def _rated(game: Game, state: TableState, rows: Sequence[Row]) -> Iterator[Difference]:
    """Compare whether the game is rated, and why not."""
    reason = unrated_reason(game, sides_of(game.table), state, rows)
    yield from compared(game, {"unrated_reason": reason, "rated": not reason}, name=game.slug)


def _secret(game: Game, rows: Sequence[Row]) -> Iterator[Difference]:
    """Compare the secret seeds of a running game with the roots that its record committed to."""
    commits = [row for row in rows if row.code == "commit"]
    try:
        deals = Deals.of(game)
        wrong = [
            row
            for row in commits
            if row.body.get("first", 0) + DEALS > deals.committed()
            or deals.commit(row.body.get("first", 0)).root != row.body.get("root")
        ]
    except (DealSecret.DoesNotExist, Broken):
        wrong = commits
    for row in wrong:
        yield Difference(SECRETS, game.slug, "seeds", f"they are not those that row {row.seq} committed to")


def _where(game: Game, field: str) -> str:
    """Return the game and the row that a refusal's field names, `rows.17.play`."""
    parts = field.split(".")
    return f"{game.slug} {parts[1]}" if len(parts) > 1 else game.slug


def why(refused: Refused) -> str:
    """Return the sentence of a refusal in English, the language of commands."""
    with override("en"):
        return str(refused.sentence)
