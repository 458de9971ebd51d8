from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tock_league.clubs.models import Club
from tock_league.common import clock
from tock_league.demo.league import is_founded
from tock_league.demo.load import prepare


class Command(BaseCommand):
    help = "Load the demo league into this database, or finish a loading that was cut off; `serve` does it by itself."

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_founded() and Club.objects.exists():
            raise CommandError("This database holds clubs of its own; the demo is loaded into an empty one.")
        for line in prepare(clock.now()):
            self.stdout.write(line)
