"""Every competition: its standings recomputed, and what is stored because of them: seats, rounds, final ranks."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from django.db.models import Count, Q

from tock_league.common.differences import Difference, compared, difference

from ...models import Competition, Entry, Group, Round, Stage
from ...selectors.rankings.computed import lines
from ...selectors.rounds.progress import done_states, groups_are_over, has_begun, is_bracket, ranks, tie_in
from ...selectors.rounds.seats import wanted_seats

C, R = Competition.State, Round.State
WITH_RANKS = (C.FINISHED, C.ARCHIVED)


def differences() -> Iterator[Difference]:
    """Yield what differs, competition by competition; a few dozen queries each."""
    for competition in Competition.objects.select_related("regulations").order_by("pk").iterator(50):
        yield from _tables(competition)
        stages = list(Stage.objects.filter(competition=competition).order_by("ordinal"))
        for index, stage in enumerate(stages):
            yield from _rounds(stage)
            running = competition.is_planned and competition.state in (C.RUNNING, *WITH_RANKS)
            if running and is_bracket(stage) and _is_reached(stages[: index + 1]):
                yield from _seats(stage)
        yield from _final_ranks(competition)


def _tables(competition: Competition) -> Iterator[Difference]:
    """Recompute the tables; they are stored nowhere, so only a failure is a difference."""
    try:
        for _line in lines(competition):
            pass
    except (LookupError, ValueError, AssertionError, TypeError) as error:
        yield difference(competition, "standings", f"cannot be computed: {error!r}", name=competition.slug)


def _rounds(stage: Stage) -> Iterator[Difference]:
    """A round is done exactly when each of its matches needs nothing more; another one may be open meanwhile."""
    counted = Round.objects.filter(group__stage=stage).annotate(
        left=Count("matches", filter=~Q(matches__state__in=done_states(stage))), total=Count("matches")
    )
    rounds = list(counted.order_by("number"))
    for row in rounds:
        name = f"{stage} round {row.number}"
        if row.total and not row.left and row.state != R.DONE:
            yield from compared(row, {"state": str(R.DONE)}, name=name)
        elif row.left and row.state == R.DONE:
            others = (other for other in rounds if other.group_id == row.group_id and other.exclusive)
            if not (row.exclusive and any(other.state == R.OPEN for other in others)):
                yield from compared(row, {"state": str(R.OPEN)}, name=name)


def _is_reached(stages: Sequence[Stage]) -> bool:
    """Return whether the seats of the last stage are filled by now: nobody is seated before all groups are over and no tie is
    left, unless its play has begun (`services.rounds.progression`).
    """
    for stage, following in pairwise(stages):
        over = groups_are_over(Group.objects.filter(stage=stage).select_related("stage"))
        if not (over and tie_in(stage) is None) and not has_begun(following):
            return False
    return True


def _seats(stage: Stage) -> Iterator[Difference]:
    for change in wanted_seats(stage):
        found = f"is {change.side.entry_id}, should be {change.entry_id}"
        yield difference(change.side, "entry_id", found)


def _final_ranks(competition: Competition) -> Iterator[Difference]:
    """A finished tournament stores its final order; nothing else does."""
    wanted: dict[int, int] = {}
    if competition.is_planned and competition.state in WITH_RANKS:
        wanted = {entry: rank for rank, entry in ranks(competition)}
    for entry in Entry.objects.filter(competition=competition).order_by("pk"):
        yield from compared(entry, {"final_rank": wanted.get(entry.pk)}, name=f"{competition.slug} {entry.slug}")
