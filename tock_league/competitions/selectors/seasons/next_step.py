"""The next step that an organiser's button does, or what is still missing for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person
from tock_league.common import clock

from ...core.plan import TournamentPlan
from ...models import Competition, Entry, Group, Match, Round, Stage
from ..entries.registration import is_drawn
from ..rounds import progress
from ..rounds.matches import MatchView, views

C, S, M = Competition.State, Entry.State, Match.State
BEGINS_A_ROUND = ("start", "next")  # kinds of steps that a countdown may end with
DECIDED = (M.CONFIRMED, M.AWARDED)


@dataclass(frozen=True)
class Step:
    """The next step of a tournament."""

    code: str  # sent back with the button: a second click, or somebody else's, does not do the step after it
    sentence: str
    label: str = ""  # of the button; "" while nobody can do anything
    missing: tuple[str, ...] = ()  # the names of those for whom the step waits
    matches: tuple[MatchView, ...] = ()

    @property
    def begins_a_round(self) -> bool:
        return self.kind in BEGINS_A_ROUND

    @property
    def kind(self) -> str:
        """The word before the colon."""
        return self.code.split(":")[0]


def next_step(competition: Competition, viewer: Person = None) -> Step:
    """Return the next step of a tournament with a plan, its matches as `viewer` sees them. A dozen queries while it is played."""
    if competition.state == C.DRAFT:
        return Step("publish", _("Only organisers see this draft."), _("Announce the tournament"))
    if competition.state == C.PUBLISHED:
        return Step("open", _("Everybody sees the tournament; captains cannot register yet."), _("Open the entries"))
    if competition.state == C.OPEN:
        return _while_open(competition)
    if competition.state == C.CLOSED:
        return _before_start(competition)
    if competition.state == C.SUSPENDED:
        return Step("resume", _("The tournament is suspended; no table opens."), _("Go on with the tournament"))
    if competition.state == C.RUNNING:
        return _while_running(competition, viewer if isinstance(viewer, Player) else None)
    if competition.state == C.CANCELLED:
        return Step("done", _("The tournament is cancelled."))
    return Step("done", _("The tournament is over."))


def _names(entries: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(str(entry) for entry in entries)


def _entries(competition: Competition, *states: str) -> list[Entry]:
    found = Entry.objects.filter(competition=competition, state__in=states).select_related("team", "player")
    return list(found.order_by("queued_at", "pk"))


def _while_open(competition: Competition) -> Step:
    now = clock.now()
    if competition.has_check_in and competition.check_in_from is not None and now >= competition.check_in_from:
        return _check_in(competition)
    pending = _entries(competition, S.PENDING)
    count = len(_entries(competition, S.ACCEPTED, S.CHECKED_IN))
    sentence = ngettext("%(count)s team is registered.", "%(count)s teams are registered.", count) % {"count": count}
    if pending:
        sentence += " " + _("Somebody has still to confirm in:")
    return Step("close", sentence, _("Close the entries"), _names(pending))


def _check_in(competition: Competition) -> Step:
    here = len(_entries(competition, S.CHECKED_IN))
    late = _entries(competition, S.ACCEPTED)
    if not late and competition.state == C.CLOSED:
        return _draw(competition)
    sentence = ngettext("%(count)s team has checked in.", "%(count)s teams have checked in.", here) % {"count": here}
    if late:
        sentence += " " + _("Closing the check-in drops who is not here:")
    return Step("check_in_close", sentence, _("Close the check-in"), _names(late))


def _before_start(competition: Competition) -> Step:
    if is_drawn(competition):
        return Step(
            "start",
            _("The draw is made. Look at it, then start: rosters are locked and the first tables open at their time."),
            _("Start the tournament"),
        )
    if not competition.has_check_in:
        return _draw(competition)
    if competition.check_in_from is not None and clock.now() < competition.check_in_from:
        return Step("wait", _("Entries are closed. Check-in has not opened yet."))
    return _check_in(competition)


def _draw(competition: Competition) -> Step:
    state = S.CHECKED_IN if competition.has_check_in else S.ACCEPTED
    count = len(_entries(competition, state))
    plan = TournamentPlan.read(competition.plan).for_field(count)
    too_small = plan.groups and count // plan.groups < plan.stages[0].needs
    if count > plan.chosen.most:
        words = _(
            "%(count)s teams are too many for this kind of tournament, which has %(most)s at most: change the settings."
        )
        return Step("settings", words % {"count": count, "most": plan.chosen.most})
    if count < plan.least or too_small or plan.rounds >= count + count % 2:
        return Step(
            "settings",
            ngettext(
                "%(count)s team is not enough for these settings: change them.",
                "%(count)s teams are not enough for these settings: change them.",
                count,
            )
            % {"count": count},
        )
    sentence = ngettext("%(count)s team plays.", "%(count)s teams play.", count) % {"count": count}
    return Step("draw", sentence + " " + _("The draw gives the seeds and writes every match."), _("Make the draw"))


def _while_running(competition: Competition, viewer: Player | None) -> Step:
    ties = progress.ties(competition)
    if ties:
        tied = Entry.objects.filter(pk__in=[entry for tie in ties for entry in tie.entries])
        names = _names(list(tied.select_related("team", "player")))
        return Step("settle", _("These teams are equal where it decides who plays on. Settle it below:"), "", names)
    open_rounds = Round.objects.filter(group__stage__competition=competition, state=Round.State.OPEN)
    waiting = Match.objects.filter(round__in=open_rounds).exclude(state__in=(*DECIDED, M.VOID))
    if waiting.exists():
        made = tuple(views(waiting.order_by("round__number", "table_no", "number"), viewer))
        sentence = ngettext("%(count)s result is missing.", "%(count)s results are missing.", len(made))
        return Step("wait", sentence % {"count": len(made)}, "", (), made)
    group = next_groups(competition)
    if group:
        opened = Round.objects.filter(group__stage__competition=competition).exclude(state=Round.State.PLANNED).count()
        return Step(f"next:{opened}", _("Every result of the last round is in."), _("Open the next round"))
    return Step("finish", _("Every match has its result."), _("Finish the tournament"))


def next_groups(competition: Competition) -> list[Group]:
    """Return the groups of the first unfinished stage, whose next rounds open together."""
    for stage in Stage.objects.filter(competition=competition).order_by("ordinal"):
        groups = list(stage.groups.select_related("stage").order_by("ordinal"))
        left = [group for group in groups if not progress.group_is_over(group)]
        if left:
            return left
    return []
