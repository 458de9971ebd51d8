"""restore_drill: proves that a copy can be restored, without touching the site's own data."""

import logging
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tock_league.upkeep import weekly
from tock_league.upkeep.backup import roomy_folder
from tock_league.upkeep.drill import drill
from tock_league.upkeep.errors import CannotDo

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Copy, restore elsewhere, verify, and compare journal roots, standings and ratings; the site may run."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="an existing copy; a new one is made without it")
        parser.add_argument(
            "--weekly", action="store_true", help="the newest nightly copy, at low priority; the result is kept; beat's"
        )
        parser.add_argument("--data", help="data folder of `serve` (var/club, or var/demo where that is missing)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["weekly"]:
            self._weekly()
            return
        try:
            drill(options["file"], say=self.say, folder=roomy_folder())
        except OSError as error:
            raise CommandError(f"The temporary folder cannot be written: {error.strerror or error}.") from None
        except CannotDo as reason:
            raise CommandError(str(reason)) from None

    def _weekly(self) -> None:
        if hasattr(os, "nice"):
            os.nice(10)
        try:
            made = weekly.run()
        except CannotDo as reason:  # there is no folder for copies
            log.error("the weekly restore drill failed: %s", reason)
            raise CommandError(str(reason)) from None
        if made is None:
            self.say("Another drill is running; it will keep its result.")
        elif not made.ok:
            raise CommandError(made.note)
        else:
            self.say(made.note)

    def say(self, line: str) -> None:
        """Print `line` at once, also where the output is a file."""
        self.stdout.write(line)
        self.stdout.flush()
