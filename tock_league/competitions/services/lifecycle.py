"""The states of a competition. One table of transitions, one guard each; what is not listed answers 409."""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing

from ..models import Competition, Entry, Match

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
DECIDED = (Match.State.CONFIRMED, Match.State.AWARDED, Match.State.VOID)


def advance(*, by: Person, competition: Competition, to: str, reason: str = "") -> Competition:
    """Move a competition to the state `to`.

    Raises Conflict("state") naming the present state and the ones allowed, Refused naming what is missing: a second
    entry, a calendar, a reason, matches without a result.
    """
    with writing():
        competition = Competition.objects.select_for_update().get(pk=competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        allowed = TRANSITIONS[competition.state]
        if to not in allowed:
            raise Conflict(
                "state",
                _("This is not possible now: the competition is “%(state)s”.")
                % {"state": competition.get_state_display()},
                state=competition.state,
                allowed=list(allowed),
            )
        if to in NEEDS_REASON and not reason.strip():
            raise Refused("reason_missing", _("Give a reason; it is shown to everybody."), field="reason")
        GUARDS.get(S(to), _no_guard)(competition)
        competition.state = to
        if reason.strip():
            competition.reason = reason.strip()
        competition.full_clean()
        competition.save()
        return competition


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
    """Nothing more is asked."""


def _may_be_published(competition: Competition) -> None:
    if not competition.lots_seed or not competition.regulations.body.get("tiebreaks"):
        raise Refused("not_ready", _("Rule set, tie-breaks and the seed of the lots are needed before publication."))


def _may_run(competition: Competition) -> None:
    if Entry.objects.filter(competition=competition, state=Entry.State.ACCEPTED).count() < 2:
        raise Refused("too_few_entries", _("At least two teams must be entered before it starts."), field="entries")
    if not Match.objects.filter(competition=competition).exists():
        raise Refused("no_calendar", _("Make the calendar before it starts."), field="calendar")


def _may_finish(competition: Competition) -> None:
    waiting = Match.objects.filter(competition=competition).exclude(state__in=DECIDED).count()
    if waiting:
        raise Refused("matches_left", _("Matches without a result: %(count)s.") % {"count": waiting})


GUARDS: Mapping[str, Callable[[Competition], None]] = {
    S.PUBLISHED: _may_be_published,
    S.RUNNING: _may_run,
    S.FINISHED: _may_finish,
}
