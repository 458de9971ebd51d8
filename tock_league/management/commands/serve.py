from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tock_league.embedded.process import CannotServe, serve


class Command(BaseCommand):
    help = "Serve the whole site from one process on a SQLite file, with the demo league unless told otherwise."
    requires_system_checks = []  # three tenths of a second; `test` and `check_all` run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=port_number, default=8000, help="port to listen on, 0 for any (8000)")
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 opens it to the network")
        parser.add_argument("--data", type=Path, help="folder of database, mail and secret key (var/demo or var/club)")
        parser.add_argument("--no-demo", action="store_true", help="start with an empty club instead of the demo")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = getattr(settings, "DATA", None)
        if folder is None:
            raise CommandError("serve is the one-process way of running; production starts web, worker and beat apart.")
        if options["data"] and options["data"].absolute() != folder:
            raise CommandError("Start it as `python3 manage.py serve`: the data folder is read before Django starts.")
        try:
            serve(
                data=folder,
                host=options["host"],
                port=options["port"],
                demo=not options["no_demo"],
                say=self.say,
            )
        except CannotServe as reason:
            raise CommandError(str(reason)) from None

    def say(self, line: str) -> None:
        """Print `line` at once, also where the output is a file."""
        self.stdout.write(line)
        self.stdout.flush()


def port_number(text: str) -> int:
    """Return the port in `text`; argparse turns the ValueError into its own message."""
    port = int(text)
    if not 0 <= port <= 65535:
        raise ValueError(text)
    return port
