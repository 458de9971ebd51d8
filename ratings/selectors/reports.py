"""The evaluation reports as the public page shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from ratings.core.evaluation.measures import FEW_GAMES, FEW_SIDES, margin
from ratings.core.params import Params
from ratings.models import EvaluationReport, Ladder, RatingParams
from tock_league.common import canonical
from tock_league.common.errors import NotThere, Text

LEFT, RIGHT, TOP, BOTTOM = 76.0, 600.0, 16.0, 352.0  # of the drawing, in a box of 620 x 420

METHODS: dict[str, Text] = {
    "seeded": gettext_lazy("Ours: each pair rated, beginning from its players"),
    "players": gettext_lazy("Players alone, a pair is their sum"),
    "nothing": gettext_lazy("Each pair rated, beginning as newcomers"),
    "synergy": gettext_lazy("Players, and a term for how two play together"),
    "rank": gettext_lazy("The higher rating wins"),
    "elo": pgettext_lazy("rating method", "Elo"),
    "glicko": pgettext_lazy("rating method", "Glicko"),
    "openskill": pgettext_lazy("rating method", "openskill"),
}
LEAGUES: dict[str, Text] = {
    "fixed": gettext_lazy("Fixed pairs, half of them join midway"),
    "two_partners": gettext_lazy("Two partners each"),
    "three_partners": gettext_lazy("Three partners each"),
    "rotating": gettext_lazy("Partners drawn for every game"),
    "newcomers": gettext_lazy("Partners drawn, half of the players join midway"),
    "cheat": gettext_lazy("Four pairs lose on purpose until the middle"),
    "closer": gettext_lazy("Players closer in strength than we assume"),
}
SWEEPS: dict[str, Text] = {
    "beta": gettext_lazy("Luck in one game (β)"),
    "tau": gettext_lazy("Change of skill from game to game (τ)"),
    "idle_per_day": gettext_lazy("Growth of the margin during a day without a game"),
    "synergy": gettext_lazy("How much a new pair may differ from its players"),
}
GOALS: dict[str, Text] = {
    "near_best": gettext_lazy("close to the best of the four ways to rate pairs"),
    "beats_elo": gettext_lazy("better than Elo"),
    "beats_rank": gettext_lazy("better than “the higher rating wins”"),
    "calibrated": gettext_lazy("announced chances at most 3 points from what happened"),
}


@dataclass(frozen=True)
class Method:
    """One method's row."""

    name: Text
    k: str  # the K of Elo, else ""
    loss: str
    brier: str
    right: str  # a percentage
    own: bool


@dataclass(frozen=True)
class Tenth:
    """What happened to the sides whose announced chance was in one tenth. Coordinates of the drawing."""

    low: int  # percent
    high: int
    sides: int
    expected: str
    won: str
    few: bool  # too few sides to judge: not drawn
    x: float
    y: float
    upper: float
    lower: float


@dataclass(frozen=True)
class Figures:
    """The figures of one evaluation."""

    games: int
    few: bool
    methods: Sequence[Method]
    tenths: Sequence[Tenth]
    sweeps: Sequence[tuple[Text, Sequence[tuple[str, str, bool]]]]  # (value, log loss, whether in use)
    goals: Sequence[tuple[Text, bool | None]]
    title: Text = ""

    @property
    def own(self) -> Method:
        return next(method for method in self.methods if method.own)

    def others(self) -> Sequence[Method]:
        return [method for method in self.methods if not method.own]


@dataclass(frozen=True)
class Shown:
    """A ladder and the newest report of the parameters in force there; None if there is none."""

    ladder: Ladder
    version: int
    report: EvaluationReport | None
    figures: Figures | None


def digest_of(params: Params) -> str:
    """Return the SHA-256 of the parameters, hex: equal values have equal digests, 25 and 25.0 too."""
    values = params.to_json()
    return canonical.digest({name: v if isinstance(v, str) else float(v) for name, v in values.items()})


def shown() -> list[Shown]:
    """Return each ladder with its newest report. Two queries, and one for each ladder."""
    found = []
    for ladder in Ladder.objects.select_related("params").order_by("family", "teams"):
        digest = digest_of(Params.from_json(ladder.params.values))
        report = EvaluationReport.objects.filter(ladder=ladder, values_digest=digest).order_by("-created_at", "-pk")
        newest = report.first()
        figures = newest.figures["log"] if newest is not None else None
        found.append(Shown(ladder, ladder.params.version, newest, figures_of(figures) if figures else None))
    return found


def simulated() -> tuple[EvaluationReport | None, list[Figures]]:
    """Return the newest report with simulated leagues, of the newest parameters, and its leagues."""
    newest = RatingParams.objects.order_by("-version").first()
    params = Params.from_json(newest.values) if newest is not None else Params()
    reports = EvaluationReport.objects.filter(values_digest=digest_of(params)).order_by("-created_at", "-pk")
    report = reports.exclude(figures__leagues=[]).first()
    if report is None:
        return None, []
    return report, [figures_of(one, title=LEAGUES[one["league"]]) for one in report.figures["leagues"]]


def report(number: int) -> EvaluationReport:
    """Return the report of that number, or NotThere."""
    found = EvaluationReport.objects.select_related("ladder").filter(pk=number).first()
    if found is None:
        raise NotThere
    return found


def as_json(report: EvaluationReport) -> dict[str, Any]:
    """Return a report as JSON values."""
    return {
        "report": report.pk,
        "ladder": report.ladder.key if report.ladder is not None else None,
        "parameters": report.values,
        "games": report.games,
        "made_at": report.created_at.isoformat(),
        "made_from": report.made_from,
        **report.figures,
    }


def figures_of(found: Mapping[str, Any], title: Text = "") -> Figures:
    """Return stored figures in the active language."""
    methods = [
        Method(
            name=METHODS[one["name"]],
            k=_decimal(one["k"], 0) if one["k"] else "",
            loss=_decimal(one["loss"], 3),
            brier=_decimal(one["brier"], 3),
            right=percent(one["right"]),
            own=one["name"] == "seeded",
        )
        for one in found["methods"]
    ]
    own = next(one["loss"] for one in found["methods"] if one["name"] == "seeded")
    return Figures(
        games=found["games"],
        few=found["games"] < FEW_GAMES,
        methods=methods,
        tenths=[_tenth(i, one) for i, one in enumerate(found["tenths"])],
        sweeps=[(SWEEPS[one["field"]], _swept(one, own)) for one in found["sweeps"]],
        goals=[(GOALS[name], met) for name, met in found["goals"].items()],
        title=title,
    )


def _tenth(i: int, one: Mapping[str, Any]) -> Tenth:
    half = margin(one["won"], one["sides"])
    return Tenth(
        low=10 * i,
        high=10 * i + 10,
        sides=one["sides"],
        expected=percent(one["expected"]),
        won=percent(one["won"]),
        few=one["sides"] < FEW_SIDES,
        x=LEFT + (RIGHT - LEFT) * one["expected"],
        y=_y(one["won"]),
        upper=_y(min(1.0, one["won"] + half)),
        lower=_y(max(0.0, one["won"] - half)),
    )


def _swept(one: Mapping[str, Any], own: float) -> list[tuple[str, str, bool]]:
    """Return (value, log loss, whether it is the value evaluated) by value."""
    rows = [(float(each["value"]), float(each["loss"]), False) for each in one["losses"]]
    rows.append((float(one["now"]), own, True))
    return [(_decimal(value, 4), _decimal(loss, 4), now) for value, loss, now in sorted(rows)]


def _y(share: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * share


def _decimal(value: float, places: int) -> str:
    return str(formats.number_format(value, decimal_pos=places, use_l10n=True, force_grouping=True))


def percent(share: float) -> str:
    """Return a share as a percentage with one decimal: 62.3% or 62,3 %."""
    # Translators: a percentage.
    return _("%(number)s%%") % {"number": _decimal(100 * share, 1)}


GRID: Sequence[tuple[float, float, int]] = [
    (LEFT + (RIGHT - LEFT) * part / 4, _y(part / 4), 25 * part) for part in range(5)
]
