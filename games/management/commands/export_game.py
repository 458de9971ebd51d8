"""export_game: the record of a finished game as JSON Lines."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.selectors import games, replays
from tock_league.common.errors import NotAllowed


class Command(BaseCommand):
    help = "Write the record of a finished game as JSON Lines: a head, then one row a line with its chain value."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", help="public id")

    def handle(self, *args: Any, game: str, **options: Any) -> None:
        found = games.game_by_slug(game)
        if found is None:
            raise CommandError(f"no such game: {game}")
        try:
            lines = replays.lines(found)
        except NotAllowed:
            raise CommandError(f"game {game} is still running; its record is secret") from None
        for line in lines:
            self.stdout.write(json.dumps(line, sort_keys=True, separators=(",", ":")))
