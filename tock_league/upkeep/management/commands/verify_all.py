"""verify_all: recomputes everything that can be recomputed, and compares it with what is stored."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from tock_league.upkeep.databases import require_present
from tock_league.upkeep.errors import CannotDo
from tock_league.upkeep.verification import PARTS, verify


class Command(BaseCommand):
    help = (
        "Check the database, the journal, arbitration, every game, result, standing and rating against a recomputation;"
        " exit code 1 when something differs. It only reads, also while the site runs."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--part", action="append", choices=[part.name for part in PARTS], help="only this part")
        parser.add_argument("--json", action="store_true", help="print one JSON object a part")
        parser.add_argument("--data", help="data folder of `serve` (var/club, or var/demo where that is missing)")

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = [part for part in PARTS if not options["part"] or part.name in options["part"]]
        wrong = []
        try:
            require_present()
            for outcome in verify(chosen):
                wrong += [outcome.name] if outcome.count else []
                if options["json"]:
                    self.stdout.write(json.dumps(outcome.body(), ensure_ascii=False))
                else:
                    self.stdout.write(outcome.line)
                    for each in outcome.first:
                        self.stdout.write(f"  {each}")
                self.stdout.flush()
        except CannotDo as reason:
            raise CommandError(str(reason)) from None
        except DatabaseError as error:
            raise CommandError(f"The database cannot be read: {error}".strip()) from None
        if wrong:
            raise CommandError(f"differences in {', '.join(wrong)}")
