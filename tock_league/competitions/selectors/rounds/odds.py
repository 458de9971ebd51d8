"""Chances of matches that are not decided, from everybody's rating: as wins in a hundred games."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ratings.core.ladders import ladder_of
from ratings.selectors import pairings
from ratings.selectors.pairings import Chance
from tock_league.common import clock

from .matches import MatchView


@dataclass(frozen=True)
class Odds:
    """The chances of a match of two sides, in whole wins of a hundred."""

    home: int  # games
    home_match: int  # matches: the same where a match is one game
    best_of: int
    home_name: str
    away_name: str
    ladder: str  # the key of the ladder
    subjects: tuple[int | None, ...]  # per side, the id of its page in the ladder; None where it has none

    @property
    def away(self) -> int:
        return 100 - self.home

    @property
    def away_match(self) -> int:
        return 100 - self.home_match

    @property
    def favourite(self) -> str:
        """The name of the side that is expected to win more games; the first one where both win as many."""
        return self.home_name if self.home >= 50 else self.away_name

    @property
    def wins(self) -> int:
        """Games that the favourite wins."""
        return max(self.home, self.away)

    @property
    def wins_match(self) -> int:
        """Matches that the favourite wins."""
        return self.home_match if self.home >= 50 else self.away_match

    @property
    def comparable(self) -> bool:
        """Whether both sides have a page in the ladder."""
        return len(self.subjects) == 2 and None not in self.subjects

    @property
    def family(self) -> str:
        return self.ladder.partition(":")[0]

    @property
    def teams(self) -> int:
        return int(self.ladder.partition(":")[2])


def of_matches(views: Iterable[MatchView]) -> Mapping[int, Odds]:
    """Return the odds of each match that is open between two complete sides, by the match's id.

    At the time for which the match is set, or now. Two queries for each ladder, four where somebody is new to it.
    """
    by_ladder: dict[str, list[MatchView]] = {}
    for view in views:
        size = view.match.competition.side_size
        complete = len(view.sides) == 2 and all(len(side.players) == size for side in view.sides)
        if complete and view.effective.state == "open" and not view.is_decided:
            key = str(ladder_of(view.match.competition.rules, len(view.sides)))
            by_ladder.setdefault(key, []).append(view)
    now = clock.now()
    found: dict[int, Odds] = {}
    for ladder, open_ones in by_ladder.items():
        asked = [
            ([[player.pk for player in side.players] for side in view.sides], max(now, view.starts_at or now))
            for view in open_ones
        ]
        for view, chance in zip(open_ones, pairings.win_chances(ladder, asked), strict=True):
            found[view.match.pk] = _odds(view, ladder, chance)
    return found


def _odds(view: MatchView, ladder: str, chance: Chance) -> Odds:
    best_of = view.match.best_of
    return Odds(
        home=pairings.of_hundred(chance.best),
        home_match=pairings.of_hundred(pairings.of_match(chance.best, best_of)),
        best_of=best_of,
        home_name=view.home.name,
        away_name=view.away.name,
        ladder=ladder,
        subjects=chance.subjects,
    )
