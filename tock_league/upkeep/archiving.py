"""archive_events: records of long finished games are packed, one row a game, and leave the table of the plays.

Nothing else changes: pages, replays, exports, `verify_all` and copies read a packed record where it lies. See
docs/archive.md and docs/decisions/0037.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import chain
from pathlib import Path

from django.db import DatabaseError, connection
from django.db.models import Q, QuerySet

from games.models import ArchivedRecord, Game, Table
from games.services import archiving, audit, months
from tock_league.arbitration.core import cases
from tock_league.arbitration.models import Case
from tock_league.common import clock
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services import audit as competitions

from . import postgresql, records
from .errors import CannotDo

Say = Callable[[str], None]
REST = timedelta(days=60)  # since the end of a game, before its record is archived
CHUNK = 5  # games of a transaction: on SQLite nobody else writes for a quarter of a second
OVER = (Competition.State.FINISHED, Competition.State.ARCHIVED, Competition.State.CANCELLED)
SETTLED = (Match.State.CONFIRMED, Match.State.AWARDED, Match.State.VOID)
NO_RIGHT = "42501"  # PostgreSQL's code
WRITTEN = re.compile(r"(20\d\d)-(0[1-9]|1[0-2])", re.ASCII)
_verify = partial(audit.of_game, also=competitions.of_game)


@dataclass(frozen=True)
class Kept:
    """Games that stay, and why."""

    games: int
    why: str


def month_of(text: str) -> int:
    """Return the month written as 2025-01. Raises CannotDo."""
    found = WRITTEN.fullmatch(text)
    if found is None:
        raise CannotDo(f"{text} is no month; write it as 2025-01.")
    return int(found[1]) * 100 + int(found[2])


def candidates(before: int) -> tuple[QuerySet[Game], list[Kept]]:
    """Return the games of months before `before` whose records may be archived, and how many others stay, and why."""
    games = Game.objects.filter(month__lt=before, archived__isnull=True).order_by("month", "pk")
    running = ~Q(state=Game.State.OVER) | Q(started_at__isnull=True) | Q(finished_at__isnull=True)
    young = Q(finished_at__gt=clock.now() - REST)
    table = Q(table__kind=Table.Kind.PRACTICE) | Q(
        table__match__isnull=True, table__state__in=[Table.State.FINISHED, Table.State.CLOSED]
    )
    match = Q(table__match__state__in=SETTLED, table__match__competition__state__in=OVER)
    disputed = Case.objects.filter(state__in=cases.OPEN)
    open_case = Q(pk__in=disputed.filter(game__isnull=False).values("game")) | Q(
        table__match__in=disputed.values("match")
    )
    kept, left = [], games
    for why, stays in (
        ("not finished, or without a deal", running),
        (f"finished less than {REST.days} days ago", young),
        ("of a competition that is not over", ~table & ~match),
        ("with an open case", open_case),
    ):
        count = left.filter(stays).count()
        kept += [Kept(count, why)] if count else []
        left = left.exclude(pk__in=left.filter(stays).values("pk"))
    return left, kept


def archive_before(before: int, *, to: Path | None = None, say: Say, dry: bool = False) -> int:
    """Archive the records of all months before `before` that may be; return how many games. Restartable: what is done is done.

    `to`: also write a file of each month there, and read it back, before anything leaves the table. Raises CannotDo.
    """
    _take_time()
    found, kept = candidates(before)
    for each in kept:
        say(f"{each.games} games stay: {each.why}")
    done = wrong = 0
    for month in sorted(set(found.values_list("month", flat=True))):
        keys = list(found.filter(month=month).values_list("pk", flat=True))
        if dry:
            say(f"{_written(month)}: {len(keys)} games could be archived")
            continue
        if to is not None:
            path = records.write(to, month, chain.from_iterable(_in_chunks(keys)))
            say(f"{path}: {len(keys)} games, read back and replayed")
        games, rows = _archive(keys, say)
        say(f"{_written(month)}: {rows} rows of {games} games archived")
        done, wrong = done + games, wrong + len(keys) - games
    if not dry:
        _drop_partitions(before, say)
    if wrong:
        raise CannotDo(f"{wrong} games stay, because their records do not verify; run verify_all.")
    return done


def _archive(keys: Sequence[int], say: Say) -> tuple[int, int]:
    """Archive these games, but for those that do not verify, which are named; return how many games and rows."""
    done = rows = 0
    for games in _in_chunks(keys):
        for some in (games, *([game] for game in games if len(games) > 1)):
            try:
                rows += _do(archiving.archive, some)
            except archiving.Unsound as found:
                if len(some) == 1:
                    say(f"game {some[0].slug} stays: {found}")
                continue
            done += len(some)
            if len(some) == len(games):
                break
    return done, rows


def bring_back(month: int, *, say: Say) -> int:
    """Write the records of a month out of the archive into the table again; return how many games. Raises CannotDo."""
    keys = list(ArchivedRecord.objects.filter(game__month=month).order_by("game").values_list("game", flat=True))
    if not keys:
        raise CannotDo(f"The archive holds no record of {_written(month)}.")
    _take_time()
    months.make([month])
    rows = 0
    for games in _in_chunks(keys):
        try:
            rows += _do(archiving.bring_back, games)
        except archiving.Unsound as found:
            raise CannotDo(f"Stopped, these games are as they were: {found}. Run verify_all.") from None
    say(f"{_written(month)}: {rows} rows of {len(keys)} games are back")
    return len(keys)


def _take_time() -> None:
    if connection.vendor == "postgresql":
        postgresql.take_time()


def _do(act: Callable[..., int], games: Sequence[Game]) -> int:
    try:
        return act(games, verify=_verify)
    except DatabaseError as error:
        raise CannotDo(f"Stopped: {_told(error)}.") from None


def _drop_partitions(before: int, say: Say) -> None:
    """Drop partitions that have become empty; they hold nothing, so whoever cannot get the lock leaves them for later."""
    try:
        if dropped := months.drop_empty(before):
            say(f"empty partitions dropped: {', '.join(map(_written, dropped))}")
    except DatabaseError as error:
        say(f"the empty partitions stay for now: {_told(error)}")


def _told(error: DatabaseError) -> str:
    said = str(error).strip().splitlines()[0]
    owner = " (run it as the owner of the tables, as `migrate` is run)"
    return said + owner * (getattr(error.__cause__, "sqlstate", "") == NO_RIGHT)


def _in_chunks(keys: Sequence[int]) -> Iterator[list[Game]]:
    for at in range(0, len(keys), CHUNK):
        yield list(Game.objects.select_related("table").filter(pk__in=keys[at : at + CHUNK]).order_by("pk"))


def _written(month: int) -> str:
    return f"{month // 100}-{month % 100:02}"


def counted() -> str:
    """Return what the archive holds, in one line."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COUNT(*), coalesce(SUM(rows), 0), coalesce(SUM(length(body)), 0) FROM games_archivedrecord"
        )
        games, rows, size = cursor.fetchone()
    return f"the archive holds {games} games with {rows} rows in {int(size) / 1e6:.1f} MB"
