"""Everything that can be recomputed, recomputed and compared with what is stored: the parts of `verify_all`."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.models import Game
from games.services import audit as games
from ratings.models import RatedResult
from ratings.services import audit as ratings
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors.cases import audit as arbitration
from tock_league.common import clock
from tock_league.common.differences import Difference
from tock_league.common.transactions import snapshot
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services import audit as competitions
from tock_league.journal.models import JournalEntry
from tock_league.journal.selectors import verification as journal
from tock_league.journal.store.checks import missing
from tock_league.people.audit import redactions

SHOWN = 20  # differences of a part that are named; the others are counted
COUNTED = 10_000  # after so many differences a part stops


@dataclass(frozen=True)
class Part:
    """One part: what it reads, counted, and how it finds differences."""

    name: str
    counted: Callable[[], str]
    differences: Callable[[], Iterable[Difference]]


@dataclass(frozen=True)
class Outcome:
    """The result of a part. `first`: the differences that are named, of `count`."""

    name: str
    read: str  # how much was checked
    count: int
    first: tuple[Difference, ...]
    seconds: float

    @property
    def line(self) -> str:
        """Return the line for people."""
        if not self.count:
            return f"{self.name}: good, {self.read} ({self.seconds:.1f} s)"
        many = f"{self.count} differences" if self.count > 1 else "1 difference"
        return f"{self.name}: {many}, {self.read} ({self.seconds:.1f} s)"

    def body(self) -> dict[str, Any]:
        """Return the outcome for programs."""
        return {
            "part": self.name,
            "good": not self.count,
            "read": self.read,
            "differences": self.count,
            "first": [vars(each) for each in self.first],
            "seconds": round(self.seconds, 3),
        }


def verify(parts: Iterable[Part] | None = None) -> Iterator[Outcome]:
    """Yield the outcome of each part as it is known; all parts see the same state of the database."""
    with snapshot():
        for part in PARTS if parts is None else parts:
            since = clock.monotonic()
            found = iter(part.differences())
            first = tuple(islice(found, SHOWN))
            count = len(first) + sum(1 for _ in islice(found, COUNTED))
            yield Outcome(part.name, part.counted(), count, first, clock.monotonic() - since)


def _database() -> Iterator[Difference]:
    """Yield what the database itself finds wrong, and migrations that are not applied."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA integrity_check({SHOWN})")
            for (found,) in cursor.fetchall():
                if found != "ok":
                    yield Difference("database", "-", "integrity", str(found))
            cursor.execute("PRAGMA foreign_key_check")
            while row := cursor.fetchone():
                yield Difference(row[0], str(row[1]), "foreign key", f"names a row of {row[2]} that is not there")
    executor = MigrationExecutor(connection)
    for migration, _backwards in executor.migration_plan(executor.loader.graph.leaf_nodes()):
        yield Difference("django_migrations", str(migration), "applied", "the migration is not applied")


def _journal() -> Iterator[Difference]:
    for name in journal.names():
        fault = journal.verify(name).fault
        if fault is not None:
            yield Difference(JournalEntry._meta.db_table, f"{fault.stream} {fault.seq}", "body", fault.reason)
    for table, trigger in missing():
        yield Difference(table, "-", "trigger", f"{trigger} is missing: rows could be changed")
    yield from redactions()


def _arbitration() -> Iterator[Difference]:
    for fault in arbitration.audit().faults:
        invariant, _, rest = fault.partition(" ")
        yield Difference(Case._meta.db_table, "-", invariant, rest)


def _games() -> Iterator[Difference]:
    yield from chain(games.differences(also=competitions.of_game), games.tables())


def _ratings_read() -> str:
    read = f"{RatedResult.objects.count()} rows of the log"
    late = ratings.waiting()
    return read + (f"; not compared, as a recomputation is due: {', '.join(late)}" if late else "")


PARTS = (
    Part("database", lambda: f"{len(connection.introspection.table_names())} tables", _database),
    Part("journal", lambda: f"{JournalEntry.objects.count()} entries", _journal),
    Part("arbitration", lambda: f"{Case.objects.count()} cases", _arbitration),
    Part("games", lambda: f"{Game.objects.count()} games", _games),
    Part("results", lambda: f"{Match.objects.count()} matches", competitions.results),
    Part("standings", lambda: f"{Competition.objects.count()} competitions", competitions.places),
    Part("ratings", _ratings_read, ratings.differences),
)
