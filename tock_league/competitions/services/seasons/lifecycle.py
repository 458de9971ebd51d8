"""The states of a competition: one table of transitions, each with a guard; all others are refused with 409."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import Table
from games.services import tables
from tock_league.accounts.permissions import SITE, Person, require
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...core.format import FormatError, NeedsRelaxing
from ...core.lots import round_seed
from ...core.registry import format_of
from ...models import Competition, Entry, Group, Match, Round, Side, Stage
from ...selectors.rounds.progress import group_is_over, sources
from ..entries.entry_states import eligible, move
from ..entries.registration import close_pending, public_reason
from ..rounds.opening import open_round
from ..rounds.pairing import history_of
from ..rounds.progression import end, next_round, push
from ..rounds.schedule import OPENS_BEFORE
from ..shared import telling
from ..shared.journal import note
from ..shared.locking import lock_competition
from ..shared.refusals import not_now

log = logging.getLogger(__name__)

S = Competition.State
# draft -> published -> open -> closed -> running <-> suspended; running -> finished -> archived; cancelled from any
# state before finished, with a reason that is shown.
TRANSITIONS: Mapping[str, tuple[str, ...]] = {
    S.DRAFT: (S.PUBLISHED, S.CANCELLED),
    S.PUBLISHED: (S.OPEN, S.CANCELLED),
    S.OPEN: (S.CLOSED, S.CANCELLED),
    S.CLOSED: (S.RUNNING, S.CANCELLED),
    S.RUNNING: (S.SUSPENDED, S.FINISHED, S.CANCELLED),
    S.SUSPENDED: (S.RUNNING, S.CANCELLED),
    S.FINISHED: (S.ARCHIVED,),
    S.ARCHIVED: (),
    S.CANCELLED: (),
}
NEEDS_REASON = frozenset({S.SUSPENDED, S.CANCELLED})
DECIDED = telling.DECIDED


def advance(*, by: Person, competition: Competition, to: str, reason: str = "") -> Competition:
    """Move a competition to the state `to`.

    Raises Conflict("state") naming the present state and the ones allowed, Refused naming what is missing: a second
    entry, a calendar, a reason, matches without a result.
    """
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        allowed = TRANSITIONS[competition.state]
        if to not in allowed:
            raise not_now(competition, allowed)
        if to in NEEDS_REASON and not reason.strip():
            raise Refused("reason_missing", _("Give a reason; it is shown to everybody."), field="reason")
        reason = public_reason(reason)
        GUARDS.get(S(to), _no_guard)(competition)
        was, competition.state = competition.state, to
        if reason:
            competition.reason = reason
        checked(competition).save()
        note(
            competition,
            f"competition.{to}",
            by,
            was=was,
            reason=reason,
            regulations=competition.regulations.digest,
        )
        if to in NEEDS_REASON:
            telling.event(f"event_{to}", competition, by, once=clock.now_ms())
        if to == S.PUBLISHED and Stage.objects.filter(competition=competition).exists():
            telling.fact("round.published", competition)  # the calendar of a league, made while it was a draft
        if competition.is_planned:
            _what_follows(competition, was, by)
        elif to == S.CANCELLED:
            _close_tables(competition)
        return competition


@dataclass(frozen=True)
class NextState:
    """A state that a competition may be moved to, and what is missing for it."""

    state: str
    label: str | Promise
    needs_reason: bool
    missing: str | Promise  # a sentence; "" where `advance` refuses nothing but an empty reason


def next_states(competition: Competition) -> list[NextState]:
    """Return the states that may follow, each with what is missing for it. Two queries for a league or club night."""
    return [
        NextState(state, S(state).label, state in NEEDS_REASON, _missing(competition, state))
        for state in TRANSITIONS[competition.state]
    ]


def _missing(competition: Competition, to: str) -> str | Promise:
    try:
        GUARDS.get(S(to), _no_guard)(competition)
    except Refused as error:
        return error.sentence
    return ""


def start_due() -> int:
    """Start the tournaments that run by themselves, are drawn and begin within 15 minutes; return how many.

    Idempotent.
    """
    begins = clock.now() + OPENS_BEFORE
    due = Competition.objects.filter(state=S.CLOSED, starts_at__lte=begins, plan__auto=True, stages__isnull=False)
    started = 0
    for competition in due.distinct():
        try:
            advance(by=SITE, competition=competition, to=S.RUNNING)
            started += 1
        except Refused as error:
            log.warning("%s does not start: %s", competition.slug, error.code)
    return started


def run_through(*, by: Person, competition: Competition, to: str) -> Competition:
    """Move forward state by state until `to`; every guard on the way holds."""
    way = [S.DRAFT, S.PUBLISHED, S.OPEN, S.CLOSED, S.RUNNING, S.FINISHED]
    with writing():
        competition = Competition.objects.get(pk=competition.pk)
        if competition.state not in way or S(to) not in way:
            return advance(by=by, competition=competition, to=to)
        for state in way[way.index(S(competition.state)) + 1 : way.index(S(to)) + 1]:
            competition = advance(by=by, competition=competition, to=state)
        return competition


def _no_guard(competition: Competition) -> None:
    """Allow the transition without a condition."""


def _may_be_published(competition: Competition) -> None:
    if competition.is_planned and competition.starts_at is None:
        raise Refused("not_ready", _("Say when the first round starts before publication."), field="starts_at")
    if not competition.lots_seed or not competition.regulations.body.get("tiebreaks"):
        raise Refused("not_ready", _("Rule set, tie-breaks and the seed of the lots are needed before publication."))


def _may_run(competition: Competition) -> None:
    if competition.is_planned:
        _may_play(competition)
        return
    if Entry.objects.filter(competition=competition, state=Entry.State.ACCEPTED).count() < 2:
        raise Refused("too_few_entries", _("At least two teams must be entered before it starts."), field="entries")
    if not Match.objects.filter(competition=competition).exists():
        raise Refused("no_calendar", _("Make the calendar before it starts."), field="calendar")


def _may_play(competition: Competition) -> None:
    """Require, for a tournament, a draw in which every seat has an entry or a source of one."""
    if competition.state == S.SUSPENDED:
        return
    if not Stage.objects.filter(competition=competition).exists():
        raise Refused("not_drawn", _("Make the draw before it starts."), field="draw")
    fed = sources(competition)
    for seat in Side.objects.filter(stage__competition=competition, kind=Side.Kind.SEAT, entry__isnull=True):
        if (seat.match_id, seat.position) not in fed:
            raise Refused("empty_seat", _("The draw has a seat that nobody can take; make it again."), field="draw")


def _what_follows(competition: Competition, was: str, by: Person) -> None:
    """Do what a tournament's new state brings with it."""
    if competition.state == S.CLOSED:
        close_pending(competition)
    elif competition.state == S.RUNNING and was == S.CLOSED:
        _start(competition, by)
    elif competition.state == S.RUNNING:
        push(competition)
    elif competition.state == S.FINISHED:
        end(competition, by=by)
    elif competition.state == S.CANCELLED:
        _close_tables(competition)


def _start(competition: Competition, by: Person) -> None:
    """Lock the rosters and open the first round of every group; waiting entries no longer get a place."""
    for entry in eligible(competition):
        move(entry, Entry.State.PLAYING)
    for entry in Entry.objects.filter(competition=competition, state=Entry.State.WAITLISTED):
        move(entry, Entry.State.REFUSED, reason="@no_place")
        note(competition, "entry.refused", by, entry=entry.slug, was=Entry.State.WAITLISTED, reason=entry.reason)
    now = clock.now()
    at = max(competition.starts_at or now, now)
    first = Stage.objects.filter(competition=competition).order_by("ordinal")[0]
    for group in first.groups.select_related("stage").order_by("ordinal"):
        try:
            made = next_round(competition, group, by=by)
        except FormatError as error:
            raise Refused(
                error.code, _("The first round cannot be paired with these teams."), field=error.field
            ) from error
        if made is not None:
            open_round(competition, made, at=at, by=by)
    push(competition)


def _close_tables(competition: Competition) -> None:
    """Close the tables at which play has not begun."""
    for table in Table.objects.filter(match__competition=competition, state=Table.State.OPEN):
        tables.close(table)


def _may_finish(competition: Competition) -> None:
    if competition.is_planned:
        stages = Stage.objects.filter(competition=competition)
        groups = [group for stage in stages for group in stage.groups.select_related("stage")]
        if not all(group_is_over(group) or _cannot_go_on(competition, group) for group in groups):
            raise Refused("rounds_left", _("Not every round has been played."))
        return
    waiting = without_result(competition).count()
    if waiting:
        raise Refused("matches_left", _("Matches without a result: %(count)s.") % {"count": waiting})


def without_result(competition: Competition) -> QuerySet[Match]:
    """Return the matches of a league or club night that wait for a result, in the order of its calendar.

    A match that is void counts for nothing; none is played in its place.
    """
    waiting = Match.objects.filter(competition=competition).exclude(state__in=(*DECIDED, Match.State.VOID))
    return waiting.order_by("round__number", "number")


def _cannot_go_on(competition: Competition, group: Group) -> bool:
    """Return whether a group has no match under way and no further round of it can be paired, by whatever leave."""
    made = format_of(group.stage.format)
    if not made.pairs_as_it_goes or Round.objects.filter(group=group).exclude(state=Round.State.DONE):
        return False
    history = history_of(competition, group)
    seed = round_seed(competition.lots_seed, group.stage.ordinal, len(history.rounds) + 1)
    try:
        made.next_round(history, seed)
    except NeedsRelaxing:
        return False
    except FormatError:
        return True
    return False


GUARDS: Mapping[str, Callable[[Competition], None]] = {
    S.PUBLISHED: _may_be_published,
    S.RUNNING: _may_run,
    S.FINISHED: _may_finish,
}
