"""The kept figures of the clubs. They are written in the transaction that changes a rating or a home club.

The writer holds the ladder's lock, so that a game and a change of clubs that happen at once both count.
"""

from collections import defaultdict
from collections.abc import Collection

from ratings.core.clubs import mean_milli
from ratings.models import ClubScore, Generation, Rating
from tock_league.clubs.announcements import HomeChanged
from tock_league.clubs.models import Membership

from .ladders import locked

CHUNK = 500
RATING = "player__rating_subjects__ratings"  # from a membership


def scores_of(generation: Generation, clubs: Collection[int] | None) -> dict[int, list[int]]:
    """Return the scores of the eligible home players of each club, highest first, in thousandths. One query.

    `clubs`: None for all clubs. Clubs without eligible players are missing.
    """
    wanted: dict[str, object] = {"home": True, "until__isnull": True, "player__rating_subjects__kind": "player"}
    wanted |= {f"{RATING}__generation": generation, f"{RATING}__on_club": True}
    if clubs is not None:
        wanted["club__in"] = clubs
    found: dict[int, list[int]] = defaultdict(list)
    rows = Membership.objects.filter(**wanted).order_by(f"-{RATING}__score_milli")
    for club, score in rows.values_list("club_id", f"{RATING}__score_milli").iterator(2000):
        found[club].append(score)
    return found


def count_again(generation: Generation, clubs: Collection[int] | None = None) -> None:
    """Write the figures of `clubs` (None: of all) as they follow from the ratings. The caller holds the ladder's lock."""
    if clubs is not None and not clubs:
        return
    found = scores_of(generation, clubs)
    old = ClubScore.objects.filter(generation=generation)
    if clubs is not None:
        old = old.filter(club__in=clubs)
    old.exclude(club__in=list(found)).delete()
    ClubScore.objects.bulk_create(
        [
            ClubScore(generation=generation, club_id=club, eligible=len(scores), mean_milli=mean_milli(scores))
            for club, scores in sorted(found.items())
        ],
        batch_size=CHUNK,
        update_conflicts=True,
        unique_fields=["generation", "club"],
        update_fields=["eligible", "mean_milli"],
    )


def clubs_of(subjects: Collection[int]) -> set[int]:
    """Return the home clubs of the players who are these subjects. One query for each CHUNK of them."""
    ordered, found = sorted(subjects), set()
    for start in range(0, len(ordered), CHUNK):
        ties = Membership.objects.filter(
            home=True, until__isnull=True, player__rating_subjects__in=ordered[start : start + CHUNK]
        )
        found |= set(ties.values_list("club_id", flat=True))
    return found


def count_club_again(announcement: HomeChanged) -> None:
    """Count the club again in each ladder in which the player is rated (WITHIN subscriber of HomeChanged).

    Also where the player is not eligible yet: a game that makes the player so may be about to commit.
    """
    mine = Rating.objects.filter(subject__key=str(announcement.player_id), generation__state=Generation.State.LIVE)
    for key in sorted(mine.values_list("generation__ladder__key", flat=True)):
        ladder = locked(key)
        assert ladder.generation is not None
        count_again(ladder.generation, [announcement.club_id])
