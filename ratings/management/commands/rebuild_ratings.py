"""Recompute ladders from the log, or compare the stored states with a replay of the log."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings import services
from ratings.models import Ladder


class Command(BaseCommand):
    help = "Recompute the ratings of a ladder (or all) beside those in force, then switch to them in one transaction."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--ladder", help="key of one ladder, such as shawinigan:2; all without it")
        parser.add_argument("--cause", default="asked for", help="why, kept with the generation")
        parser.add_argument(
            "--check", action="store_true", help="change nothing: compare the stored states with a replay of the log"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        keys = list(Ladder.objects.values_list("key", flat=True))
        if options["ladder"]:
            if options["ladder"] not in keys:
                raise CommandError(f"--ladder: {options['ladder']} is none of {', '.join(keys) or '(no ladder yet)'}")
            keys = [options["ladder"]]
        for key in keys:
            if options["check"]:
                self._check(key)
            else:
                generation = services.rebuild(ladder_key=key, cause=options["cause"])
                self.stdout.write(f"{key}: generation {generation.number}, {generation.digest}")

    def _check(self, key: str) -> None:
        stored, replayed = services.verify(ladder_key=key)
        if stored != replayed:
            raise CommandError(f"{key}: stored {stored}, replayed {replayed}; run rebuild_ratings --ladder {key}")
        self.stdout.write(f"{key}: {stored}, equal to a replay of the log")
