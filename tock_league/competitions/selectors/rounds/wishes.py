"""What the organisers wish of the pairings, for the engine and for those who read a round."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ...core.contenders import pair_of
from ...core.format import Pair
from ...models import Competition, PairingWish

K = PairingWish.Kind


@dataclass(frozen=True)
class Asked:
    """What the engine is given of the wishes in force. Pairs of entries, the lower first."""

    forbidden: tuple[Pair, ...] = ()
    discouraged: tuple[Pair, ...] = ()
    relaxed: tuple[Pair, ...] = ()  # the two of a wish may meet again


def in_force(competition: Competition) -> list[PairingWish]:
    """Return the wishes that the next round follows, oldest first. One query."""
    rows = PairingWish.objects.filter(competition=competition, ended_at__isnull=True)
    return list(rows.select_related("low__team", "low__player", "high__team", "high__player", "by").order_by("pk"))


def of_rounds(competition: Competition) -> list[PairingWish]:
    """Return the wishes that rounds have followed, with their round. One query."""
    rows = PairingWish.objects.filter(competition=competition, round__isnull=False)
    named = rows.select_related("round", "low__team", "low__player", "high__team", "high__player")
    return list(named.order_by("pk"))


def asked_of(wishes: Iterable[PairingWish], present: Collection[int]) -> Asked:
    """Return the wishes as the engine takes them. `present`: the entries that can be paired now.

    Two who shall meet are kept from everybody else. A wish of which one is not present asks for nothing.
    """
    forbidden: set[Pair] = set()
    discouraged: list[Pair] = []
    relaxed: list[Pair] = []
    here = set(present)
    for wish in wishes:
        pair = pair_of(wish.low_id, wish.high_id)
        if not here.issuperset(pair):
            continue
        if wish.kind == K.APART:
            forbidden.add(pair)
        elif wish.kind == K.RATHER_NOT:
            discouraged.append(pair)
        else:
            relaxed.append(pair)
            forbidden.update(pair_of(one, other) for one in pair for other in here if other not in pair)
    return Asked(tuple(sorted(forbidden)), tuple(sorted(discouraged)), tuple(sorted(relaxed)))
