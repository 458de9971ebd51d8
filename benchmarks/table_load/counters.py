"""What PostgreSQL and Redis have counted: CPU, commits, WAL, commands and bytes. Differences are what a load has cost."""

from dataclasses import dataclass, fields
from typing import Any

import psycopg
import redis

from .places import Place, processes_of
from .process import Process, cpu_of

_POSTGRESQL = """
SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'), wal_fpi, wal_records,
       (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())
  FROM pg_stat_wal
"""


@dataclass(frozen=True, slots=True)
class Counted:
    """Sums since each server started; CPU in seconds."""

    web: float = 0.0
    postgresql: float = 0.0
    redis: float = 0.0
    wal: float = 0.0  # bytes
    images: float = 0.0  # whole pages in the WAL: the first change of a page after a checkpoint
    records: float = 0.0
    commits: float = 0.0
    commands: float = 0.0  # of Redis
    redis_in: float = 0.0  # bytes
    redis_out: float = 0.0

    def __sub__(self, other: "Counted") -> "Counted":
        return Counted(*(getattr(self, each.name) - getattr(other, each.name) for each in fields(self)))

    def __mul__(self, times: float) -> "Counted":
        return Counted(*(getattr(self, each.name) * times for each in fields(self)))


def ask(place: Place, sql: str, *params: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a query at this place."""
    assert place.cluster is not None
    name = place.cluster.url.rsplit("/", 1)[1]
    with psycopg.connect(host=str(place.cluster.folder), user="tock", dbname=name, autocommit=True) as asked:
        found = asked.execute(sql.encode(), params or None)
        return found.fetchall() if found.description else []


class Counters:
    """The counters of a place and of one server process there.

    CPU of PostgreSQL is that of its processes that still run: the server's connections last, those of these questions do not.
    """

    def __init__(self, place: Place, server: Process) -> None:
        self.place, self.server = place, server
        self._redis = redis.Redis.from_url(place.environment["REDIS_URL"])

    def read(self) -> Counted:
        """Return the sums now."""
        assert self.place.cluster is not None
        web, backends = self.server.cpu, sum(cpu_of(pid) for pid in processes_of(self.place.cluster))
        told: Any = self._redis.info()
        ((wal, images, records, commits),) = ask(self.place, _POSTGRESQL)
        return Counted(
            web,
            backends,
            cpu_of(told["process_id"]),
            *(float(each) for each in (wal, images, records, commits)),
            told["total_commands_processed"],
            told["total_net_input_bytes"],
            told["total_net_output_bytes"],
        )


def sizes(place: Place) -> dict[str, tuple[int, int, int]]:
    """Return rows, bytes of the table, and bytes of its indexes, of each table that a play touches or that grows."""
    found = {}
    for table in ("games_gameevent", "games_game", "games_table", "games_dealsecret", "common_outboxrow"):
        ask(place, f"VACUUM ANALYZE {table}")
        ((rows, heap, indexes),) = ask(
            place,
            f"SELECT (SELECT count(*) FROM {table}), pg_table_size('{table}'), pg_indexes_size('{table}')",
        )
        found[table] = (rows, heap, indexes)
    return found
