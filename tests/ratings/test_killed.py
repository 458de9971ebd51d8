"""kill -9 of the worker at many points of a recomputation: readers keep the old generation, and the next attempt ends well."""

import json
import os
import random
import signal
import subprocess
import sys

import pytest
from django.db import connection

from ratings import services
from ratings.models import Ladder, Rating
from ratings.services import audit
from tests.live.killed import AFTER_COMMIT, BEFORE_COMMIT, STATEMENT
from tests.runs import ROOT
from tock_league.accounts.models import Player
from tock_league.common import clock

from .announced import Finished
from .board_world import LADDER, play_season

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and kill -9"),
    pytest.mark.both_databases,
]
POINTS = int(os.environ.get("TOCK_KILLS", "12"))


def seen() -> list[tuple[int, float, float]]:
    """Return what readers see: the states of the live generation."""
    live = Ladder.objects.get(key=LADDER).generation
    return list(Rating.objects.filter(generation=live).order_by("subject").values_list("subject", "mu", "sigma"))


def test_a_killed_recomputation_changes_nothing_that_is_read_and_the_next_one_ends(
    at: clock.Frozen, people: list[Player], finished: Finished
) -> None:
    play_season(at, people, finished, rounds=6)
    before = seen()
    dice = random.Random(4)
    points = [(STATEMENT, dice.randrange(3, 36)) for _ in range(POINTS - 4)]
    points += [(BEFORE_COMMIT, 1), (AFTER_COMMIT, 2), (BEFORE_COMMIT, 6), (AFTER_COMMIT, 7)]
    connection.close()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.ratings.killed", str(connection.settings_dict["NAME"]), LADDER],
        cwd=ROOT, env=dict(os.environ), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert json.loads(process.stdout.readline()) == "ready"
    ends = []
    for point in points:
        process.stdin.write(json.dumps(point) + "\n")
        process.stdin.flush()
        ends.append(json.loads(process.stdout.readline()))
        assert seen() == before
        connection.close()  # SQLite has one writer at a time
    process.communicate(timeout=20)
    assert ends.count(-signal.SIGKILL) >= len(points) - 2  # a late statement may be after the end
    services.rebuild(ladder_key=LADDER, cause="the next attempt")
    assert seen() == before
    assert [str(found) for found in audit.differences()] == []
    assert set(Rating.objects.values_list("generation__state", flat=True)) <= {"live", "old"}
