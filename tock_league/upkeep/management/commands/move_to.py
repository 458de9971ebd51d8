"""move_to: the whole site from the SQLite database of a data folder to an empty PostgreSQL database."""

import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tock_league.accounts.seals import former_key_told
from tock_league.embedded import datalock
from tock_league.embedded.folder import Unusable
from tock_league.upkeep.errors import CannotDo
from tock_league.upkeep.moving import move, target_of


class Command(BaseCommand):
    help = "Copy everything from a data folder into an empty PostgreSQL database, and prove it equal; the folder stays."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", nargs="?", help="postgres://user:password@host:5432/name (else DATABASE_URL)")
        parser.add_argument("--data", help="data folder of `serve` (var/club, or var/demo where that is missing)")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = getattr(settings, "DATA", None)
        if folder is None:
            raise CommandError("move_to reads the data folder of `serve`; these settings have none.")
        try:
            with datalock.hold(folder):
                move(target_of(options["url"] or os.environ.get("DATABASE_URL", "")), say=self.say)
        except datalock.Taken:
            raise CommandError(f"`serve` uses {folder}; stop it first, so that nothing is written meanwhile.") from None
        except (CannotDo, Unusable) as reason:
            raise CommandError(str(reason)) from None
        self.say(f"Moved. The data folder {folder} is as it was; do not serve it any more. Everybody signs in again.")
        for line in former_key_told(moved=True):
            self.say(line)

    def say(self, line: str) -> None:
        """Print `line` at once, also where the output is a file."""
        self.stdout.write(line)
        self.stdout.flush()
