"""Standings, with the matches and terms behind each number."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tock_league.accounts.models import Player

from ...core.caps import Cap
from ...core.scoring import MatchResult
from ...core.standings import PRESENCE, SETTLED, StandingRow
from ...core.tiebreaks import Explained
from ...models import Competition, Entry, Group, StandingOverride
from ..rounds.matches import DECIDED, MatchView, views
from ..seasons.counting import difference_words, scored_words
from . import ranking
from .ranking import Place, groups_with_tables, order, settled_by, told_apart

__all__ = [
    "CRITERIA",
    "Place",
    "StandingView",
    "StepView",
    "TermView",
    "group_tables",
    "number",
    "order",
    "results",
    "shown",
    "table",
]

CRITERIA: Mapping[str, str | Promise] = {
    "points": _("points"),
    "head_to_head": _("matches against each other"),
    "margin": _("marble difference"),
    "scored": _("points scored"),
    "wins": _("matches won"),
    "played_wins": _("matches won at the table"),
    "sonneborn_berger": _("strength of the opponents beaten"),
    "koya": _("points against the upper half"),
    "progressive": _("sum of the running totals"),
    "buchholz": _("strength of the opponents"),
    "buchholz_running": _("strength of the opponents, unplayed rounds by the running score"),
    "buchholz_cut1": _("strength of the opponents without the weakest"),
    "median": _("strength of the opponents without the weakest and the strongest"),
    "penalties": _("fewest penalty points"),
    "lots": _("lots drawn from the published seed"),
    PRESENCE: _("still in the competition"),
    SETTLED: _("lots, a play-off or a decision"),  # of a results file, which says how elsewhere
    **{settled_by(how): how.label for how in StandingOverride.How},
}

FRACTIONS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}
FORM_LENGTH = 5
# Translators: a part of a team's points that comes from no match: a round without opponent, or a referee's ruling.
NO_MATCH = (pgettext_lazy("points", "round without opponent"), pgettext_lazy("points", "by ruling"))


@dataclass(frozen=True)
class TermView:
    """A part of a number: the match it comes from, against whom, how much.

    `note`: how the match was decided if it was not played; without a match what it is (bye, ruling).
    """

    match_slug: str
    round: int
    opponent: str
    value: str
    note: str | Promise = ""


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
    """One line of the table."""

    row: StandingRow
    entry: Entry
    name: str
    roster: tuple[Player, ...]
    points: str
    margin: str
    scored: str
    points_terms: tuple[TermView, ...]
    margin_terms: tuple[TermView, ...]
    scored_terms: tuple[TermView, ...]
    form: tuple[str, ...]
    separated_by: str | Promise
    below: str
    why: tuple[StepView, ...]  # the comparison with the next line, for each criterion that was consulted
    left_out: tuple[str | Promise, ...]

    @property
    def players(self) -> frozenset[int]:
        """The ids of those who play for it, so that a page can mark the reader's own row."""
        return frozenset(player.pk for player in self.roster)


def label_of(criterion: str, rules: str, cap: Cap | None) -> str | Promise:
    """Return the name of a criterion in a competition under `rules`, with the time cap of its games."""
    if criterion == "margin":
        return difference_words(rules, cap)
    return scored_words(cap) if criterion == "scored" else CRITERIA[criterion]


def results(decided: Iterable[MatchView]) -> tuple[list[MatchResult], dict[int, MatchView]]:
    """Return the effective results that count, and their matches by id. No query."""
    made: list[MatchResult] = []
    by_id: dict[int, MatchView] = {}
    for view in decided:
        result = ranking.result_of(view.match, [side.entry_id for side in view.sides], view.effective)
        if result is None or result.fact == "void":
            continue
        by_id[view.match.pk] = view
        made.append(result)
    return made, by_id


def table(
    competition: Competition, decided: Iterable[MatchView] | None = None, *, group: Group | None = None
) -> list[StandingView]:
    """Return the standings, best first: of `group`, or of a league.

    `decided`: its decided matches when the page has them already.

    Of a tournament without a group, those of its first stage that has a table; none in a pure knockout. Three queries
    for a league, seven for a group, and seven more for the matches if they are not given.
    """
    if group is None and competition.plan:
        group = groups_with_tables(competition).first()
        if group is None:
            return []
        decided = None
    if decided is None:
        matches = competition.matches.filter(state__in=DECIDED)
        decided = views(matches if group is None else matches.filter(round__group=group))
    return rows_of(ranking.field_of(competition, group), decided)


def rows_of(field: ranking.Field, decided: Iterable[MatchView]) -> list[StandingView]:
    """Return the standings of a field from its decided matches. No query."""
    made, by_id = results(decided)
    rows = ranking.rank(field, made)
    names = {pk: str(entry) for pk, entry in field.entries.items()}
    return [_view(row, rows, field, names, by_id) for row in rows]


def group_tables(competition: Competition) -> list[tuple[Group, list[StandingView]]]:
    """Return every group that has a table, with it, in the order of stages and groups."""
    return [(group, table(competition, group=group)) for group in groups_with_tables(competition)]


def _view(
    row: StandingRow,
    rows: Sequence[StandingRow],
    field: ranking.Field,
    names: Mapping[int, str],
    matches: Mapping[int, MatchView],
) -> StandingView:
    regulations = field.competition.regulations
    rules, cap, criteria = field.competition.rules, regulations.cap, regulations.criteria

    def terms(of: Explained, signed: bool = False) -> tuple[TermView, ...]:
        return tuple(
            TermView(
                matches[term.match].match.slug,
                matches[term.match].match.round.number,
                names.get(term.opponent, "") if term.opponent is not None else "",
                number(term.value, signed=signed),
                matches[term.match].how,
            )
            if term.match in matches
            else TermView("", 0, "", number(term.value, signed=True), NO_MATCH[term.value < 0])
            for term in of.terms
        )

    entry = field.entries[row.entry]
    asked = {step.criterion for step in row.why}
    return StandingView(
        row=row,
        entry=entry,
        name=names[row.entry],
        roster=tuple(spot.player for spot in entry.now),  # type: ignore[attr-defined]
        points=number(row.points.value),
        margin=number(row.margin.value, signed=True),
        scored=number(row.scored.value),
        points_terms=terms(row.points),
        margin_terms=terms(row.margin, signed=True),
        scored_terms=terms(row.scored),
        form=tuple([meeting.outcome for meeting in row.meetings if not meeting.missed][-FORM_LENGTH:]),
        separated_by=label_of(told_apart(field, row), rules, cap) if row.separated_by not in ("", "points") else "",
        below=names[rows[row.ordinal].entry] if row.ordinal < len(rows) else "",
        why=tuple(
            StepView(
                step.criterion,
                label_of(told_apart(field, row) if step.criterion == SETTLED else step.criterion, rules, cap),
                shown(step.ahead),
                shown(step.behind),
                step.decides,
                terms(step.ahead, signed=step.criterion == "margin") if step.criterion != "points" else (),
            )
            for step in row.why
        ),
        left_out=tuple(label_of(key, rules, cap) for key in criteria if key not in asked),
    )


def shown(value: Explained) -> str:
    """Return a value as the page writes it; a lot by its first eight letters."""
    if value.text:
        return value.text[:8] + "…"
    return number(value.value, signed=value.criterion == "margin")


def number(value: Fraction, *, signed: bool = False) -> str:
    """Return an exact number: 3, 2½, 1¾, 7/3; with its sign for differences (a true minus)."""
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
