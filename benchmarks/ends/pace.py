"""Let games end one after another, and measure from the end of each one until its ratings are on the boards."""

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

from django.db import connection

from ratings.models import Generation, RatingChange
from tock_league.embedded.scheduler import Scheduler
from tock_league.embedded.worker import Beat, Worker

from .meters import Meters
from .run import PATIENCE_S, Ending, end_all

LOOK_S = 0.05


def main(file: Path, a_minute: float) -> None:
    """End the games that `file` lists, `a_minute` of them in a minute, and print the figures as JSON."""
    endings: list[Ending] = [tuple(ending) for ending in json.loads(file.read_text())]
    ended: dict[str, float] = {}
    meters = Meters()
    worker, beat, scheduler = Worker(), Beat(), Scheduler()
    worker.start(patience=120)
    beat.start()
    scheduler.start()

    def end_each() -> None:
        began = time.monotonic()
        for number, ending in enumerate(endings):
            time.sleep(max(0.0, began + number * 60 / a_minute - time.monotonic()))
            end_all([ending], meters)
            ended[str(ending[0])] = time.monotonic()
        connection.close()

    thread = threading.Thread(target=end_each)
    cpu, began = time.process_time(), time.monotonic()
    thread.start()
    waits = _waits(len(endings), ended, began + len(endings) * 60 / a_minute + PATIENCE_S)
    spent = time.process_time() - cpu
    thread.join()
    beat.stop()
    worker.stop()
    scheduler.stop()
    figures: dict[str, Any] = {
        "median": waits[len(waits) // 2],
        "p95": waits[int(0.95 * len(waits))],
        "worst": waits[-1],
    }
    print(json.dumps({**figures, "cpu": spent, "load": os.getloadavg()[0]}))


def _waits(games: int, ended: dict[str, float], until: float) -> list[float]:
    """Return the seconds until each game's ratings were live, shortest first. Raises TimeoutError."""
    seen: dict[str, float] = {}
    live = RatingChange.objects.filter(generation__state=Generation.State.LIVE)
    while len(seen) < games:
        now = time.monotonic()
        if now > until:
            raise TimeoutError(f"{len(seen)} of {games} games are rated")
        for source in set(live.values_list("source", flat=True)) & ended.keys() - seen.keys():
            seen[source] = now
        time.sleep(LOOK_S)
    return sorted(at - ended[source] for source, at in seen.items())
