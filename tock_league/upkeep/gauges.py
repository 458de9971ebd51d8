"""What a scrape looks up about copies, the journal and the restore drill."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import Error
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from tock_league.common import clock

from . import nightly, nightly_check

DRILL = ("upkeep", "Drill")  # rows: done_at, ok


def look() -> Iterable[Metric]:
    """Yield the age of the newest copy and the space beside it, the last check of the journal, the last drill.

    Nothing about what has never been done, or is not kept on this machine: the alarms are for what is missing too.
    """
    if settings.BACKUP_DIR and (folder := Path(settings.BACKUP_DIR)).is_dir():
        yield from _copies(folder)
    yield from _drills()


def _copies(folder: Path) -> Iterable[Metric]:
    now = clock.now()
    if made := nightly.newest(folder):
        yield GaugeMetricFamily("tock_copy_age_seconds", "Age of the newest copy", (now - made).total_seconds())
    space = shutil.disk_usage(folder)
    yield GaugeMetricFamily("tock_copies_free_ratio", "Free part of the disk of the copies", space.free / space.total)
    if checked := nightly_check.last(folder):
        at, differences = checked
        age = (clock.now_ms() - at) / 1000
        yield GaugeMetricFamily("tock_journal_check_age_seconds", "Since the journal was last verified", age)
        yield GaugeMetricFamily("tock_journal_differences", "Differences that this check found", differences)


def _drills() -> Iterable[Metric]:
    """Yield the last drill, and the last good one. None where drills are not recorded."""
    try:
        drills = apps.get_model(*DRILL)._default_manager.order_by("-done_at")
        last, good = drills.first(), drills.filter(ok=True).first()
    except (LookupError, Error):  # `tock_part_ok` says that the database is away
        return
    if last is not None:
        yield GaugeMetricFamily("tock_drill_ok", "Whether the last restore drill was good", float(last.ok))
    if good is not None:
        age = (clock.now() - good.done_at).total_seconds()
        yield GaugeMetricFamily("tock_drill_age_seconds", "Since the last good restore drill", age)
