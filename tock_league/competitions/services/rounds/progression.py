"""Advances a competition after results: fills bracket seats, closes and opens rounds, feeds stages, ends the event.

Everything here derives state from stored rows and is idempotent.
The caller holds the competition's row. Bracket seats follow `advancing_of`, tables follow `effective_of`.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta

from django.db.models import Count, Q, QuerySet

from games.models import Table
from games.services import tables
from tock_league.accounts.permissions import SITE, Person
from tock_league.common import clock

from ...core.effective import Effective
from ...core.format import FormatError, Pair
from ...core.plan import TournamentPlan
from ...core.scoring import PLAYED
from ...models import Competition, Entry, Group, Match, Round, Side, Stage, StageInput
from ...selectors.results.effective import effective_of
from ...selectors.rounds.berths import taken
from ...selectors.rounds.progress import (
    begun,
    done_states,
    going_on,
    groups_are_over,
    has_begun,
    is_bracket,
    pairs_as_it_goes,
    ranks,
    tie_in,
)
from ...selectors.rounds.seats import wanted_seats
from ..shared.journal import name_of, note
from ..shared.locking import lock_competition
from .opening import call, open_round
from .pairing import pair_round, waive_meeting
from .placing import AT_A_TABLE, place_waiting

C, R = Competition.State, Round.State
_given_back: ContextVar[frozenset[int]] = ContextVar("given_back", default=frozenset())


@contextmanager
def giving_back(matches: Collection[int]) -> Iterator[None]:
    """Keep the starts of these matches in the block, although their seats change: a lift has given them back."""
    token = _given_back.set(frozenset(matches))
    try:
        yield
    finally:
        _given_back.reset(token)


def refresh(match: Match) -> None:
    """Update the competition after a result has changed, also back to open. The caller holds the lock."""
    refresh_all([(match, effective_of(match) if pairs_as_it_goes(match.round.group.stage) else None)])


def refresh_all(changed: Sequence[tuple[Match, Effective | None]]) -> None:
    """Update one competition after results of some of its matches have changed; the caller holds the lock.

    Each match comes with its result, which is looked at where the stage is paired as it goes.
    """
    competition = changed[0][0].competition
    if not competition.is_planned:
        stages = {match.round.group.stage_id: match.round.group.stage for match, _effective in changed}
        for pk, stage in stages.items():
            rounds = {match.round_id for match, _effective in changed if match.round.group.stage_id == pk}
            _close(Round.objects.filter(pk__in=rounds), stage)
        return
    for match, effective in changed:
        if effective is not None and pairs_as_it_goes(match.round.group.stage):
            unplayed = effective.state == "void" or (effective.state == "decided" and effective.fact not in PLAYED)
            waive_meeting(match, effective.fact, unplayed)
    push(lock_competition(competition.pk))


def push(competition: Competition) -> None:
    """Run all automatic steps, stage by stage, until nothing changes."""
    while _step(competition):
        pass


def _step(competition: Competition) -> bool:
    """Do the next automatic step; return whether to call again."""
    if competition.state not in (C.RUNNING, C.SUSPENDED, C.FINISHED):
        return False
    stages = list(Stage.objects.filter(competition=competition).order_by("ordinal"))
    all_over = bool(stages)
    for index, stage in enumerate(stages):
        following = stages[index + 1] if index + 1 < len(stages) else None
        went_on = following is not None and has_begun(following)
        if is_bracket(stage):
            _fill(competition, stage)
        groups = list(Group.objects.filter(stage=stage).select_related("stage").order_by("ordinal"))
        _close(Round.objects.filter(group__stage=stage), stage)
        if not groups_are_over(groups):
            all_over = False
            if _reopen(competition) or _go_on(competition, groups):
                return True
            if not went_on:
                return False
        elif following is not None and not went_on:
            if tie_in(stage) is not None:
                return False
            _tell_who_goes_on(competition, stage, following)
    if all_over:
        _finish(competition)
    return False


def _close(rounds: QuerySet[Round], stage: Stage) -> None:
    """Set the rounds' states from their matches: done, or open again when one has lost its result."""
    counted = rounds.annotate(
        left=Count("matches", filter=~Q(matches__state__in=done_states(stage))), total=Count("matches")
    )
    for row in counted.order_by("number"):
        if row.left and row.state == R.DONE:
            others = Round.objects.filter(group_id=row.group_id, state=R.OPEN, exclusive=True)
            if not (row.exclusive and others.exists()):
                row.state = R.OPEN
                row.save(update_fields=["state"])
        elif row.total and not row.left and row.state != R.DONE:
            row.state = R.DONE
            row.save(update_fields=["state"])


def _go_on(competition: Competition, groups: Sequence[Group]) -> bool:
    """Call matches of open rounds that can be played now, and open the next rounds where they follow by themselves."""
    if competition.state != C.RUNNING:
        return False
    plan = TournamentPlan.read(competition.plan)
    at = clock.now() + timedelta(seconds=plan.pause_s)
    opened = False
    rounds = dict(Round.objects.filter(group__in=groups, state=R.OPEN).values_list("pk", "group_id"))
    waiting: dict[int, list[Match]] = {group.pk: [] for group in groups}
    for match in Match.objects.filter(round__in=rounds, state__in=(Match.State.WAITING, Match.State.READY)):
        waiting[rounds[match.round_id]].append(match)
    without_table = Match.objects.filter(round__in=rounds, table_no__isnull=True, state__in=AT_A_TABLE)
    place_waiting(competition, without_table.order_by("starts_at", "pk"))
    for group in groups:
        for match in waiting[group.pk]:
            call(competition, match, at=at)
        if group.pk in rounds.values() or not plan.auto:
            continue
        try:
            made = next_round(competition, group, by=SITE)
        except FormatError:
            continue  # the organiser's page shows the obstacle and the remedies
        if made is not None:
            open_round(competition, made, at=at, by=SITE)
            opened = True
    return opened


def next_round(competition: Competition, group: Group, *, by: Person, relaxed: Sequence[Pair] = ()) -> Round | None:
    """Return the group's next round, planned or paired now; None when there is none. Raises FormatError."""
    planned = (
        Round.objects.filter(group=group, state=R.PLANNED).select_related("group__stage").order_by("number").first()
    )
    if planned is not None or not pairs_as_it_goes(group.stage):
        if planned is not None and is_bracket(group.stage) and not _feeders_decided(planned):
            return None
        return planned
    return pair_round(competition, group, by=by, relaxed=relaxed)


def _feeders_decided(row: Round) -> bool:
    """Return whether every seat of a bracket's round has got its entry, or never will."""
    matches = Match.objects.filter(round=row)
    fed_by = Match.objects.filter(edges_out__to_match__in=matches)
    if fed_by.exclude(state__in=(Match.State.CONFIRMED, Match.State.AWARDED)).exists():
        return False
    before = StageInput.objects.filter(match__in=matches, source_ordinal__isnull=False).values("source_ordinal")
    stages = list(Stage.objects.filter(competition=row.group.stage.competition_id, ordinal__in=before))
    groups = Group.objects.filter(stage__in=stages).select_related("stage")
    return groups_are_over(groups) and all(tie_in(stage) is None for stage in stages)


def _tell_who_goes_on(competition: Competition, stage: Stage, following: Stage) -> None:
    """Tell the journal, once, who went on from the groups; the seats are filled with the bracket."""
    if Match.objects.filter(round__group__stage=following, side_rows__entry__isnull=False).exists():
        return
    names = dict(competition.entries.values_list("pk", "slug"))
    berths: dict[int, int] = {}
    for pk in StageInput.objects.filter(stage=following, source_group__isnull=False).values_list(
        "source_group", flat=True
    ):
        berths[pk or 0] = berths.get(pk or 0, 0) + 1
    going = {
        group.name or str(group.ordinal): [names[entry] for entry in going_on(group)[: berths.get(group.pk, 0)]]
        for group in stage.groups.select_related("stage").order_by("ordinal")
    }
    best = [names[entry] for entry in taken(stage) if entry is not None]
    further = {"best": best} if best else {}
    note(competition, "stage.qualified", SITE, stage=stage.ordinal, qualified=going, **further)


def _fill(competition: Competition, stage: Stage) -> None:
    """Put into the seats of a bracket those who belong there, in matches that have not begun."""
    changes = wanted_seats(stage)
    if not changes:
        return
    sides = {change.side.pk: change for change in changes}
    # Two steps, because the unique constraint forbids an entry in two seats of a round even for a moment.
    for change in changes:
        if change.side.entry_id is not None:
            change.side.entry = None
            change.side.save(update_fields=["entry"])
    for change in sides.values():
        if change.entry_id is not None:
            change.side.entry_id = change.entry_id
            change.side.save(update_fields=["entry"])
    for match in Match.objects.filter(side_rows__in=list(sides)).distinct().select_related("table", "round"):
        _reset(match)
        seats = match.side_rows.select_related("entry").order_by("position")
        note(
            competition,
            "match.seated",
            SITE,
            **name_of(match),
            sides=[seat.entry.slug if seat.entry is not None else None for seat in seats],
        )
    _note_byes(stage)


def _reset(match: Match) -> None:
    """Reset a match whose seats changed to its state before the call, and close its empty table.

    It gets a new start with its next call, so that a team that comes new has its time; but a lift gives the old one back.
    """
    if match.state == Match.State.AWARDED or begun(match):
        return  # an award by the rules is looked at anew by `walk_over`, which knows the results before it
    if match.table is not None:
        if match.table.state == Table.State.OPEN:
            tables.close(match.table)
        match.table = None
    known = not match.side_rows.filter(entry__isnull=True).exists()
    match.state = Match.State.READY if known else Match.State.WAITING
    if match.pk not in _given_back.get():
        match.starts_at = None
        if not known:
            match.table_no, match.room = None, ""
    match.save()


def _note_byes(stage: Stage) -> None:
    """Write the byes of the first round once their entries are known."""
    first = Round.objects.get(group__stage=stage, number=1)
    late = StageInput.objects.filter(stage=stage, match__round__number__gt=1)
    at = {(row.match_id, row.position) for row in late}
    seats = Side.objects.filter(stage=stage, match__in=[match for match, _at in at], entry__isnull=False)
    owners = {seat.entry_id for seat in seats if (seat.match_id, seat.position) in at}
    Side.objects.filter(round=first, kind=Side.Kind.PAIRING_BYE).exclude(entry__in=owners).delete()
    known = set(Side.objects.filter(round=first, entry__isnull=False).values_list("entry_id", flat=True))
    Side.objects.bulk_create(
        Side(stage=stage, round=first, entry_id=entry, kind=Side.Kind.PAIRING_BYE) for entry in owners - known
    )


def _finish(competition: Competition) -> bool:
    """Write the final ranks when everything is decided; end the tournament where that follows by itself."""
    if competition.state == C.RUNNING and TournamentPlan.read(competition.plan).auto:
        note(competition, "competition.finished", SITE, was=C.RUNNING, reason="")
        end(competition, by=SITE)
    elif competition.state == C.FINISHED:
        _write_ranks(competition, by=SITE)
    return False


def end(competition: Competition, *, by: Person) -> None:
    """End a tournament all of whose matches are decided: final ranks, entries and state. The caller holds its row."""
    Entry.objects.filter(competition=competition, state=Entry.State.PLAYING).update(state=Entry.State.FINISHED)
    competition.state = C.FINISHED
    competition.save(update_fields=["state", "updated_at"])
    _write_ranks(competition, by=by)


def _write_ranks(competition: Competition, *, by: Person) -> None:
    found = ranks(competition)
    before = dict(
        Entry.objects.filter(competition=competition, final_rank__isnull=False).values_list("pk", "final_rank")
    )
    wanted = {entry: rank for rank, entry in found}
    if before == wanted:
        return
    Entry.objects.filter(competition=competition).update(final_rank=None)
    for rank, entry in found:
        Entry.objects.filter(pk=entry).update(final_rank=rank)
    names = dict(competition.entries.values_list("pk", "slug"))
    note(competition, "ranks.written", by, ranks=[{"rank": rank, "entry": names[entry]} for rank, entry in found])


def _reopen(competition: Competition) -> bool:
    """Put a finished tournament back under way when a ruling has taken a result away; return whether it was."""
    if competition.state != C.FINISHED:
        return False
    competition.state = C.RUNNING
    competition.save(update_fields=["state", "updated_at"])
    Entry.objects.filter(competition=competition, state=Entry.State.FINISHED).update(state=Entry.State.PLAYING)
    Entry.objects.filter(competition=competition).update(final_rank=None)
    note(competition, "competition.running", SITE, was=C.FINISHED, reason="ruling")
    return True
