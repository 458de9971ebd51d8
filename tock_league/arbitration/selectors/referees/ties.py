"""The family ties of one player, as both of the two see them, and those that count as a conflict of interest."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from tock_league.accounts.models import Player
from tock_league.common.errors import NotThere

from ...models import FamilyTie


@dataclass(frozen=True)
class Tie:
    """A tie in force, seen by one of the two."""

    pk: int
    other: Player
    declared: bool  # whether the reader declared it
    confirmed: bool

    @property
    def to_answer(self) -> bool:
        """Whether the reader is asked to confirm it."""
        return not self.confirmed and not self.declared


def of_player(player: Player) -> list[Tie]:
    """Return the ties of `player` in force: first those to answer, then by name. One query."""
    rows = FamilyTie.objects.filter(Q(low=player) | Q(high=player), until__isnull=True).select_related("low", "high")
    found = [
        Tie(
            pk=row.pk,
            other=row.high if row.low_id == player.pk else row.low,
            declared=row.declared_by_id == player.pk,
            confirmed=row.confirmed_at is not None,
        )
        for row in rows
    ]
    return sorted(found, key=lambda tie: (not tie.to_answer, tie.other.display_name, tie.pk))


def waiting_for(player: Player) -> list[Tie]:
    """Return the ties that wait for the answer of `player`. One query."""
    return [tie for tie in of_player(player) if tie.to_answer]


def tie_of(player: Player | None, pk: int) -> FamilyTie:
    """Return the tie of that number if `player` is one of the two; else NotThere. One query."""
    found = FamilyTie.objects.filter(Q(low=player) | Q(high=player), pk=pk).first() if player is not None else None
    if found is None:
        raise NotThere
    return found


def relatives(people: Collection[int], at: datetime | None = None) -> list[tuple[int, int]]:
    """Return (person, relative) for the ties that keep each person from judging, now or at an instant. One query.

    A confirmed tie counts for both, an unconfirmed one for who declared it.
    """
    rows = FamilyTie.objects.filter(Q(low__in=people) | Q(high__in=people))
    rows = (
        rows.filter(until__isnull=True)
        if at is None
        else rows.filter(Q(until__isnull=True) | Q(until__gt=at), since__lte=at)
    )
    found = []
    for row in rows:
        confirmed = row.confirmed_at is not None and (at is None or row.confirmed_at <= at)
        for person, other in ((row.low_id, row.high_id), (row.high_id, row.low_id)):
            if person in people and (confirmed or row.declared_by_id == person):
                found.append((person, other))
    return found
