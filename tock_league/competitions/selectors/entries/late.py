"""Where a late team can still join a tournament, and which teams came late."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from tock_league.clubs.models import Team

from ...core.plan import TournamentPlan
from ...core.registry import format_of
from ...models import Competition, Entry, Group, LateEntry, Round, Side, Stage, StageInput
from ..rankings.ranking import OUT
from ..rounds.progress import group_is_over, has_begun, is_bracket, pairs_as_it_goes
from ..seasons.competitions import teams_outside

UNDER_WAY = (Competition.State.RUNNING, Competition.State.SUSPENDED)


@dataclass(frozen=True)
class Opening:
    """A group of the first stage, and what is in the way of a late team."""

    group: Group
    missed: int  # rounds that have been opened
    most: int  # rounds that a late team may miss
    teams: int  # without those that have left
    obstacle: str  # "" if a late team may join; late_over or late_rounds

    @property
    def is_free(self) -> bool:
        return not self.obstacle


def openings(competition: Competition) -> list[Opening]:
    """Return the groups of the first stage; none in a knockout and where there is no draw. Four queries, and two to
    three for each group."""
    stages = list(Stage.objects.filter(competition=competition).order_by("ordinal")[:2])
    plan = competition.tournament_plan
    if not stages or plan is None or is_bracket(stages[0]):
        return []
    went_on = len(stages) > 1 and (
        has_begun(stages[1]) or Round.objects.filter(group__stage=stages[1]).exclude(state="planned").exists()
    )
    return [_opening(group, plan, went_on) for group in stages[0].groups.select_related("stage").order_by("ordinal")]


def _opening(group: Group, plan: TournamentPlan, went_on: bool) -> Opening:
    opened = opened_rounds(group)
    members = Entry.objects.filter(pk__in=Side.objects.filter(round__group=group).values("entry"))
    if pairs_as_it_goes(group.stage):
        members = Entry.objects.filter(pk__in=StageInput.objects.filter(stage=group.stage).values("entry"))
        last = opened >= int(group.stage.options["rounds"])
    else:
        last = False
    obstacle = ""
    if went_on or last or group_is_over(group):
        obstacle = "late_over"
    elif opened > plan.late_rounds or not plan.late_rounds:
        obstacle = "late_rounds"
    return Opening(group, opened, plan.late_rounds, members.exclude(state__in=list(OUT)).count(), obstacle)


def opened_rounds(group: Group) -> int:
    """Return how many rounds of the group have been called; not one that a withdrawal decided before. One query."""
    called = Q(state=Round.State.OPEN) | Q(state=Round.State.DONE, matches__starts_at__isnull=False)
    return Round.objects.filter(called, group=group).distinct().count()


def smallest(found: Sequence[Opening]) -> Opening | None:
    """Return the free group with the fewest teams, the first of equals; None if no group is free."""
    free = [opening for opening in found if opening.is_free]
    return min(free, key=lambda opening: (opening.teams, opening.group.ordinal), default=None)


def takes_late_teams(competition: Competition) -> bool:
    """Return whether a team may still join the tournament after its start. Queries as `openings`."""
    return competition.state in UNDER_WAY and any(opening.is_free for opening in openings(competition))


def teams(competition: Competition) -> QuerySet[Team]:
    """Return the teams that may come late, by name: those outside, and those that were dropped at the check-in.

    Not those that withdrew after the draw, which are brought back.
    """
    entries = Entry.objects.filter(competition=competition)
    dropped = entries.filter(state=Entry.State.DROPPED)
    drawn = entries.filter(pk__in=StageInput.objects.filter(stage__competition=competition).values("entry"))
    outside = teams_outside(competition).exclude(pk__in=drawn.values("team"))
    found = Team.objects.filter(Q(pk__in=outside.values("pk")) | Q(pk__in=dropped.values("team")))
    return found.select_related("club").order_by("name")


def scores_missed_rounds(group: Group) -> bool:
    """Return whether a missed round counts in the group's table; where everybody meets everybody it is played later."""
    return not format_of(group.stage.format).all_meet


def late_entry(entry: Entry) -> LateEntry | None:
    """Return the late entry of a team, None for others. One query."""
    return LateEntry.objects.filter(entry=entry).select_related("group__stage").first()


def may_be_taken_back(late: LateEntry) -> bool:
    """Return whether the team has not been paired, and no other team has joined its group since. Three queries at most.

    In a group the matches of planned rounds are no pairing yet: a round that has been opened is one.
    """
    if late.entry.state != Entry.State.PLAYING or late.group.late_entries.filter(pk__gt=late.pk).exists():
        return False
    sides = Side.objects.filter(round__group=late.group, entry=late.entry)
    if pairs_as_it_goes(late.group.stage):
        return not sides.filter(round__number__gt=late.missed).exists()
    written = sides.filter(match__versions__isnull=False)
    return opened_rounds(late.group) == late.missed and not written.exists()
