"""The last games of players and teams, as the signals take them."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import sqrt

from games.models import Game
from ratings.core import eligibility
from ratings.core.integrity.signals import WINDOW, Played
from ratings.models import Generation, Rating, RatingChange, Subject

EARLY_ROWS = 60  # a game of four players that ends by resignation before so many rows of its record ended early
RESIGNED = "resigned"


def windows(generation: Generation, subjects: Collection[Subject]) -> dict[int, list[Played]]:
    """Return the last WINDOW games of each subject, by its key, oldest first.

    A query for each subject and two more; each reads at most WINDOW rows by an index.
    """
    totals = Rating.objects.filter(generation=generation, subject__in=subjects).values_list("subject", "games")
    counts = dict(totals)
    rows = {subject.pk: _rows(generation, subject) for subject in subjects}
    early = _early(rows)
    return {subject.pk: _played(subject, rows[subject.pk], counts.get(subject.pk, 0), early) for subject in subjects}


def _rows(generation: Generation, subject: Subject) -> list[RatingChange]:
    found = RatingChange.objects.filter(generation=generation, subject=subject).select_related("result")
    return list(found.order_by("-completed_at", "-source")[:WINDOW])[::-1]


def _early(rows: Mapping[int, list[RatingChange]]) -> set[str]:
    """Return the sources of the games that were given up early. One query at most."""
    resigned = {row.source for found in rows.values() for row in found if row.result.reason == RESIGNED}
    numbers = [int(source) for source in resigned if source.isdigit()]
    if not numbers:
        return set()
    short = Game.objects.filter(pk__in=numbers, last_seq__lt=EARLY_ROWS)
    return {str(key) for key in short.values_list("pk", flat=True)}


def _played(subject: Subject, rows: list[RatingChange], total: int, early: set[str]) -> list[Played]:
    members = {int(part) for part in subject.key.split("-")}
    limit = eligibility.PROVISIONAL_SIGMA * sqrt(subject.size)
    found = []
    for i, row in enumerate(rows):
        sides = [tuple(sorted(side)) for side in row.result.sides]
        found.append(
            Played(
                source=row.source,
                at=row.completed_at,
                opponents=tuple(side for side in sides if not members & set(side)),
                won=row.won,
                chance=row.chance,
                moved=row.score_after - row.score_before,
                settled=row.sigma_before <= limit and total - len(rows) + i >= eligibility.PROVISIONAL_GAMES,
                early=row.source in early,
                mates=next((tuple(sorted(set(side) - members)) for side in sides if members <= set(side)), ()),
            )
        )
    return found


def with_one_partner(games: Sequence[Played]) -> bool:
    """Return whether a player has the same partner in four of five games: then the pair is looked at, not the player."""
    mates = Counter(game.mates for game in games if game.mates)
    return bool(mates) and max(mates.values()) >= 0.8 * len(games)
