"""Standings whose numbers explain themselves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Prefetch
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player

from ..core.scoring import MatchResult, SideResult
from ..core.standings import Row, standings
from ..core.tiebreaks import Explained, record
from ..models import Competition, Entry, Match, RosterSpot
from .matches import DECIDED, MatchView, views

CRITERIA: Mapping[str, str | Promise] = {
    "points": _("points"),
    "head_to_head": _("matches against each other"),
    "margin": _("marble difference"),
    "wins": _("matches won"),
    "played_wins": _("matches won at the table"),
    "sonneborn_berger": _("strength of the opponents beaten"),
    "koya": _("points against the upper half"),
    "lots": _("lots drawn from the published seed"),
}
FRACTIONS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}
FORM_LENGTH = 5


@dataclass(frozen=True)
class TermView:
    """A part of a number: the match it comes from, against whom, how much."""

    match_slug: str
    round: int
    opponent: str
    value: str


@dataclass(frozen=True)
class StepView:
    """One criterion between two neighbours: its name, both values, the matches behind them, and whether it decides."""

    criterion: str
    label: str | Promise
    ahead: str
    behind: str
    decides: bool
    terms: tuple[TermView, ...]


@dataclass(frozen=True)
class StandingView:
    """One line of the table. `why`: how it stands against the next line, as far as the criteria were asked."""

    row: Row
    entry: Entry
    name: str
    roster: tuple[Player, ...]
    points: str
    margin: str
    points_terms: tuple[TermView, ...]
    margin_terms: tuple[TermView, ...]
    form: tuple[str, ...]
    separated_by: str | Promise
    below: str
    why: tuple[StepView, ...]
    left_out: tuple[str | Promise, ...]

    @property
    def players(self) -> frozenset[int]:
        """The ids of those who play for it, so that a page can mark the reader's own row."""
        return frozenset(player.pk for player in self.roster)


def results(decided: Iterable[MatchView]) -> tuple[list[MatchResult], dict[int, Match]]:
    """The effective results that count, and their matches by id. No query."""
    made: list[MatchResult] = []
    by_id: dict[int, Match] = {}
    for view in decided:
        if view.effective.state != "decided":
            continue
        by_id[view.match.pk] = view.match
        lines = tuple(
            SideResult(side.entry_id, made_by.outcome, made_by.games, made_by.margin)
            for side, made_by in zip(view.sides, view.effective.sides, strict=True)
            if side.entry_id is not None
        )
        made.append(MatchResult(view.match.pk, view.match.round.number, view.effective.fact, lines))
    return made, by_id


def table(competition: Competition, decided: Iterable[MatchView] | None = None) -> list[StandingView]:
    """The standings, best first. `decided`: its decided matches when the page has them already.

    Two queries, and six more for the matches if they are not given; however many entries.
    """
    if decided is None:
        decided = views(competition.matches.filter(state__in=DECIDED))
    spots = RosterSpot.objects.filter(left__isnull=True).select_related("player").order_by("role", "slot")
    entries = {
        entry.pk: entry
        for entry in competition.entries.exclude(state=Entry.State.WITHDRAWN)
        .select_related("team", "player")
        .prefetch_related(Prefetch("roster", spots, to_attr="now"))
        .order_by("seed", "pk")
    }
    made, matches = results(decided)
    made = [result for result in made if all(side.entry in entries for side in result.sides)]
    regulations = competition.regulations
    rows = standings(
        record(
            list(entries),
            made,
            regulations.points_rule,
            margin_cap=regulations.body["margin_cap"],
            lots_seed=competition.lots_seed,
            names={pk: entry.slug for pk, entry in entries.items()},
        ),
        regulations.criteria if made else ("points",),  # nothing is drawn by lot before the first result
    )
    names = {pk: str(entry) for pk, entry in entries.items()}
    return [_view(row, rows, entries, names, matches, regulations.criteria) for row in rows]


def _view(
    row: Row,
    rows: Sequence[Row],
    entries: Mapping[int, Entry],
    names: Mapping[int, str],
    matches: Mapping[int, Match],
    criteria: Sequence[str],
) -> StandingView:
    def terms(of: Explained, signed: bool = False) -> tuple[TermView, ...]:
        return tuple(
            TermView(
                matches[term.match].slug,
                matches[term.match].round.number,
                names.get(term.opponent, "") if term.opponent is not None else "",
                number(term.value, signed=signed),
            )
            for term in of.terms
        )

    entry = entries[row.entry]
    asked = {step.criterion for step in row.why}
    return StandingView(
        row=row,
        entry=entry,
        name=names[row.entry],
        roster=tuple(spot.player for spot in entry.now),  # type: ignore[attr-defined]
        points=number(row.points.value),
        margin=number(row.margin.value, signed=True),
        points_terms=terms(row.points),
        margin_terms=terms(row.margin, signed=True),
        form=tuple(meeting.outcome for meeting in row.meetings[-FORM_LENGTH:]),
        separated_by=CRITERIA[row.separated_by] if row.separated_by not in ("", "points") else "",
        below=names[rows[row.ordinal].entry] if row.ordinal < len(rows) else "",
        why=tuple(
            StepView(
                step.criterion,
                CRITERIA[step.criterion],
                shown(step.ahead),
                shown(step.behind),
                step.decides,
                terms(step.ahead, signed=step.criterion == "margin") if step.criterion != "points" else (),
            )
            for step in row.why
        ),
        left_out=tuple(CRITERIA[key] for key in criteria if key not in asked),
    )


def shown(value: Explained) -> str:
    """Answer a value as the page writes it; a lot by its first eight letters."""
    if value.text:
        return value.text[:8] + "…"
    return number(value.value, signed=value.criterion == "margin")


def number(value: Fraction, *, signed: bool = False) -> str:
    """Answer an exact number: 3, 2½, 1¾, 7/3; with its sign for differences (a true minus)."""
    whole, rest = divmod(abs(value), 1)
    if rest == 0:
        text = str(whole)
    elif rest in FRACTIONS:
        text = (str(whole) if whole else "") + FRACTIONS[rest]
    else:
        text = f"{abs(value).numerator}/{abs(value).denominator}"
    if value < 0:
        return f"−{text}"
    return f"+{text}" if signed and value > 0 else text
