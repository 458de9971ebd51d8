"""What the organisers may change of a draw now."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.registry import format_of
from ...models import Competition, Entry, Group, Round, Stage
from ...models.entry import OUT
from .progress import pairs_as_it_goes

C = Competition.State
BEFORE_DRAW = (C.DRAFT, C.PUBLISHED, C.OPEN, C.CLOSED)


@dataclass(frozen=True)
class Reach:
    """What may be changed now. Of a stage that is paired as it goes, `group` is the one whose next round can be paired."""

    entries: Sequence[Entry]  # those that take part
    group: Group | None
    may_wish: bool
    may_swap_places: bool
    may_take_new_seed: bool

    @property
    def is_empty(self) -> bool:
        """Whether nothing may be changed."""
        return not (self.may_wish or self.may_swap_places or self.may_take_new_seed)


def reach_of(competition: Competition) -> Reach:
    """Return what the organisers of a competition may change of its draw. Five queries at most."""
    entries = Entry.objects.filter(competition=competition).exclude(state__in=OUT)
    first = Stage.objects.filter(competition=competition).order_by("ordinal").first()
    plan = competition.tournament_plan
    as_it_goes = plan is not None and any(format_of(stage.format).pairs_as_it_goes for stage in plan.stages)
    under_way = competition.state in (*BEFORE_DRAW, C.RUNNING, C.SUSPENDED)
    drawn_teams = plan is None and entries.filter(team__drawn=True).exists()
    return Reach(
        entries=list(entries.select_related("team", "player").order_by("seed", "pk")),
        group=_next(competition),
        may_wish=as_it_goes and under_way,
        may_swap_places=first is not None
        and competition.is_planned
        and competition.state == C.CLOSED
        and not pairs_as_it_goes(first),
        may_take_new_seed=first is None and not drawn_teams and competition.state in BEFORE_DRAW,
    )


def _next(competition: Competition) -> Group | None:
    """Return the group whose next round would be paired now: none of its rounds is open, and one is left."""
    if competition.state not in (C.RUNNING, C.SUSPENDED):
        return None
    for group in Group.objects.filter(stage__competition=competition).select_related("stage__competition__regulations"):
        if not pairs_as_it_goes(group.stage):
            continue
        states = list(Round.objects.filter(group=group).values_list("state", flat=True))
        if Round.State.OPEN not in states and len(states) < int(group.stage.options.get("rounds", 0)):
            return group
    return None
