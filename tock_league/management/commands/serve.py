from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tock_league.embedded.process import CannotServe, serve
from tock_league.upkeep.elsewhere import beside
from tock_league.upkeep.elsewhere.going_on import restore_newest
from tock_league.upkeep.errors import CannotDo

EVERYWHERE = "0.0.0.0"  # nosec B104: only where somebody asks for it


class Command(BaseCommand):
    help = "Serve the whole site from one process on a SQLite file, with the demo league unless told otherwise."
    requires_system_checks = []  # three tenths of a second; `test` and `check_all` run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=port_number, default=8000, help="port to listen on, 0 for any (8000)")
        where = parser.add_mutually_exclusive_group()
        where.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 opens it to the network")
        where.add_argument(
            "--hall",
            action="store_true",
            help="open it to the network of the room (as --host 0.0.0.0); prints at which addresses the others reach it."
            " Without it only this computer does",
        )
        parser.add_argument("--data", type=Path, help="folder of database, mail and secret key (var/demo or var/club)")
        parser.add_argument("--no-demo", action="store_true", help="start with an empty club instead of the demo")
        parser.add_argument(
            "--copy-to",
            type=Path,
            metavar="FOLDER",
            help="keep copies in this folder of a second disk or stick, at most a minute old; keep the stick secret, for"
            " they hold everything",
        )
        parser.add_argument(
            "--from-copy",
            type=Path,
            metavar="FOLDER",
            help="begin with the newest copy in this folder (or with this file), in an empty data folder, without demo",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder = getattr(settings, "DATA", None)
        if folder is None:
            raise CommandError("serve is the one-process way of running; production starts web, worker and beat apart.")
        if options["data"] and options["data"].absolute() != folder:
            raise CommandError("Start it as `python3 manage.py serve`: the data folder is read before Django starts.")
        source, target = options["from_copy"], options["copy_to"]
        try:
            if target is not None:
                beside.require_folder(target)
            serve(
                data=folder,
                host=EVERYWHERE if options["hall"] else options["host"],
                port=options["port"],
                demo=not options["no_demo"] and source is None,
                say=self.say,
                first=partial(restore_newest, source, folder, say=self.say) if source is not None else lambda: None,
                beside=partial(beside.copying, folder, target),
            )
        except (CannotServe, CannotDo) as reason:
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
