"""Check the invariants of every case, ruling and effect; to be run every night."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tock_league.arbitration.selectors.cases import audit


class Command(BaseCommand):
    help = "Check the invariants of arbitration (I1 to I10) over all cases; fails when one is broken."

    def handle(self, *args: Any, **options: Any) -> None:
        report = audit.audit()
        for fault in report.faults:
            self.stderr.write(fault)
        if report.faults:
            raise CommandError(f"{len(report.faults)} faults in {report.cases} cases")
        self.stdout.write(
            f"{report.cases} cases, {report.events} events, {report.rulings} rulings, {report.effects} effects: all is well"
        )
