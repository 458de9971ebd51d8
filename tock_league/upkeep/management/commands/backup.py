"""backup: a copy of the whole site in one file, while it runs."""

import logging
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tock_league.upkeep.backup import backup, default_folder, thin_out
from tock_league.upkeep.elsewhere import beside
from tock_league.upkeep.errors import CannotDo
from tock_league.upkeep.nightly import alone
from tock_league.upkeep.nightly_check import check_journal

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = (
        "Copy the database, with a manifest, into one file; `serve` may run. Keep the file secret: it holds everything."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="the new file (a file in --dir when it is not given)")
        parser.add_argument("--dir", type=Path, help="folder of the copies (`backups` in the data folder)")
        parser.add_argument(
            "--nightly", action="store_true", help="delete old copies, at low priority; what beat starts every night"
        )
        parser.add_argument(
            "--every-minute", action="store_true", help="what `serve --copy-to` starts beside itself; not for people"
        )
        parser.add_argument("--data", help="data folder of `serve` (var/club, or var/demo where that is missing)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["every_minute"]:
                beside.run(settings.DATA)
            elif options["nightly"]:
                self._nightly(options["dir"])
            else:
                self._make(options["file"] or options["dir"] or default_folder())
        except CannotDo as reason:
            if options["nightly"]:
                log.error("the nightly copy failed: %s", reason)
            raise CommandError(str(reason)) from None

    def _make(self, target: Path) -> None:
        made = backup(target)
        rows = sum(made.manifest["rows"].values())
        self.stdout.write(f"{made.path} ({made.path.stat().st_size / 1e6:.1f} MB, {rows} rows, {made.seconds:.1f} s)")
        self.stdout.write(f"journal root {made.manifest['journal_root']}")

    def _nightly(self, folder: Path | None) -> None:
        if hasattr(os, "nice"):
            os.nice(10)
        folder = folder or default_folder()
        with alone(folder) as ours:
            if ours:
                self._make(folder)
                thin_out(folder, settings.BACKUPS_KEPT)
                check_journal(folder)
