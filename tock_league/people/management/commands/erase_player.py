"""erase_player: for the operator, when somebody asks by letter to be erased."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tock_league.accounts.models import Player, User
from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.people import erasure, parts
from tock_league.people.models import Erased, Farewell


class Command(BaseCommand):
    help = (
        "Erase a person who asked for it by letter: named by the address of the login, or by the player's public id (in the"
        " address of their page). Without a name: list what waits, and how many were erased."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("who", nargs="?", help="e-mail address, or public id of the player")
        parser.add_argument("--now", action="store_true", help="do it at once, without the days to change one's mind")
        parser.add_argument("--take-back", action="store_true", help="they changed their mind")

    def handle(self, *args: Any, who: str | None, now: bool, take_back: bool, **options: Any) -> None:
        if who is None:
            return self._list()
        user = User.objects.filter(email__iexact=who).first()
        player = Player.objects.filter(slug=who).first() if user is None else None
        if user is None and player is None:
            raise CommandError(f"There is nobody with the address or public id {who}.")
        person = parts.person_of(user=user, player=player)
        if take_back:
            done = erasure.take_back_for(by=SITE, person=person)
            self.stdout.write(f"{person.label} stays." if done else f"{person.label} was not to be erased.")
            return None
        try:
            farewell = erasure.ask_for(by=SITE, user=user, player=player, days=0 if now else None)
        except Refused as reason:
            raise CommandError(f"{person.label} cannot be erased yet: {reason.sentence}") from None
        if now and (found := parts.obstacles(person)):  # one that was asked for before may have met an obstacle since
            raise CommandError(f"{person.label} cannot be erased yet: {found[0].sentence}")
        if not now:
            self.stdout.write(f"{person.label} will be erased after {farewell.due_at:%Y-%m-%d %H:%M} UTC.")
            return None
        erased = erasure.erase(person)
        erasure.wipe_traces()
        self.stdout.write(
            f"{erased.label} is erased; the pseudonym is {erased.pseudonym or 'none, as there was no player'}."
        )
        return None

    def _list(self) -> None:
        for farewell in Farewell.objects.select_related("user", "player"):
            person = parts.person_of(user=farewell.user, player=farewell.player)
            late = f", waits for: {', '.join(o.code for o in parts.obstacles(person))}" if farewell.postponed_at else ""
            self.stdout.write(f"{person.label}: {farewell.cause}, due {farewell.due_at:%Y-%m-%d %H:%M} UTC{late}")
        self.stdout.write(
            f"{Farewell.objects.count()} wait, {Erased.objects.count()} erased, {clock.now():%Y-%m-%d} UTC"
        )
