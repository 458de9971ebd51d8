"""replay_game: fold records again through the engine and compare with chain and index."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Game
from games.selectors import replays


class Command(BaseCommand):
    help = "Fold the record of games again and compare with the stored chain and index."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("games", nargs="*", help="public ids; all games when none is given")

    def handle(self, *args: Any, games: list[str], **options: Any) -> None:
        found = Game.objects.select_related("table").order_by("pk")
        if games:
            found = found.filter(slug__in=games)
            if missing := set(games) - set(found.values_list("slug", flat=True)):
                raise CommandError(f"no such game: {', '.join(sorted(missing))}")
        count, wrong = 0, 0
        for game in found.iterator(chunk_size=100):
            count += 1
            for fault in replays.faults(game):
                wrong += 1
                self.stderr.write(f"{game.slug}: {fault}")
        if wrong:
            raise CommandError(f"{wrong} faults in {count} games")
        self.stdout.write(f"{count} games folded, no difference")
