"""Lookups of cases, and properties of cases that several modules need."""

from collections.abc import Collection

from django.db.models import QuerySet

from tock_league.common import clock
from tock_league.competitions.models import Competition, Match

from ...core import cases
from ...models import Case, Deadline, Lease
from ...permissions import referees, referees_among

WITH = ("competition__regulations", "match__table", "match__round__group", "game__table", "opened_by", "reviews")


def case_by_number(number: str) -> Case | None:
    """Return the case of that number, or None. One query."""
    return Case.objects.select_related(*WITH).filter(number=number).first()


def table_case(table_id: int) -> Case | None:
    """Return the case for which a table waits, else the newest undecided one of its games, or None. One query."""
    found = Case.objects.filter(match__table=table_id, state__in=sorted(cases.PENDING)).select_related(*WITH)
    return found.order_by("-live", "-filed_at", "-pk").first()


def undecided_number(match: Match) -> str:
    """Return the number of the oldest case about the match that is not ruled yet, "" for none. One query."""
    found = Case.objects.filter(match=match, state__in=sorted(cases.PENDING)).order_by("pk")
    return found.values_list("number", flat=True).first() or ""


def with_sides(found: QuerySet[Case]) -> QuerySet[Case]:
    """Return `found` with the relations that the names of its sides and its title need."""
    return found.select_related(*WITH).prefetch_related(
        "match__side_rows__entry__team", "match__side_rows__entry__player", "rulings"
    )


def names_of(case: Case) -> tuple[str, ...]:
    """Return the names of the case's sides, by position."""
    rows = [side for side in case.match.side_rows.all() if side.position is not None and side.entry is not None]
    return tuple(str(side.entry) for side in sorted(rows, key=lambda side: side.position or 0))


def open_lease(case: Case) -> Lease | None:
    """Return the lease in force, or None. An expired lease does not count, even while its row is still open."""
    lease = case.leases.filter(ended_at__isnull=True, until__gt=clock.now()).select_related("referee").first()
    return lease if lease is not None and referees(lease.referee, case.competition) else None


def open_leases(competition: Competition, found: Collection[Case]) -> dict[int, Lease]:
    """Return by case of the competition what `open_lease` returns. Three queries."""
    rows = Lease.objects.filter(case__in=found, ended_at__isnull=True, until__gt=clock.now()).select_related("referee")
    judges_here = referees_among(competition, {lease.referee_id for lease in rows})
    return {lease.case_id: lease for lease in rows if lease.referee_id in judges_here}


def deadlines_of(found: Collection[Case]) -> dict[int, list[Deadline]]:
    """Return by case the open deadlines, the nearest first; cases without any are omitted. One query."""
    told: dict[int, list[Deadline]] = {}
    for deadline in Deadline.objects.filter(case__in=found, done_at__isnull=True).order_by("due_at"):
        told.setdefault(deadline.case_id, []).append(deadline)
    return told
