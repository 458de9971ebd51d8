"""Let many games end at once in the process of `serve` (worker, beat, scheduler) and wait for their results everywhere."""

import json
import os
import statistics
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import connection

from games.permissions import Person
from games.services import play
from games.services.requests import Request
from ratings import services as ratings
from ratings.models import Generation, Ladder, RatingChange, WaitingResult
from tock_league.common.models import OutboxRow
from tock_league.competitions.models import Competition, Match, ResultVersion
from tock_league.competitions.selectors.rankings import standings
from tock_league.embedded.scheduler import Scheduler
from tock_league.embedded.worker import Beat, Worker
from tock_league.feed.models import FeedEvent
from tock_league.notices.services.mailing import MAIL_TASK

from .furnish import Ending
from .meters import END, Meters

PATIENCE_S = 300.0
GROUP = 32  # as games.live.writer


def end_all(endings: list[Ending], meters: Meters) -> None:
    """Resign every game, in groups, as the sockets' writer does."""
    requests = [
        Request(
            table_id=game, game_id=game, seat=0, id=str(uuid.uuid4()), turn="0.0", kind="resign", args={},
            by=Person(player_id=player),
        )
        for game, player in endings
    ]  # fmt: skip
    with meters.at(END):
        for begin in range(0, len(requests), GROUP):
            answers = play.submit_group(requests[begin : begin + GROUP])
            assert not any(answer is None or answer.code for answer in answers), answers


def until(done: Callable[[], bool], began: float) -> float:
    """Wait until it is done; return the seconds since `began`. Raises TimeoutError."""
    while not done():
        if time.monotonic() - began > PATIENCE_S:
            raise TimeoutError(f"{done.__name__}, {time.process_time():.0f} s CPU")
        time.sleep(0.05)
    return time.monotonic() - began


def measured(matches: int, casuals: int, endings: list[Ending], *, late: bool) -> dict[str, Any]:
    """Return what became of so many endings. `late`: the worker comes when all have ended, as after a fault."""
    games = matches + casuals
    facts = FeedEvent.objects.count()
    meters, stop = Meters(), threading.Event()
    meters.start()
    worker, beat, scheduler = Worker(), Beat(), Scheduler()
    if late:
        end_all(endings, meters)
    worker.start(patience=120)
    beat.start()
    scheduler.start()
    probe = threading.Thread(target=meters.probe, args=(stop,))
    probe.start()
    cpu, began = time.process_time(), time.monotonic()
    ends = threading.Thread(target=lambda: (end_all([] if late else endings, meters), connection.close()))
    ends.start()

    def settled() -> bool:
        return ResultVersion.objects.count() == matches

    def rated() -> bool:
        changes = RatingChange.objects.filter(generation__state=Generation.State.LIVE).count()
        return changes == 6 * games and not WaitingResult.objects.exists()

    def told() -> bool:
        return FeedEvent.objects.count() - facts == 3 * matches and not _undone()

    found: dict[str, Any] = {"settled": until(settled, began), "rated": until(rated, began), "told": until(told, began)}
    found["all"] = max(found.values())
    ends.join()
    found["cpu"] = time.process_time() - cpu
    stop.set()
    probe.join()
    beat.stop()
    worker.stop()
    scheduler.stop()
    _check(matches)
    waits = sorted(meters.waits)
    found["wait"] = {"median": statistics.median(waits), "p95": waits[int(0.95 * len(waits))], "worst": waits[-1]}
    found["places"] = {
        place: {
            "statements": meters.statements[place],
            "control": meters.control[place],
            "cpu": meters.cpu[place] / 1000,
            "transactions": meters.calls[place],
            "longest": max(meters.held.get(place, [(0.0, 0.0)]))[0],
            "longest_cpu": max(cpu for _wall, cpu in meters.held.get(place, [(0.0, 0.0)])),
        }
        for place in sorted(meters.statements.keys() | meters.held.keys())
        if place not in ("", "probe")
    }
    return found


def _undone() -> bool:
    """Return whether a task waits, besides mails: those are of reminders, and may wait for the morning."""
    return OutboxRow.objects.filter(done_at__isnull=True).exclude(task=MAIL_TASK).exists()


def _check(matches: int) -> None:
    """Raise AssertionError unless standings and ratings say what was played."""
    played = sum(view.row.played for made in Competition.objects.all() for view in standings.table(made))
    assert played == 2 * matches, played
    assert Match.objects.filter(state=Match.State.CONFIRMED).count() == matches
    for ladder in Ladder.objects.all():
        stored, replayed = ratings.verify(ladder_key=ladder.key)
        assert stored == replayed, ladder


def main(matches: int, casuals: int, file: Path, *, late: bool) -> None:
    """Let the games end that `file` lists, in the database that was furnished with them; print the figures as JSON."""
    found = measured(matches, casuals, [tuple(ending) for ending in json.loads(file.read_text())], late=late)
    found["load"] = os.getloadavg()[0]
    print(json.dumps(found))
