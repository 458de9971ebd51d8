"""The strength of entries before the draw: the team's conservative rating, flagged where it has little basis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ratings.core.eligibility import is_provisional
from ratings.core.ladders import ladder_of
from ratings.core.params import DEFAULT, Params
from ratings.core.score import points, score_milli
from ratings.models import Rating
from ratings.selectors.rows import record_of
from ratings.selectors.starts import starts
from tock_league.common import clock

from ...models import Entry, RosterSpot
from ..seasons.shapes import SIDES


@dataclass(frozen=True)
class Strength:
    """The strength of an entry, for seeding."""

    # the conservative score in thousandths of a point; None if nobody of the entry was ever rated
    score_milli: int | None
    provisional: bool  # whether it is based on few games, or only on the players' own ratings
    of_team: bool  # whether the team itself has a rating

    @property
    def score(self) -> int | None:
        """Whole points, as boards show them."""
        return None if self.score_milli is None else points(self.score_milli)


UNRATED = Strength(None, provisional=True, of_team=False)


def strengths(entries: Sequence[Entry]) -> Mapping[int, Strength]:
    """Return the strength of each entry by id, in the ladder of its competition's rules. Three to five queries.

    A team that was never rated counts as the mean of its players who were, and a player who is new to the ladder as
    where the first game would begin. Entries of one competition.
    """
    if not entries:
        return {}
    spots: dict[int, list[int]] = {entry.pk: [] for entry in entries}
    starters = RosterSpot.objects.filter(entry__in=list(spots), role=RosterSpot.Role.STARTER, left__isnull=True)
    for spot in starters.order_by("slot"):
        spots[spot.entry_id].append(spot.player_id)
    teams = {pk: "-".join(str(player) for player in sorted(players)) for pk, players in spots.items()}
    people = {str(player) for players in spots.values() for player in players}
    ladder = str(ladder_of(entries[0].competition.rules, teams=SIDES))
    rows = Rating.objects.filter(
        generation__state="live",
        generation__ladder__key=ladder,
        subject__key__in=[*teams.values(), *people],
    ).select_related("subject", "generation__params")
    rated = {row.subject.key: row for row in rows}
    new = [int(player) for player in people if player not in rated]
    begin = starts(ladder, new, at=clock.now(), params=DEFAULT)
    alone = {key: row.score_milli for key, row in rated.items()}
    alone |= {str(player): score_milli(estimate, 1) for player, estimate in begin.items()}
    return {pk: _strength(rated.get(teams[pk]), [alone.get(str(player)) for player in spots[pk]]) for pk in spots}


def _strength(team: Rating | None, players: Sequence[int | None]) -> Strength:
    if team is not None:
        return Strength(team.score_milli, _is_provisional(team), of_team=True)
    known = [score for score in players if score is not None]
    if not known:
        return UNRATED
    return Strength(sum(known) // len(known), provisional=True, of_team=False)


def _is_provisional(row: Rating) -> bool:
    idle = Params.from_json(row.generation.params.values).idle_per_day
    return is_provisional(record_of(row.subject.size, row), at=clock.now(), idle_per_day=idle)
