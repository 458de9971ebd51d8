"""The weekly restore drill: when it is due, the process that runs it, and its results (`Drill`).

It runs at night while nobody plays, on the newest nightly copy, because that is the file on which everything would depend.
A laptop that is off at night does it by day.
"""

import logging
import shutil
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from games.models import Game
from tock_league.common import clock

from .backup import copies, default_folder
from .drill import drill
from .errors import CannotDo
from .models import Drill
from .nightly import AT_NIGHT, alone

log = logging.getLogger(__name__)
WEEK = timedelta(days=7)
AFTER = timedelta(days=6, hours=12)  # since the last good drill: due in the next night
BY_DAY = timedelta(days=9)  # due at any hour while no table is played
IN_ANY_CASE = timedelta(days=12)  # due at any hour; after 14 days without a drill the site warns
PAUSE = timedelta(hours=20)  # between two attempts
FRESH = timedelta(days=2)  # an older copy is not drilled: a new one is made
QUIET = timedelta(minutes=10)  # without a play, after which a table counts as left
KEPT = 100  # results
# Times the size of the database: what is restored, and what checking it writes. PostgreSQL's disk cannot be asked; it is
# usually the same one, and must not fill up while people play.
ROOM = 3
LOCK = "drill-lock"
_tried: dict[str, datetime] = {}
_running: list[subprocess.Popen[bytes]] = []


def start_if_due() -> bool:
    """Start the process of the weekly drill if it is due; return whether it was started. Does not wait for it."""
    if not settings.WEEKLY_DRILL:
        return False
    now, name = clock.now(), str(connection.settings_dict["NAME"])
    if now - _tried.get(name, now - PAUSE) < PAUSE or not due(now):
        return False
    _tried[name] = now
    _running[:] = [process for process in _running if process.poll() is None]  # ended children are collected
    command = [sys.executable, str(settings.ROOT / "manage.py"), "restore_drill", "--weekly"]
    _running.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL))
    return True


def due(now: datetime) -> bool:
    """Return whether a drill is due at `now`."""
    last = Drill.objects.first()
    if last is not None and now - last.done_at < PAUSE:
        return False
    good = Drill.objects.filter(ok=True).first()
    since = good.done_at if good is not None else _began()
    age = now - since if since is not None else WEEK
    if age >= IN_ANY_CASE:
        return True
    night = timezone.localtime(now).hour in AT_NIGHT
    return (age >= BY_DAY or (night and age >= AFTER)) and not _busy(now)


def _began() -> datetime | None:
    """Return when the site had its first game, None before; a site without a drill counts from there."""
    return Game.objects.order_by("pk").values_list("created_at", flat=True).first()


def _busy(now: datetime) -> bool:
    """Return whether a game is being played."""
    return Game.objects.filter(state=Game.State.PLAYING, updated_at__gte=now - QUIET).exists()


def run() -> Drill | None:
    """Run the drill and keep its result; return it, or None where another process is at it. Never raises CannotDo."""
    folder = default_folder()
    with alone(folder, LOCK) as ours:
        if not ours:
            return None
        since = clock.monotonic()
        found: dict[str, Any] = {}
        told: list[str] = []
        try:
            _require_room(folder)
            found = drill(_newest(folder), say=told.append, folder=folder)
            reason = ""
        except (CannotDo, OSError) as error:
            reason = str(error) or type(error).__name__
        except Exception as error:
            log.exception("the weekly drill broke off")
            reason = f"The drill broke off: {type(error).__name__}."
        if reason:
            log.error("the weekly restore drill failed: %s", reason)
        made = Drill.objects.create(
            done_at=clock.now(),
            ok=not reason,
            seconds=clock.monotonic() - since,
            events=found.get("rows", {}).get("games_gameevent", 0),
            note=_note(told, reason),
        )
        Drill.objects.filter(pk__in=[each.pk for each in Drill.objects.all()[KEPT:]]).delete()
        return made


def _note(told: list[str], reason: str) -> str:
    """Return what a failed check found, or which copy was good."""
    faults = [
        line.strip() for line in told if line.startswith("  ") or " differences, " in line or " difference, " in line
    ]
    return "\n".join([reason, *faults[:20]] if reason else told[-1:])


def _newest(folder: Path) -> Path | None:
    """Return the newest copy of the folder, None where there is none of these days."""
    found = copies(folder)
    if not found or clock.now_ms() / 1000 - found[-1].stat().st_mtime > FRESH.total_seconds():
        return None
    return found[-1]


def _require_room(folder: Path) -> None:
    """Raise CannotDo where the disk has no room for the drill."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            size = cursor.fetchone()[0]
    else:
        size = Path(connection.settings_dict["NAME"]).stat().st_size
    free = shutil.disk_usage(folder).free
    if free < size * ROOM:
        raise CannotDo(f"The disk of {folder} has no room for the drill: {size * ROOM / 1e6:.0f} MB are needed.")
