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
from .ranks import ranks_of_scores
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

    Four queries, and two for each kind with a place on the board.
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
    shown = [change for change in changes.order_by("-won", "subject_id") if change.subject.listed]  # not drawn by lots
    placed = {pk for pk, rating in ratings.items() if rating.on_global}
    ranks = _ranks([change for change in shown if change.subject_id in placed])
    for change in shown:
        rating = ratings.get(change.subject_id)
        ranked = change.subject_id in placed
        before, after = points(change.score_before), points(change.score_after)
        move = why.move_of(
            mu_before=change.mu_before,
            mu_after=change.mu_after,
            size=change.subject.size,
            difference=after - before,
            won=change.won,
            idle_days=change.idle_days,
        )
        found[change.subject.kind].append(
            GameChange(
                players=tuple(sorted(change.subject.members.all(), key=lambda player: player.display_name)),
                before=before,
                after=after,
                rank=ranks.get((change.pk, change.score_after)),
                rank_before=ranks.get((change.pk, change.score_before)),
                won=change.won,
                gap="" if ranked or rating is None else _gap(rating, change.subject.size),
                why=why.against_the_result(move),
            )
        )
    return GameChanges(True, False, found[Subject.Kind.PLAYER], found[Subject.Kind.TEAM])


def _ranks(changes: Sequence[RatingChange]) -> dict[tuple[int, int], int]:
    """Return the ranks of the scores before and after each change, by the change's id and the score. Two queries a kind."""
    found: dict[tuple[int, int], int] = {}
    for kind in Subject.Kind.values:
        some = [change for change in changes if change.subject.kind == kind]
        if some:
            scores = {score for change in some for score in (change.score_before, change.score_after)}
            ranks = ranks_of_scores(some[0].generation, kind, scores)
            found |= {
                (change.pk, score): ranks[score]
                for change in some
                for score in (change.score_before, change.score_after)
            }
    return found


def _gap(rating: Rating, size: int) -> str:
    """Return what a rating lacks for a rank on the board of all clubs. No query after its generation is loaded."""
    params = Params.from_json(rating.generation.params.values)
    record = record_of(size, rating)
    return gap_sentence(eligibility.gaps(record, eligibility.GLOBAL, at=clock.now(), idle_per_day=params.idle_per_day))
