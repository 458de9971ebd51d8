"""Put the parameters of an evaluation report into force."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings import services
from ratings.models import EvaluationReport, Ladder
from tock_league.common.errors import Refused


class Command(BaseCommand):
    help = "Write a new version of the parameters with the values of a report, and recompute every ladder with them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--report", type=int, required=True, help="number of the report (rating_report prints it)")
        parser.add_argument("--reason", required=True, help="why, at most 200 characters; kept with the version")

    def handle(self, *args: Any, **options: Any) -> None:
        report = EvaluationReport.objects.filter(pk=options["report"]).first()
        if report is None:
            raise CommandError(f"--report: there is no report {options['report']}")
        if not 0 < len(options["reason"]) <= 200:
            raise CommandError("--reason: 1 to 200 characters")
        try:
            params = services.new_params(values=report.values, reason=options["reason"], report=report)
        except (Refused, ValueError) as error:
            raise CommandError(str(error)) from error
        for key in Ladder.objects.values_list("key", flat=True):
            generation = services.rebuild(ladder_key=key, cause=f"parameters {params.version}", params=params)
            self.stdout.write(f"{key}: generation {generation.number}, parameters {params.version}")
