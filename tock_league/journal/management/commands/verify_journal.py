"""verify_journal: checks that the journal is as it was written."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, ProgrammingError

from tock_league.journal.selectors.verification import names, verify
from tock_league.journal.store.checks import missing


class Command(BaseCommand):
    help = (
        "Check every entry, link and personal text of the journal; exit code 1 names the first bad entry of a stream."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--stream", help="one stream, such as competition:winter-league; all when it is not given")

    def handle(self, *args: Any, stream: str | None = None, **options: Any) -> None:
        try:
            known = names()
        except (OperationalError, ProgrammingError) as error:
            raise CommandError(f"no journal can be read here: {error}") from error
        if stream is not None and stream not in known:
            raise CommandError(f"no such stream: {stream}")
        verdicts = [verify(name) for name in ([stream] if stream is not None else known)]
        faults = [str(verdict.fault) for verdict in verdicts if verdict.fault]
        faults += [f"the trigger {name} is missing: rows of {table} could be changed" for table, name in missing()]
        for fault in faults[1:]:
            self.stderr.write(fault)
        if faults:
            raise CommandError(faults[0])
        entries = sum(verdict.entries for verdict in verdicts)
        self.stdout.write(f"good: {entries} entries in {len(verdicts)} streams")
