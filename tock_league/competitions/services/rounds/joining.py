"""Puts a late team into a stage that has begun, and takes it out again.

| stage | rounds that were opened before it came | the rest |
| --- | --- | --- |
| rounds paired from results | count as lost or as a tie, as the plan says | it is paired from the next round on |
| everybody meets everybody | stay as they are | it meets everybody: see core.joining |

The caller holds the competition's row.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Max

from ...core.format import Pair
from ...core.joining import balanced, join
from ...core.plan import TournamentPlan
from ...models import Competition, Entry, Group, LateEntry, Match, Round, Side, StageInput
from ...selectors.rankings.ranking import OUT
from ...selectors.rounds.progress import pairs_as_it_goes
from ..results.propagation import walk_over
from ..shared.locking import lock_match

KIND_OF_MISSED = {"loss": Side.Kind.ABSENCE, "tie": Side.Kind.REQUESTED_BYE}


def put_in(competition: Competition, group: Group, entry: Entry) -> dict[str, Any]:
    """Write the entry into the group's stage; return what `take_out` needs to restore it, as JSON."""
    last = StageInput.objects.filter(stage=group.stage).aggregate(last=Max("slot"))["last"] or 0
    StageInput.objects.create(stage=group.stage, slot=last + 1, entry=entry, stage_ordinal=group.stage.ordinal)
    plan = TournamentPlan.read(competition.plan)
    rounds = list(Round.objects.filter(group=group).order_by("number"))
    if pairs_as_it_goes(group.stage):
        kind = KIND_OF_MISSED[plan.late_points]
        Side.objects.bulk_create(Side(stage=group.stage, round=row, entry=entry, kind=kind) for row in rounds)
        return {}
    return _reschedule(competition, group, entry, rounds, plan)


def take_out(late: LateEntry) -> None:
    """Undo `put_in` of an entry that has not been paired."""
    group, entry = late.group, late.entry
    StageInput.objects.filter(stage=group.stage, entry=entry).delete()
    if pairs_as_it_goes(group.stage):
        Side.objects.filter(round__group=group, entry=entry).delete()
        return
    planned = Round.objects.filter(group=group, state=Round.State.PLANNED)
    Side.objects.filter(round__in=planned, kind=Side.Kind.REST).delete()
    own = Match.objects.filter(pk__in=Side.objects.filter(round__group=group, entry=entry).values("match"))
    ids = list(own.values_list("pk", flat=True))
    Side.objects.filter(match__in=ids).delete()
    Match.objects.filter(pk__in=ids).delete()
    rounds = {row.number: row for row in Round.objects.filter(group=group)}
    matches = {match.slug: match for match in Match.objects.filter(round__group=group)}
    # The earliest rounds first: what stands in a place has then left it.
    for slug, number, place in sorted(late.before["moved"], key=lambda row: (row[1], row[2])):
        _move(matches[slug], rounds[number], place)
    Round.objects.filter(group=group, number__gt=late.before["rounds"]).delete()
    _write_rests(group)


def _reschedule(
    competition: Competition, group: Group, entry: Entry, rounds: Sequence[Round], plan: TournamentPlan
) -> dict[str, Any]:
    """Write the late entry's matches into the planned rounds and further ones; return what was there."""
    pairs = _pairs(group)
    planned = [row for row in rounds if row.state == Round.State.PLANNED]
    opened = [pair for row in rounds if row not in planned for pair in pairs.get(row.pk, {})]
    wanted = [(other, entry.pk) for other in _opponents(group)]
    if plan.legs == 2:
        wanted += [(entry.pk, other) for other, _entry in wanted]
    made = join([tuple(pairs.get(row.pk, {})) for row in planned], wanted)
    if plan.legs == 1:
        made = balanced(opened, made, entry.pk)
    last = rounds[-1].number if rounds else 0
    extra = [Round.objects.create(group=group, number=last + at) for at in range(1, len(made) - len(planned) + 1)]
    Side.objects.filter(round__in=planned, kind=Side.Kind.REST).delete()
    known = {pair: match for row in planned for pair, match in pairs.get(row.pk, {}).items()}
    moved: list[tuple[str, int, int]] = []
    # The last rounds first: matches move to later rounds only, so what stood in a place has then left it.
    for row, meetings in reversed(list(zip([*planned, *extra], made, strict=True))):
        for pair in meetings:
            match = known.get(pair)
            if match is not None and match.round_id != row.pk:
                moved.append((match.slug, match.round.number, match.number))
                _move(match, row, _next_number(row))
    new = []
    for row, meetings in zip([*planned, *extra], made, strict=True):
        for pair in meetings:
            if pair not in known:
                new.append(_write(competition, row, pair, plan))
    _write_rests(group)
    for match in new:
        walk_over(lock_match(match.pk))
    return {"moved": sorted(moved), "rounds": last}


def _pairs(group: Group) -> Mapping[int, Mapping[Pair, Match]]:
    """Return by round the matches of the group, by (home, away)."""
    found: dict[int, dict[Pair, Match]] = {}
    seats: dict[int, list[int]] = {}
    for match_id, seated in (
        Side.objects.filter(round__group=group, kind=Side.Kind.SEAT)
        .order_by("match", "position")
        .values_list("match", "entry")
    ):
        seats.setdefault(match_id or 0, []).append(seated or 0)
    for match in Match.objects.filter(round__group=group).select_related("round").order_by("round__number", "number"):
        home, away = seats[match.pk]
        found.setdefault(match.round_id, {})[(home, away)] = match
    return found


def _opponents(group: Group) -> list[int]:
    """Return the entries of the group, in seed order, without those whose results there were all expunged."""
    counted = Match.objects.filter(round__group=group).exclude(state=Match.State.VOID)
    members = Side.objects.filter(round__group=group, kind=Side.Kind.SEAT, entry__isnull=False)
    entries = Entry.objects.filter(pk__in=members.values("entry")).order_by("seed", "pk")
    standing = set(members.filter(match__in=counted).values_list("entry", flat=True))
    return [entry.pk for entry in entries if entry.state not in OUT or entry.pk in standing]


def _write(competition: Competition, row: Round, pair: Pair, plan: TournamentPlan) -> Match:
    match = Match.objects.create(
        competition=competition, round=row, number=_next_number(row), best_of=plan.games("group")
    )
    Side.objects.bulk_create(
        Side(stage=row.group.stage, round=row, match=match, position=position, entry_id=entry)
        for position, entry in enumerate(pair)
    )
    return match


def _move(match: Match, row: Round, number: int) -> None:
    match.round, match.number = row, number
    match.save(update_fields=["round", "number", "updated_at"])
    Side.objects.filter(match=match).update(round=row)


def _next_number(row: Round) -> int:
    return (Match.objects.filter(round=row).aggregate(last=Max("number"))["last"] or 0) + 1


def _write_rests(group: Group) -> None:
    """Write who has no match in each planned round of the group."""
    sides = Side.objects.filter(round__group=group, kind=Side.Kind.SEAT, entry__isnull=False)
    members = list(dict.fromkeys(sides.order_by("entry__seed", "entry").values_list("entry", flat=True)))
    busy: dict[int, set[int | None]] = {}
    for row, entry in sides.values_list("round", "entry"):
        busy.setdefault(row, set()).add(entry)
    for planned in Round.objects.filter(group=group, state=Round.State.PLANNED).order_by("number"):
        Side.objects.bulk_create(
            Side(stage=group.stage, round=planned, entry_id=entry, kind=Side.Kind.REST)
            for entry in members
            if entry not in busy.get(planned.pk, set())
        )
