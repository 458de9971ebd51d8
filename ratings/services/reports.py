"""Evaluation reports: made from a ladder's log and from simulated leagues, stored, and demanded of new parameters."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext_lazy as _

from ratings.core.engines import engine_for
from ratings.core.evaluation import leagues, run
from ratings.core.evaluation.own import OwnMethod
from ratings.core.params import Params
from ratings.core.recompute import Entry
from ratings.models import EvaluationReport, Ladder, RatedResult, RatingParams
from ratings.selectors import log
from ratings.selectors.reports import digest_of, simulated
from tock_league.common import canonical, clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.journal.services import OPEN, record

from .ladders import params_in_force, params_of

CODE = "1"  # raised when the same games give other figures
SEED = 2026
LEAGUE_GAMES = 12_000
LEAST, MOST = 30, 200_000  # games of a ladder whose report is made without being asked for
SHARE = 0.2  # of the games of the last report; after so many new ones, the next one is due


def make_report(
    *,
    ladder: Ladder | None,
    values: Mapping[str, Any] | None = None,
    simulate: bool = False,
    sweep: bool = True,
    league_games: int = LEAGUE_GAMES,
    seed: int = SEED,
) -> EvaluationReport:
    """Evaluate parameters and return the stored report; the known one if it would be made from the same things.

    `ladder`: its log is read, and its parameters are those in force; None only with `simulate`. `values`: what to change
    of them. Raises ValueError for values that are not valid, an unknown engine, or nothing to evaluate.
    """
    if ladder is None and not simulate:
        raise ValueError("ladder: name a ladder, or simulate")
    now = params_of(ladder.params if ladder is not None else params_in_force())
    params = Params.from_json({**now.to_json(), **(values or {})})
    engine_for(params)
    key = ladder.key if ladder is not None else ""
    head = {"code": CODE, "ladder": key, "values": digest_of(params), "now": digest_of(now), "sweep": sweep}
    hashed = sha256(canonical.utf8(head))
    found = _of_log(ladder, params, now, sweep=sweep, hashed=hashed) if ladder is not None else None
    measured_leagues = []
    for league in leagues.LEAGUES if simulate else ():
        hashed.update(canonical.utf8({"league": asdict(league), "games": league_games, "seed": seed}))
        dice = random.Random(f"{seed} {league.name}")
        methods = run.predictors(params, 2, sweep=False)
        measured = run.evaluate(leagues.simulated(league, league_games, dice), methods)
        measured_leagues.append({"league": league.name, "seed": seed, **run.summary(measured, engine_for(params))})
    made_from = hashed.hexdigest()
    with writing():
        known = EvaluationReport.objects.filter(made_from=made_from).first()
        if known is not None:
            return known
        return EvaluationReport.objects.create(
            ladder=ladder,
            values=params.to_json(),
            values_digest=digest_of(params),
            games=found["games"] if found is not None else 0,
            figures={"log": found, "leagues": measured_leagues},
            made_from=made_from,
            created_at=clock.now(),
        )


def make_due_reports(*, simulate: bool = True) -> list[EvaluationReport]:
    """Make the reports that the public page lacks, and return them.

    A ladder with LEAST games is due without a report of its parameters in force, and when its log has got a SHARE of the
    games of the last report since; one with more than MOST games is left to the command. `simulate`: also the leagues, once
    for each version.
    """
    made = []
    for ladder in Ladder.objects.select_related("params").order_by("family", "teams"):
        digest = digest_of(params_of(ladder.params))
        reports = EvaluationReport.objects.filter(ladder=ladder, values_digest=digest).order_by("-created_at", "-pk")
        games = RatedResult.objects.filter(ladder=ladder, kind=RatedResult.Kind.RESULT, rated=True)
        last = reports.first()
        # Not how many games there are: those that count no more would make a report due for ever.
        is_due = last is None or games.filter(created_at__gt=last.created_at).count() >= last.games * SHARE
        if is_due and LEAST <= games.filter(revision=1).count() <= MOST:
            made.append(make_report(ladder=ladder))
    if simulate and simulated()[0] is None:
        made.append(make_report(ladder=None, simulate=True))
    return made


def _of_log(ladder: Ladder, params: Params, now: Params, *, sweep: bool, hashed: Any) -> dict[str, Any]:
    """Return the figures of one pass over the ladder's log; `hashed` gets every entry that was read."""
    methods = run.predictors(params, ladder.teams, sweep=sweep)
    if params != now:
        methods.append(run.Named("in_force", OwnMethod(engine_for(now), ("seeded",))))
    measured = run.evaluate(_hashed(log.entries(ladder), hashed), methods)
    figures = run.summary(measured, engine_for(params))
    figures["in_force"] = measured["in_force"].mean_loss if params != now else None
    return figures


def _hashed(entries: Iterator[Entry], hashed: Any) -> Iterator[Entry]:
    for entry in entries:
        line = (entry.source, entry.completed_at.isoformat(), entry.kind, entry.sides, entry.ranks, entry.rated)
        hashed.update(repr((*line, entry.start)).encode())
        yield entry


def new_params(*, values: dict[str, object], reason: str, report: EvaluationReport | None) -> RatingParams:
    """Write the next version of the parameters: the newest one with `values` replaced. The journal names the report.

    Raises ValueError for an unknown field, an invalid value or an unknown engine; Refused naming `report` without an
    evaluation of just these values.
    """
    with writing():
        newest = params_in_force()
        params = Params.from_json({**newest.values, **values})
        engine_for(params)
        if report is None or report.values_digest != digest_of(params):
            raise Refused("report", _("New parameters need an evaluation report of just these values."), field="report")
        row = RatingParams.objects.create(
            version=newest.version + 1,
            values=params.to_json(),
            reason=reason,
            report=report,
            created_at=clock.now(),
        )
        body = {"version": row.version, "report": report.pk, "made_from": report.made_from, "values": _texts(params)}
        record(OPEN, "rating_params.changed", body=body, private={"reason": reason})
        return row


def _texts(params: Params) -> dict[str, str]:
    """Return the values as texts, because the journal keeps no fractions."""
    return {name: str(value) for name, value in params.to_json().items()}
