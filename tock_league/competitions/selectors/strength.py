"""How strong entries are before the draw: the conservative rating of the pair, flagged where it rests on little."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ratings.core.eligibility import is_provisional
from ratings.core.ladders import ladder_of
from ratings.core.params import Params
from ratings.core.score import points
from ratings.models import Rating
from ratings.selectors.rows import record_of
from tock_league.common import clock

from ..models import Entry, RosterSpot


@dataclass(frozen=True)
class Strength:
    """`score_milli`: the conservative score in thousandths of a point, None when nobody of the entry was ever rated.

    `provisional`: it rests on few games, or on the players' own ratings because the pair has none (`of_pair` False).
    """

    score_milli: int | None
    provisional: bool
    of_pair: bool

    @property
    def score(self) -> int | None:
        """Whole points, as boards show them."""
        return None if self.score_milli is None else points(self.score_milli)


UNRATED = Strength(None, provisional=True, of_pair=False)


def strengths(entries: Sequence[Entry]) -> Mapping[int, Strength]:
    """Answer the strength of each entry by id, in the ladder of its competition's rules. Three queries.

    A pair that was never rated counts as the mean of its rated players.
    """
    if not entries:
        return {}
    spots: dict[int, list[int]] = {entry.pk: [] for entry in entries}
    starters = RosterSpot.objects.filter(entry__in=list(spots), role=RosterSpot.Role.STARTER, left__isnull=True)
    for spot in starters.order_by("slot"):
        spots[spot.entry_id].append(spot.player_id)
    pairs = {pk: "-".join(str(player) for player in sorted(players)) for pk, players in spots.items()}
    people = {str(player) for players in spots.values() for player in players}
    rows = Rating.objects.filter(
        generation__state="live",
        generation__ladder__key=str(ladder_of(entries[0].competition.rules, teams=2)),
        subject__key__in=[*pairs.values(), *people],
    ).select_related("subject", "generation__params")
    rated = {row.subject.key: row for row in rows}
    return {pk: _strength(rated.get(pairs[pk]), [rated.get(str(player)) for player in spots[pk]]) for pk in spots}


def _strength(pair: Rating | None, players: Sequence[Rating | None]) -> Strength:
    if pair is not None:
        return Strength(pair.score_milli, _is_provisional(pair), of_pair=True)
    known = [row.score_milli for row in players if row is not None]
    if not known:
        return UNRATED
    return Strength(sum(known) // len(known), provisional=True, of_pair=False)


def _is_provisional(row: Rating) -> bool:
    idle = Params.from_json(row.generation.params.values).idle_per_day
    return is_provisional(record_of(row.subject.size, row), at=clock.now(), idle_per_day=idle)
