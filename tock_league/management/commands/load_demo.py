from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
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
        with _roles_without_factor():
            lines = prepare(clock.now())
        for line in lines:
            self.stdout.write(line)


@contextmanager
def _roles_without_factor() -> Iterator[None]:
    """Let the roles of the demo's people act in this process while it is loaded, without a second factor.

    On the site they give no right before their holder has one, as everybody else's (`MFA_REQUIRED_ROLES`).
    """
    required, settings.MFA_REQUIRED_ROLES = settings.MFA_REQUIRED_ROLES, []
    try:
        yield
    finally:
        settings.MFA_REQUIRED_ROLES = required
