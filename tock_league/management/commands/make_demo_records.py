from typing import Any

from django.core.management.base import BaseCommand

from tock_league.demo import packing, play


class Command(BaseCommand):
    help = "For developers: let the bots play the demo league's games again and write the file of their records."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        games = list(play.make())
        packing.save(games)
        size = packing.FILE.stat().st_size
        rows = sum(len(game.plays) for game in games)
        self.stdout.write(
            f"{len(games)} games, {rows} plays, {size // 1000} kB, longest {packing.longest(games):.0f} min"
        )
