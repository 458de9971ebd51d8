"""Evaluate the rating method: on the games of a ladder, on simulated leagues, beside other methods."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings import services
from ratings.models import Ladder
from ratings.selectors.reports import as_json
from ratings.services.reports import LEAGUE_GAMES, SEED


class Command(BaseCommand):
    help = (
        "Predict every game before it is learned, compare with other methods, and store the report that the site shows."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--ladder", help="key of a ladder, such as shawinigan:2: its games are predicted")
        parser.add_argument("--simulate", action="store_true", help="also simulated leagues with known strengths")
        parser.add_argument("--engine", help="another engine, as NAME or NAME:VERSION")
        parser.add_argument(
            "--set", action="append", default=[], metavar="NAME=VALUE", help="evaluate with this parameter changed"
        )
        parser.add_argument("--no-sweep", action="store_true", help="without each parameter changed alone: faster")
        parser.add_argument("--games", type=int, default=LEAGUE_GAMES, help="games of each simulated league")
        parser.add_argument("--seed", type=int, default=SEED, help="seed of the simulated leagues")
        parser.add_argument("--json", metavar="FILE", help="also write the report to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["games"] < 1:
            raise CommandError("--games: at least 1")
        try:
            report = services.make_report(
                ladder=_ladder(options["ladder"]),
                values=_values(options["set"], options["engine"]),
                simulate=options["simulate"],
                sweep=not options["no_sweep"],
                league_games=options["games"],
                seed=options["seed"],
            )
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"report {report.pk}, made from {report.made_from}")
        if report.figures["log"] is not None:
            self._print(report.ladder.key if report.ladder is not None else "", report.figures["log"])
        for league in report.figures["leagues"]:
            self._print(f"simulated: {league['league']}", league)
        if options["json"]:
            Path(options["json"]).write_text(json.dumps(as_json(report), indent=2) + "\n", encoding="utf-8")

    def _print(self, title: str, figures: dict[str, Any]) -> None:
        self.stdout.write(f"\n{title}, {figures['games']} games")
        for method in figures["methods"]:
            name = method["name"] + (f" K={method['k']:g}" if method["k"] else "")
            self.stdout.write(
                f"  {name:12} log loss {method['loss']:.4f}  Brier {method['brier']:.4f}  right {method['right']:.1%}"
            )
        for i, tenth in enumerate(figures["tenths"]):
            if tenth["sides"]:
                line = f"  {i * 10:3}-{i * 10 + 10} %: expected {tenth['expected']:.1%}, won {tenth['won']:.1%}"
                self.stdout.write(f"{line} of {tenth['sides']}")
        for sweep in figures["sweeps"]:
            losses = ", ".join(f"{one['value']:.4g}: {one['loss']:.4f}" for one in sweep["losses"])
            self.stdout.write(f"  {sweep['field']} (now {sweep['now']:.4g}) {losses}")
        words = {True: "met", False: "NOT MET", None: "too few games"}
        for goal, met in figures["goals"].items():
            self.stdout.write(f"  {goal}: {words[met]}")


def _ladder(key: str | None) -> Ladder | None:
    if not key:
        return None
    found = Ladder.objects.select_related("params").filter(key=key).first()
    if found is None:
        keys = ", ".join(Ladder.objects.values_list("key", flat=True))
        raise CommandError(f"--ladder: {key} is none of {keys or '(no ladder yet)'}")
    return found


def _values(given: list[str], engine: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        try:
            found[name] = float(value)
        except ValueError:
            raise CommandError(f"--set: {text!r} is not NAME=NUMBER") from None
        if not equals:
            raise CommandError(f"--set: {text!r} is not NAME=NUMBER")
    if engine:
        found["engine"], _colon, version = engine.partition(":")
        if version:
            found["engine_version"] = version
    return found
