"""Who is ranked with whom, and the ranked rows: a pure function of results, byes, rulings and what was settled.

A table belongs to a group; that of a league is the whole competition's. The same functions rank what is written and
what a ruling is about to write.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Prefetch, QuerySet

from ...core.caps import Cap, unplayed
from ...core.effective import Effective, penalties
from ...core.registry import formats
from ...core.scoring import FORFEITS, MatchResult, SideResult
from ...core.standings import DISQUALIFIED, SETTLED, WITHDRAWN, StandingRow, standings
from ...core.tiebreaks import record
from ...models import Competition, Entry, Group, Match, ResultEffect, RosterSpot, Side, StageInput, StandingOverride
from ..results.effective import effective_of, effects_in_force, plain_effect, with_versions

NOT_TAKING_PART = (Entry.State.PENDING, Entry.State.WAITLISTED, Entry.State.REFUSED, Entry.State.DROPPED)
OUT = {Entry.State.WITHDRAWN: WITHDRAWN, Entry.State.DISQUALIFIED: DISQUALIFIED}
BYES = {Side.Kind.PAIRING_BYE: "win", Side.Kind.REQUESTED_BYE: "tie", Side.Kind.ABSENCE: "loss"}


@dataclass(frozen=True)
class Field:
    """The entries that are ranked together."""

    competition: Competition
    entries: Mapping[int, Entry]  # by id, in the order of seeds
    out: Mapping[int, int]  # WITHDRAWN or DISQUALIFIED, by entry
    byes: tuple[MatchResult, ...] = ()  # and absences: rounds without an opponent, as results
    settled: Mapping[int, str] | None = None  # how equal entries were put in order, by entry, best first
    taken: Mapping[int, int] | None = None  # match points deducted by rulings, by entry


@dataclass(frozen=True)
class Place:
    """An entry's place in a table."""

    entry_id: int
    rank: int  # shared by equal entries
    ordinal: int  # not shared: the position in the table, from 1
    points: int  # match points
    out: bool  # withdrawn or disqualified, so it does not go on


def field_of(competition: Competition, group: Group | None = None) -> Field:
    """Return the field of a group, or of a league. Three queries for a league, seven for a group."""
    spots = RosterSpot.objects.filter(left__isnull=True).select_related("player").order_by("role", "slot")
    rows = (
        competition.entries.exclude(state__in=NOT_TAKING_PART)
        .select_related("team", "player")
        .prefetch_related(Prefetch("roster", spots, to_attr="now"))
        .order_by("seed", "pk")
    )
    effects = effects_in_force().filter(competition=competition, kind=ResultEffect.Kind.POINTS)
    byes: list[MatchResult] = []
    settled: dict[int, str] = {}
    if group is not None:
        sides = Side.objects.filter(round__group=group, entry__isnull=False)
        members = set(sides.values_list("entry_id", flat=True))
        if not Group.objects.filter(stage=group.stage_id).exclude(pk=group.pk).exists():
            members |= set(
                StageInput.objects.filter(stage=group.stage_id, entry__isnull=False).values_list("entry_id", flat=True)
            )
        rows = rows.filter(pk__in=members)
        effects = effects.filter(match__round__group=group)
        byes = [
            MatchResult(0, number, kind, (SideResult(entry, BYES[Side.Kind(kind)]),))
            for number, kind, entry in sides.filter(kind__in=list(BYES))
            .order_by("round__number", "pk")
            .values_list("round__number", "kind", "entry_id")
        ]
        overrides = StandingOverride.objects.filter(group=group).order_by("place")
        settled = dict(overrides.values_list("entry_id", "how"))
    entries = {entry.pk: entry for entry in rows}
    return Field(
        competition=competition,
        entries=entries,
        out={pk: OUT[Entry.State(entry.state)] for pk, entry in entries.items() if entry.state in OUT},
        byes=tuple(byes),
        settled=settled,
        taken=penalties(plain_effect(effect) for effect in effects),
    )


def rank(field: Field, results: Iterable[MatchResult]) -> tuple[StandingRow, ...]:
    """Return the rows of `field` under `results`, best first. Pure.

    Void results are left out, and so is whoever has left with nothing that counts. Nothing is drawn by lot before the
    first result.
    """
    counted = [result for result in results if result.fact != "void"]
    counted = [result for result in counted if all(side.entry in field.entries for side in result.sides)]
    met = {side.entry for result in counted for side in result.sides}
    entries = [pk for pk in field.entries if pk not in field.out or pk in met]
    regulations = field.competition.regulations
    taken = {pk: points for pk, points in (field.taken or {}).items() if pk in entries}
    byes = [bye for bye in field.byes if bye.sides[0].entry in entries]
    return standings(
        record(
            entries,
            [_scored(result, regulations.cap) for result in (*counted, *byes)],
            regulations.points_rule,
            margin_cap=regulations.body["margin_cap"],
            lots_seed=field.competition.lots_seed,
            names={pk: field.entries[pk].slug for pk in entries},
            deductions=taken,
            penalties={pk: points for pk, points in taken.items() if points > 0},
        ),
        regulations.criteria if counted or byes else ("points",),
        out={pk: way for pk, way in field.out.items() if pk in entries},
        settled=tuple(field.settled or ()),
    )


def settled_by(how: str) -> str:
    """Return the criterion SETTLED with how it was settled, a `StandingOverride.How`."""
    return f"{SETTLED}:{how}"


def told_apart(field: Field, row: StandingRow) -> str:
    """Return `row.separated_by`; where a tie was settled, with how."""
    return settled_by((field.settled or {})[row.entry]) if row.separated_by == SETTLED else row.separated_by


def result_of(match: Match, entries: Sequence[int | None], effective: Effective) -> MatchResult | None:
    """Return the match's result for a table, None while it is open.

    `entries`: by position. No query if `round` is loaded.
    """
    if effective.state == "open":
        return None
    sides = tuple(
        SideResult(entry, made.outcome, made.games, made.margin, made.scored)
        for entry, made in zip(entries, effective.sides, strict=True)
        if entry is not None
    )
    return MatchResult(match.pk, match.round.number, effective.fact, sides)


def _scored(result: MatchResult, cap: Cap | None) -> MatchResult:
    """Return the result with the scores that the regulations give to a match that nobody played, and to a bye."""
    if cap is None or not (result.fact in FORFEITS or result.fact in ("double_forfeit", Side.Kind.PAIRING_BYE)):
        return result
    sides = []
    for side in result.sides:
        scores = unplayed(cap, result.fact, side.outcome)
        if scores is not None:
            side = replace(side, margin=scores[0] - scores[1], scored=scores[0])
        sides.append(side)
    return replace(result, sides=tuple(sides))


def missed_rounds(group: Group) -> list[MatchResult]:
    """Return the missed rounds of the group that count as a tie, as results; an absence counts as nothing. One query."""
    kind = Side.Kind.REQUESTED_BYE
    sides = Side.objects.filter(round__group=group, kind=kind, entry__isnull=False)
    return [
        MatchResult(0, number, kind, (SideResult(entry, BYES[kind]),))
        for number, entry in sides.order_by("round__number", "pk").values_list("round__number", "entry_id")
        if entry is not None
    ]


def seated(match: Match) -> list[int | None]:
    """The entries by position, of a match from `with_sides`."""
    seats: Sequence[Side] = match.seats  # type: ignore[attr-defined]
    return [seat.entry_id for seat in seats]


def with_sides(matches: QuerySet[Match]) -> QuerySet[Match]:
    """`matches` with rounds, tables, seats, versions and effects: five queries, however many matches."""
    seats = Side.objects.filter(kind=Side.Kind.SEAT).order_by("position")
    return with_versions(matches.select_related("round__group__stage", "table")).prefetch_related(
        Prefetch("side_rows", seats, to_attr="seats")
    )


def order(group: Group) -> list[Place]:
    """Return the group's table as places, best first: what qualification and pairing look at. A dozen queries."""
    field = field_of(group.stage.competition, group)
    matches = with_sides(Match.objects.filter(round__group=group))
    results = [result_of(match, seated(match), effective_of(match)) for match in matches]
    rows = rank(field, [result for result in results if result is not None])
    return [Place(row.entry, row.rank, row.ordinal, int(row.points.value), row.entry in field.out) for row in rows]


def groups_with_tables(competition: Competition) -> QuerySet[Group]:
    """The groups that are ranked, stage by stage; none for a bracket."""
    return groups_with_tables_of([competition])


def groups_with_tables_of(competitions: Iterable[Competition]) -> QuerySet[Group]:
    """The groups of several competitions that are ranked, in the order of stages."""
    brackets = [key for key, made in formats().items() if made.is_bracket]
    return (
        Group.objects.filter(stage__competition__in=competitions)
        .exclude(stage__format__in=brackets)
        .select_related("stage__competition__regulations")
        .order_by("stage__ordinal", "ordinal")
    )
