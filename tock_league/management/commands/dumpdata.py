"""dumpdata: Django's, which also prints the hands and seeds of running games. That leaves an entry in the journal."""

from typing import Any

from django.core.management.commands.dumpdata import Command as DjangoCommand

from games.models import Game
from tock_league.common.transactions import writing
from tock_league.journal.services import OPEN, record

SECRET = {"games", "games.gameevent", "games.dealsecret"}


class Command(DjangoCommand):
    help = f"{DjangoCommand.help} Hands of running games are printed too: the journal records that this was done."

    def handle(self, *labels: Any, **options: Any) -> None:
        running = Game.objects.exclude(state=Game.State.OVER).count()
        if running and _shows_hands(labels, options["exclude"]):
            with writing():
                record(OPEN, "records.dumped", body={"running_games": running})
            self.stderr.write(
                f"This prints the hands and seeds of {running} running games. The journal records it as records.dumped."
            )
        super().handle(*labels, **options)


def _shows_hands(labels: Any, excluded: Any) -> bool:
    """Return whether the rows or the seeds of games are among what is asked for."""
    asked = {str(label).lower() for label in labels}
    left_out = {str(label).lower() for label in excluded or ()}
    if "games" in left_out or {"games.gameevent", "games.dealsecret"} <= left_out:
        return False
    return not asked or bool(asked & SECRET)
