"""What one game did to the ratings of those who played it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.core import eligibility
from ratings.core.params import Params
from ratings.core.score import points
from ratings.models import RatedResult, Rating, RatingChange, Subject, WaitingResult
from tock_league.accounts.models import Player
from tock_league.common import clock

from . import why
from .ranks import rank_of
from .rows import record_of
from .words import gap_sentence


@dataclass(frozen=True)
class GameChange:
    """The change of one player's or pair's rating by a game, in whole points."""

    players: tuple[Player, ...]
    before: int
    after: int
    rank: int | None  # on the board of all clubs, as it stands now; None without a place
    rank_before: int | None  # the rank that the score before the game would have now
    won: bool
    gap: str  # what is missing for a rank, as a sentence; "" with a rank
    why: str  # why a win has lowered the rating, or a loss has raised it; "" where neither happened

    @property
    def difference(self) -> int:
        return self.after - self.before

    @property
    def climbed(self) -> int:
        """How many places up; negative: down. 0 without a rank."""
        return self.rank_before - self.rank if self.rank is not None and self.rank_before is not None else 0

    @property
    def name(self) -> str:
        return " – ".join(player.display_name for player in self.players)


@dataclass(frozen=True)
class GameChanges:
    """The changes by a game: of players, and of pairs or larger teams. `waiting`: they are still being computed."""

    rated: bool
    waiting: bool
    players: Sequence[GameChange] = ()
    teams: Sequence[GameChange] = ()


def changes_by(game_id: int) -> GameChanges:
    """Return what the game did to the ratings in the live generation of its ladder; nothing for an unrated game.

    Four queries, and up to four for each player and pair with a place on the board.
    """
    row = RatedResult.objects.filter(source=str(game_id)).order_by("-revision").first()
    if row is None or not row.rated:
        return GameChanges(rated=False, waiting=False)
    if WaitingResult.objects.filter(result__source=str(game_id)).exists():
        return GameChanges(rated=True, waiting=True)
    found: dict[str, list[GameChange]] = {Subject.Kind.PLAYER: [], Subject.Kind.TEAM: []}
    changes = RatingChange.objects.filter(source=str(game_id), generation__state="live", result__ladder=row.ladder)
    changes = changes.select_related("subject", "generation__params").prefetch_related("subject__members")
    ratings = {
        rating.subject_id: rating
        for rating in Rating.objects.filter(
            generation__in=changes.values("generation"), subject__in=changes.values("subject")
        ).select_related("generation__params")
    }
    for change in changes.order_by("-won", "subject_id"):
        if not change.subject.listed:
            continue  # drawn by lots
        kind = change.subject.kind
        rating = ratings.get(change.subject_id)
        ranked = rating is not None and rating.on_global
        before, after = points(change.score_before), points(change.score_after)
        move = why.move_of(
            mu_before=change.mu_before,
            mu_after=change.mu_after,
            size=change.subject.size,
            difference=after - before,
            won=change.won,
            idle_days=change.idle_days,
        )
        found[kind].append(
            GameChange(
                players=tuple(sorted(change.subject.members.all(), key=lambda player: player.display_name)),
                before=before,
                after=after,
                rank=rank_of(change.generation, kind, change.score_after) if ranked else None,
                rank_before=rank_of(change.generation, kind, change.score_before) if ranked else None,
                won=change.won,
                gap="" if ranked or rating is None else _gap(rating, change.subject.size),
                why=why.against_the_result(move),
            )
        )
    return GameChanges(True, False, found[Subject.Kind.PLAYER], found[Subject.Kind.TEAM])


def _gap(rating: Rating, size: int) -> str:
    """Return what a rating lacks for a rank on the board of all clubs. No query after its generation is loaded."""
    params = Params.from_json(rating.generation.params.values)
    record = record_of(size, rating)
    return gap_sentence(eligibility.gaps(record, eligibility.GLOBAL, at=clock.now(), idle_per_day=params.idle_per_day))
