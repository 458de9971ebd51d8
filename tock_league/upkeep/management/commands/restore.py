"""restore: a copy becomes the site's database again, in an empty place."""

from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from tock_league.accounts.seals import former_key_told
from tock_league.embedded import datalock
from tock_league.embedded.folder import Unusable
from tock_league.upkeep.errors import CannotDo
from tock_league.upkeep.restore import restore


class Command(BaseCommand):
    help = "Restore a copy into an empty data folder or database, and prove that everything is there and consistent."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the copy")
        parser.add_argument("--data", help="the empty data folder (var/club)")
        parser.add_argument(
            "--despite-differences",
            action="store_true",
            help="keep what was restored although checks found differences; only when no better copy is left",
        )

        parser.add_argument(
            "--erased",
            type=Path,
            action="append",
            default=[],
            help="a newer list of erased people (erased.jsonl) than the one beside the copy; may be repeated",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        embedded = connection.vendor == "sqlite"
        try:
            with datalock.hold(settings.DATA) if embedded else nullcontext():
                keep = options["despite_differences"]
                restore(options["file"], keep_anyway=keep, erased=options["erased"], say=self.say)
        except datalock.Taken:
            raise CommandError(f"`serve` uses {settings.DATA}; stop it first.") from None
        except OSError as error:
            raise CommandError(f"The temporary folder cannot be written: {error.strerror or error}.") from None
        except (CannotDo, Unusable) as reason:
            raise CommandError(str(reason)) from None
        where = settings.DATA if embedded else f"the database {connection.settings_dict['NAME']}"
        self.say(f"Restored into {where}. Everybody signs in again.")
        for line in former_key_told():
            self.say(line)

    def say(self, line: str) -> None:
        """Print `line` at once, also where the output is a file."""
        self.stdout.write(line)
        self.stdout.flush()
