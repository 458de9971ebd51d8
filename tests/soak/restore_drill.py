"""The restore drill at size: `python -m tests.soak.restore_drill [--events 1000000] [--keep FOLDER]`.

Plays whole games by bots until their records hold that many rows, imports them as matches of leagues, rates them, and then
runs the drill on SQLite: copy, restore elsewhere, verify everything, compare. Prints events, times and the peak memory of
building and of the drill. Fails when a check finds a difference.
"""

import argparse
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.embedded")
TEAMS = 14  # of a league: 91 matches


def filled(events: int) -> None:
    """Fill the present database until its records hold `events` rows."""
    from django.core.management import call_command

    from games.models import GameEvent
    from tests.competitions.world import START, a_league
    from tock_league.common import clock
    from tock_league.demo import history

    call_command("migrate", verbosity=0)
    since, rows, number = time.monotonic(), 0, 0
    while rows < events:
        with clock.frozen(START):
            league = a_league(TEAMS, legs=1)
            for match in league.matches.order_by("starts_at", "pk"):
                number += 1
                rows += played(match, f"soak-{number}")
                if rows >= events:
                    break
        print(f"{rows} events, {number} games, {time.monotonic() - since:.0f} s, {memory()}", flush=True)
    history.rate()
    assert GameEvent.objects.count() == rows


def played(match: Any, key: str) -> int:
    """Play a game of the match by bots, import its record and settle it; return the rows of the record."""
    from games.services import records, tables
    from tock_league.common import clock, outbox
    from tock_league.common.transactions import writing
    from tock_league.competitions.services.rounds import publishing
    from tock_league.demo import history, packing, play

    careless = SimpleNamespace(care=0)
    packed, _winner = play._take(SimpleNamespace(key=key, seats=[careless] * 4), 0)  # type: ignore[arg-type]
    packed = replace(packed, plays=tuple((5, seat, line) for _wait, seat, line in packed.plays))  # half a second each
    record = packing.unpack(packed, clock.ms(match.starts_at))
    with clock.frozen(match.starts_at):
        plan = publishing.table_plan(match)
    with clock.frozen(clock.from_ms(record.rows[-1].at)), outbox.by_hand(), writing():
        table = tables.reserve_match_table(**plan)
        publishing.link_table(match=match, table=table)
        records.import_record(record=record, table=table)
    history._settle()
    return len(record.rows)


def memory() -> str:
    """Return the peak of this process's memory so far."""
    import resource

    return f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB"


@contextlib.contextmanager
def folder_for(kept: Path | None) -> Iterator[Path]:
    """Give the data folder: `kept`, else a temporary one."""
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
    else:
        with tempfile.TemporaryDirectory(prefix="tock-drill-soak-") as folder:
            yield Path(folder)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.restore_drill", description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--keep", type=Path, help="a data folder that stays; one that is filled already is not filled")
    parser.add_argument("--fill", action="store_true", help="fill the folder, and leave the drill out")
    given = parser.parse_args()
    with folder_for(given.keep) as folder:
        os.environ["TOCK_DATA"] = str(folder)
        if not (folder / "tock.sqlite3").exists():
            import django

            django.setup()
            filled(given.events)
        if given.fill:
            return 0
        # In a process of its own, so that its memory is that of the drill.
        return os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", DRILL])


# A kept folder may be of an older version. The leagues play once a week, so that their last rows may lie ahead of us.
DRILL = """
import django; django.setup()
from django.core.management import call_command
from django.db.models import Max
from games.models import GameEvent
from tests.soak.restore_drill import memory
from tock_league.common import clock
from tock_league.upkeep.drill import drill
from tock_league.upkeep.errors import CannotDo
call_command("migrate", verbosity=0)
clock.not_before(clock.from_ms(GameEvent.objects.aggregate(last=Max("at"))["last"] + 1000))
try:
    drill(say=lambda line: print(line, flush=True))
except CannotDo as reason:
    raise SystemExit(str(reason))
print(memory())
"""


if __name__ == "__main__":
    sys.exit(main())
