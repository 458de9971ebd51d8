"""Statements a stored play, counted in the real server while one table with six screens plays.

The source is the trace of each SQLite connection or the log of PostgreSQL's sessions, so that no layer between can hide
a statement. The statements of an idle server (deadlines, polling) are measured first and subtracted.
"""

import asyncio
import re
from collections import Counter
from typing import Any

from .loads import closed
from .places import Place, admin, log_of
from .process import Process, running
from .screens import Screens, Traffic

IDLE_S = 4.0
# Statements that open and close transactions and connections; counted separately from reads and writes.
CONTROL = re.compile(
    r"^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|SET|SHOW|DEALLOCATE|DISCARD|SELECT 1$|select sqlite_compile)",
    re.IGNORECASE,
)
VALUES = re.compile(r"'(?:[^']|'')*'|\$\d+|\b\d+\b")
NAMES = re.compile(r'"(?:s\d+_x\d+|_django_curs_\w+)"')  # of savepoints and cursors
LOGGED = re.compile(r"LOG:  (?:statement|execute [^:]*): (.*)")
LOUD = {"log_statement": "all", "log_min_messages": "log"}


def counts(place: Place, server: Process) -> Counter[str]:
    """Return how often each statement was sent so far, without its values."""
    if place.cluster is not None:
        found = LOGGED.findall(log_of(place.cluster).read_text(errors="replace"))
        return Counter(plain(text) for text in found)
    told: dict[str, int] = server.written(place.folder / "trace.json")
    summed: Counter[str] = Counter()
    for text, number in told.items():
        summed[plain(text)] += number
    return summed


def plain(statement: str) -> str:
    """Return a statement without its values and its spaces."""
    text = NAMES.sub("?", VALUES.sub("?", statement))
    return re.sub(r"\(\?(?:, ?\?)*\)", "(?)", " ".join(text.split()))


async def count(place: Place, made: dict[str, Any], door: Any, plays: int) -> dict[str, Any]:
    """Return numbers per play: `statements`, `control`, and `texts`, those of each statement, most frequent first."""
    environment = place.environment | {"BENCHMARK_TRACE": str(place.folder / "trace.json")}
    if place.cluster is not None:
        for name, value in LOUD.items():
            admin(place.cluster, f"ALTER DATABASE postgres SET {name} = '{value}'")
    with running("benchmarks.table_load.served", environment, place.folder / "traced.log") as server:
        table = Screens(made["slug"], made["sessions"], door(server), Traffic())
        await table.enter_all()
        await closed([table], server, at_once=1, seconds=60, plays=25)
        await asyncio.sleep(1)
        first = counts(place, server)
        await asyncio.sleep(IDLE_S)
        second = counts(place, server)
        measured = await closed([table], server, at_once=1, seconds=60, plays=plays)
        await asyncio.sleep(0.5)
        third = counts(place, server)
        await table.leave()
    seconds = measured.seconds + 0.5
    texts = {
        text: (third[text] - second[text] - (second[text] - first[text]) * seconds / IDLE_S) / measured.plays
        for text in third
    }
    shown = sorted(((number, text) for text, number in texts.items() if number >= 0.02), reverse=True)
    return {
        "statements": sum(number for number, text in shown if not CONTROL.match(text)),
        "control": sum(number for number, text in shown if CONTROL.match(text)),
        "texts": shown,
    }


def silence(place: Place) -> None:
    """Turn PostgreSQL's statement log off."""
    if place.cluster is not None:
        admin(place.cluster, "ALTER DATABASE postgres SET log_statement = 'none'")
