"""Queues: the referees' queue of an event, the cases of a match, and a player's own cases."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can
from tock_league.common import clock
from tock_league.common.errors import NotThere, Text
from tock_league.competitions.models import Competition, Match

from ...core import cases
from ...models import Case, Deadline, Lease
from ...permissions import refereed_by, referees
from ..referees import conflicts
from ..rulings.context import running
from .contents import hush
from .lookup import WITH, deadlines_of, names_of, open_leases, with_sides


@dataclass(frozen=True)
class QueueRow:
    """One case of a referee's desk."""

    case: Case
    names: tuple[str, ...]  # of the sides
    waiting_s: int  # since it was filed, in seconds
    lease: Lease | None
    may_take: bool
    conflict: Text  # the viewer's conflict of interest in a sentence, or ""
    deadline: Deadline | None  # the next one

    @property
    def live(self) -> bool:
        """Whether a table waits for this case."""
        return self.case.live

    @property
    def state(self) -> str:
        """The case's state."""
        return self.case.state


def queue(competition: Competition, viewer: Player | None) -> list[QueueRow]:
    """Return the open cases of an event: those for which a table waits first, then the oldest.

    Raises NotThere when `viewer` is neither referee nor organiser of it.
    """
    if viewer is None or not can(viewer, "case.queue", competition):
        raise NotThere
    found = with_sides(Case.objects.filter(competition=competition, state__in=sorted(cases.PENDING | cases.APPEAL)))
    open_cases = list(found.order_by("-live", "filed_at", "pk"))
    grounds = conflicts.grounds_by_case(viewer, open_cases)
    leases, deadlines = open_leases(competition, open_cases), deadlines_of(open_cases)
    judge = referees(viewer, competition)
    hush_all(open_cases, viewer, {case.pk for case in open_cases if judge and not grounds[case.pk]})
    rows, now = [], clock.now()
    for case in open_cases:
        ground, lease = grounds[case.pk], leases.get(case.pk)
        free = lease is None and case.state in ("filed", "assigned", "hearing")
        rows.append(
            QueueRow(
                case=case,
                names=names_of(case),
                waiting_s=int((now - case.filed_at).total_seconds()),
                lease=lease,
                may_take=free and not ground and judge,
                conflict=conflicts.sentence(ground),
                deadline=next(iter(deadlines.get(case.pk, ())), None),
            )
        )
    return rows


def hush_all(found: Collection[Case], viewer: Player, judged: Collection[int] = ()) -> None:
    """Hide the kinds of calls while their tables play (`contents.hush`), in one query for many cases.

    `judged`: the keys of the cases that the viewer may judge.
    """
    going_on = set(Case.objects.filter(running(), pk__in=[case.pk for case in found]).values_list("pk", flat=True))
    for case in found:
        if case.pk in going_on:
            hush(case, viewer, judges=case.pk in judged, running=True)


@dataclass(frozen=True)
class MyCases:
    """A player's cases: as a party, as the referee who holds or held them, on a panel; the newest first."""

    parties: tuple[Case, ...]
    referee: tuple[Case, ...]
    panel: tuple[Case, ...]


def mine(player: Player) -> MyCases:
    """Return the cases in which `player` has a part."""
    own = Q(match__table__seatings__player=player) | Q(match__side_rows__entry__roster__player=player)
    every = with_sides(Case.objects.order_by("-filed_at", "-pk"))
    parties = tuple(every.filter(own).distinct())
    hush_all(parties, player)
    referee = tuple(every.filter(leases__referee=player).distinct())
    hush_all(referee, player, judged_by(player, referee))
    return MyCases(
        parties=parties,
        referee=referee,
        panel=tuple(every.filter(panel__member=player, panel__left_at__isnull=True).distinct()),
    )


def undecided_of_match(match: Match, viewer: Player | None) -> list[Case]:
    """Return the undecided cases of a match that `viewer` may see, the newest first; nothing for visitors."""
    if viewer is None:
        return []
    rows = Case.objects.filter(match=match, state__in=sorted(cases.PENDING)).select_related(*WITH)
    found = [case for case in rows.order_by("-filed_at", "-pk") if can(viewer, "case.see", case)]
    if found:
        hush_all(found, viewer, judged_by(viewer, found))
    return found


def judged_by(person: Player, found: Collection[Case]) -> set[int]:
    """Return the keys of the cases that `person` might judge: a referee of the event without a conflict of interest."""
    refereed = refereed_by(person, {case.competition_id for case in found})
    own = [case for case in found if case.competition_id in refereed]
    grounds = conflicts.grounds_by_case(person, own)
    return {case.pk for case in own if not grounds[case.pk]}
