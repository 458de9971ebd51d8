"""The progress of a tournament: finished groups, qualified entries, blocking ties, final ranks."""

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from games.models import Table

from ...core import groups as pools
from ...core import progression
from ...core.advancement import sent_on
from ...core.registry import bracket_of, format_of
from ...core.standings import StandingRow
from ...models import BracketEdge, Competition, Entry, Group, Match, ResultVersion, Round, Side, Stage, StageInput
from ..rankings.ranking import Field, field_of, order, rank, result_of, seated, with_sides
from ..results.effective import advancing_of, by_rules, effective_of, with_versions

S = Match.State
DECIDED = (S.CONFIRMED, S.AWARDED)
BEGUN = (S.LIVE, S.REPORTED, S.CONTESTED, *DECIDED)
PLAY_STATES = (Table.State.PLAYING, Table.State.FINISHED)


@dataclass(frozen=True)
class TieView:
    """Equal entries of a finished group that must be put in order."""

    group: Group
    entries: tuple[int, ...]  # ids
    first_rank: int  # with `last_rank`: the places they share
    last_rank: int
    across: bool  # whether the qualifying line runs through them; if not, only their places in the bracket are open
    ways: tuple[str, ...] = ("play_off", "lots", "ruling")  # of StandingOverride.How, as settle_tie accepts them


def is_bracket(stage: Stage) -> bool:
    """Return whether the results of the stage send entries on to its later matches."""
    return format_of(stage.format).is_bracket


def pairs_as_it_goes(stage: Stage) -> bool:
    """Return whether each round of the stage is paired from the results of those before it."""
    return format_of(stage.format).pairs_as_it_goes


def done_states(stage: Stage) -> tuple[str, ...]:
    """Return the states in which a match of the stage needs nothing more.

    A void one is played again in a bracket only.
    """
    return DECIDED if is_bracket(stage) else (*DECIDED, S.VOID)


def undecided(row: Round) -> QuerySet[Match]:
    """Return the matches of a round that still need a result."""
    return Match.objects.filter(round=row).exclude(state__in=done_states(row.group.stage))


def group_is_over(group: Group) -> bool:
    """Return whether every round of the group is made and done, or nobody is left to pair. Two queries at most."""
    return groups_are_over([group])


def groups_are_over(groups: Iterable[Group]) -> bool:
    """Return whether each of the groups is over, as `group_is_over` has it; their stages are loaded. One query, and one
    for each group whose next round is not paired yet."""
    states: dict[int, list[str]] = {}
    known = list(groups)
    for pk, state in Round.objects.filter(group__in=known).values_list("group_id", "state"):
        states.setdefault(pk, []).append(state)
    return all(_is_over(group, states.get(group.pk, [])) for group in known)


def _is_over(group: Group, states: Sequence[str]) -> bool:
    if pairs_as_it_goes(group.stage) and len(states) < int(group.stage.options["rounds"]):
        left = StageInput.objects.filter(
            stage=group.stage_id, entry__state__in=(Entry.State.PLAYING, Entry.State.FINISHED)
        )
        if left.count() > 1:
            return False
    return bool(states) and all(state == Round.State.DONE for state in states)


def begun(match: Match) -> bool:
    """Return whether play has begun or a result stands; a void match may be set up anew.

    A match is still "called" while its first game is being played, so its table is asked too. An award by the rules,
    because a side left or stays empty, is no beginning: nobody has played, and it follows from who is in the seats.
    """
    if at_a_table(match):
        return True
    return match.state in BEGUN and not (match.state == S.AWARDED and by_rules(match) is not None)


def at_a_table(match: Match) -> bool:
    """Return whether the match is being played at its table, or was; not for a void match."""
    return match.state != S.VOID and match.table is not None and match.table.state in PLAY_STATES


def begun_of(matches: Iterable[Match], edges: Iterable[tuple[int, int]]) -> frozenset[int]:
    """Return the ids of the matches of a bracket whose seats stay as they are.

    They have begun; or they were awarded by the rules, and a match that follows from them has begun. `edges`: the ids of
    a match and of one that it leads to. No query when the matches come from `with_versions`.
    """
    known = list(matches)
    found = {match.pk for match in known if begun(match)}
    return built_on(found, {match.pk for match in known if match.state == S.AWARDED}, edges)


def built_on(begun: Iterable[int], awarded: Collection[int], edges: Iterable[tuple[int, int]]) -> frozenset[int]:
    """Return the matches `begun`, and those of `awarded` that lead to one of them, directly or through each other."""
    found, links = set(begun), list(edges)
    while more := {source for source, target in links if source in awarded and target in found} - found:
        found |= more
    return frozenset(found)


def has_begun(stage: Stage) -> bool:
    """Return whether a match of the stage is being played or decided, or was until a ruling took its result.

    An award by the rules counts too: who left a place of the bracket is not replaced. One query.
    """
    at_the_table = Q(table__state__in=PLAY_STATES) & ~Q(state=S.VOID)
    written = Exists(ResultVersion.objects.filter(match=OuterRef("pk")).exclude(source=ResultVersion.Source.RULES))
    return Match.objects.filter(Q(state__in=BEGUN) | at_the_table | written, round__group__stage=stage).exists()


def berths(group: Group) -> int:
    """Return how many ranks of the group lead on to a later stage, the last one perhaps only for the best of all groups.

    One query.
    """
    of_best = Q(best__isnull=False, source_ordinal=group.stage.ordinal, stage__competition=group.stage.competition_id)
    rows = StageInput.objects.filter(Q(source_group=group) | of_best)
    return int(rows.aggregate(last=Max("rank"))["last"] or 0)


def ranked(group: Group) -> tuple[tuple[StandingRow, ...], Field]:
    """Return the table of a group and what it is made from. A dozen queries."""
    field = field_of(group.stage.competition, group)
    results = [
        result_of(match, seated(match), effective_of(match))
        for match in with_sides(Match.objects.filter(round__group=group))
    ]
    return rank(field, [result for result in results if result is not None]), field


def qualification(group: Group) -> pools.Qualified | pools.Tie:
    """Return who has a rank that leads on, or the tie that is in the way; fewer where too few are left.

    A dozen queries.
    """
    rows, field = ranked(group)
    return pools.qualification(rows, berths(group), field.out)


def going_on(group: Group) -> tuple[int, ...]:
    """Return the entries that go on from a finished group, best first; () while a tie is in the way."""
    return pools.going_on(qualification(group))


def tie_in(stage: Stage, group: Group | None = None) -> TieView | None:
    """Return the first tie across or above the qualifying line of a finished group of `stage` (of `group` only)."""
    for found in [group] if group is not None else stage.groups.select_related("stage").order_by("ordinal"):
        if not group_is_over(found) or not berths(found):
            continue
        made = qualification(found)
        if isinstance(made, pools.Tie):
            return TieView(found, made.entries, made.first_rank, made.last_rank, made.across)
    return None


def ties(competition: Competition) -> list[TieView]:
    """Every tie that keeps a group from feeding the bracket; none once that has begun."""
    found = []
    stages = list(Stage.objects.filter(competition=competition).order_by("ordinal"))
    for stage, following in itertools.pairwise(stages):
        if has_begun(following):
            continue
        for group in stage.groups.select_related("stage").order_by("ordinal"):
            tie = tie_in(stage, group)
            if tie is not None:
                found.append(tie)
    return found


def sources(competition: Competition) -> Mapping[tuple[int, int], tuple[str, str | int]]:
    """Return where the empty seats of brackets are filled from, by (match id, position).

    (group's name, rank) for a place of a group, without the name for one of the best with that rank; ("winner" or "loser",
    slug of the match) for an edge. Three queries.
    """
    found: dict[tuple[int, int], tuple[str, str | int]] = {}
    inputs = StageInput.objects.filter(stage__competition=competition, match__isnull=False, source_group__isnull=False)
    for row in inputs.select_related("source_group"):
        assert row.match_id is not None
        assert row.position is not None
        assert row.source_group is not None
        found[(row.match_id, row.position)] = (row.source_group.name, row.rank or 0)
    for row in StageInput.objects.filter(stage__competition=competition, match__isnull=False, best__isnull=False):
        assert row.match_id is not None
        assert row.position is not None
        found[(row.match_id, row.position)] = ("", row.rank or 0)
    edges = BracketEdge.objects.filter(to_match__competition=competition).select_related("from_match")
    for edge in edges:
        found[(edge.to_match_id, edge.to_position)] = (edge.outcome, edge.from_match.slug)
    return found


def ranks(competition: Competition) -> list[tuple[int, int]]:
    """Return (rank, entry id), best first, as far as it is certain; equals share a rank. Who was disqualified has none.

    A bracket ranks by the round reached; who did not get there follows by the place in the group. A table of
    the last stage ranks by itself.
    """
    stages = list(Stage.objects.filter(competition=competition).order_by("ordinal"))
    if not stages:
        return []
    out = set(
        Entry.objects.filter(competition=competition, state=Entry.State.DISQUALIFIED).values_list("pk", flat=True)
    )
    last = stages[-1]
    found: list[tuple[int, int]]
    if is_bracket(last):
        found = _bracket_ranks(last)
        inside = set(Side.objects.filter(stage=last, entry__isnull=False).values_list("entry_id", flat=True))
        base = len(inside)
        rest: list[tuple[int, int]] = []
        for group in Group.objects.filter(stage__in=stages[:-1]).select_related("stage").order_by("ordinal"):
            if group_is_over(group):
                rest += [(place.rank, place.entry_id) for place in order(group) if place.entry_id not in inside]
        rest.sort()
        ahead = 0
        for index, (rank_in_group, entry) in enumerate(rest):
            if index == 0 or rank_in_group != rest[index - 1][0]:
                ahead = index
            found.append((base + ahead + 1, entry))
    else:
        group = last.groups.select_related("stage").get()
        found = [(place.rank, place.entry_id) for place in order(group)] if group_is_over(group) else []
    return [(place, entry) for place, entry in found if entry not in out]


def final_ranks(competition: Competition) -> list[tuple[int, Entry]]:
    """Return the podium and everybody behind it, best first, as far as it is certain."""
    found = ranks(competition)
    entries = competition.entries.select_related("team__club", "player").in_bulk([entry for _rank, entry in found])
    return [(place, entries[entry]) for place, entry in found]


def _bracket_ranks(stage: Stage) -> list[tuple[int, int]]:
    size = StageInput.objects.filter(stage=stage).count()
    bracket = bracket_of(stage.format, stage.options, size)
    matches = with_versions(Match.objects.filter(round__group__stage=stage)).order_by("round__number", "number")
    seats: dict[int, dict[int, int | None]] = {}
    for side in Side.objects.filter(stage=stage, kind=Side.Kind.SEAT):
        assert side.match_id is not None
        assert side.position is not None
        seats.setdefault(side.match_id, {})[side.position] = side.entry_id
    spots = {number: _spot(number, match, seats[match.pk]) for number, match in enumerate(matches, start=1)}
    return list(progression.final_ranks(bracket, spots))


def _spot(number: int, match: Match, seats: Mapping[int, int | None]) -> progression.Spot:
    """Return a match as the core reads it: decided with winner and loser, or waiting."""
    sides = (seats[0], seats[1])
    result = advancing_of(match)
    if match.state not in DECIDED or result.state != "decided":
        return progression.Spot(number, sides, (True, True), progression.WAITING)
    winner, loser = (sent_on(result, outcome, sides) for outcome in BracketEdge.Outcome.values)
    return progression.Spot(number, sides, (True, True), progression.DECIDED, winner, loser)
