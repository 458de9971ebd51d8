"""grant_rights: after a migration or a restore, gives the role of the running site its rights in PostgreSQL."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tock_league.upkeep.errors import CannotDo
from tock_league.upkeep.rights import grant


class Command(BaseCommand):
    help = (
        "Let a PostgreSQL role use the tables without owning them; run it as their owner, after `migrate` or `restore`."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("role", help="the role of web, worker and beat, such as tock_app")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            rights = grant(options["role"])
        except CannotDo as reason:
            raise CommandError(str(reason)) from None
        changes, adds, reads = (len(rights[name]) for name in ("changes", "adds", "reads"))
        self.stdout.write(
            f"{options['role']} reads {changes + adds + reads} tables, adds rows to {changes + adds}, changes rows of {changes}."
        )
