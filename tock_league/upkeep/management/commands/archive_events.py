"""archive_events: packs the records of long finished games; pages and replays read them where they lie."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tock_league.upkeep import archiving, databases, records
from tock_league.upkeep.errors import CannotDo


class Command(BaseCommand):
    help = "Pack the records of finished games of past months, verified before and after; `serve` may run."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--before", metavar="2025-01", help="archive the months before this one")
        what.add_argument("--restore", metavar="2024-12", help="write a month's records back into the table")
        what.add_argument("--check", metavar="FILE", type=Path, help="read a file of records back; needs no database")
        parser.add_argument(
            "--to", metavar="FOLDER", type=Path, help="with --before: also write a file of each month there"
        )
        parser.add_argument("--dry-run", action="store_true", help="with --before: only say what would be done")
        parser.add_argument("--data", help="data folder of `serve` (var/club, or var/demo where that is missing)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["check"]:
                games, rows = records.check(options["check"])
                self.say(f"good: {games} games with {rows} rows, each replayed by the rules")
                return
            databases.require_present()
            if late := databases.behind():
                raise CannotDo(f"The database is of an older version ({late[0]} is missing); run `migrate` first.")
            if options["restore"]:
                archiving.bring_back(archiving.month_of(options["restore"]), say=self.say)
            else:
                before = archiving.month_of(options["before"])
                if (to := options["to"]) is not None and not to.is_dir():
                    raise CannotDo(f"There is no folder {to}.")
                archiving.archive_before(before, to=to, say=self.say, dry=options["dry_run"])
            self.say(archiving.counted())
        except CannotDo as reason:
            raise CommandError(str(reason)) from None

    def say(self, line: str) -> None:
        """Print `line` at once, also where the output is a file."""
        self.stdout.write(line)
        self.stdout.flush()
