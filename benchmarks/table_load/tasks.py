"""What a worker spends on each kind of task: `python -m benchmarks.table_load tasks GAMES` prints it as JSON.

The games are rated ones that end by a resignation; the tasks are run in this process, as a worker runs them.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from django.db import connection

from games.services import tables
from games.services.tables import SeatPlan
from ratings import services as ratings
from ratings.models import Ladder
from tock_league.common import clock, health, outbox

from .furnish import SEATS, hurry, people, send, state_of


def spent(work: Callable[[], object]) -> dict[str, float]:
    """Return CPU and queries of some work in this process."""
    statements = 0

    def count(execute: Any, *args: Any) -> Any:
        nonlocal statements
        statements += 1
        return execute(*args)

    begun = time.process_time()
    with connection.execute_wrapper(count):
        work()
    return {"ms": 1000 * (time.process_time() - begun), "queries": statements}


def finished(count: int) -> None:
    """Play rated games to their end."""
    seated = people(SEATS)
    for number in range(count):
        plan = [SeatPlan(seat, player_id=player.pk) for seat, (player, _) in enumerate(seated)]
        table = tables.open_match_table(
            rules="shawinigan/1", name=f"Rated {number}", seat_plan=plan, team_names=["A", "B"], rated=True
        )
        game_id = table.games.get().pk
        for seat in range(SEATS):
            send(game_id, seat, state_of(game_id).decision_id, "ready", {}, seated[seat][0])
        send(game_id, 0, state_of(game_id).decision_id, "resign", {}, seated[0][0])


def main(count: int) -> None:
    """Measure and print: {task: {ms, queries}}, of one task each, or of one game of it."""
    hurry()
    finished(count)
    clock.pause(1.5)  # a result rests for a second before it is rated
    (key,) = Ladder.objects.filter(waiting__isnull=False).values_list("key", flat=True).distinct()
    rated = spent(lambda: ratings.rate_waiting(ladder_key=key))
    found = {
        f"a game rated, of {count} together": {name: value / count for name, value in rated.items()},
        "rating with nothing to rate": spent(lambda: ratings.rate_waiting(ladder_key=key)),
        "sweep of the outbox, nothing due": spent(outbox.sweep),
        "pulse of a worker": spent(lambda: health.pulse("worker")),
    }
    finished(1)
    clock.pause(1.5)
    found["a game rated alone"] = spent(lambda: ratings.rate_waiting(ladder_key=key))
    print(json.dumps(found))
