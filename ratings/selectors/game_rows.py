"""Games of a history as rows: who against whom, before and after, and every sentence that explains the change."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.models import Game
from ratings.core.score import points
from ratings.models import ON_PAPER, Generation, RatedResult, Rating

from . import why
from .histories import Played
from .naming import Names, Side, merges, other_sides, own_side

CORRECTIONS = 200  # the latest of the ladder that are looked at


@dataclass(frozen=True)
class GameRow:
    """A game of the history, with everything that explains the change."""

    at: datetime
    before: int  # scores in whole points
    after: int
    low: int  # lower end of the 95 % interval after the game
    high: int
    chance: int  # expected, in per cent
    won: bool
    ruling: str  # the number of the case whose ruling changed the result, else ""
    partners: Sequence[str]  # names of the others of a player's side
    against: Sequence[Side]
    why: Sequence[str]  # sentences
    game: str  # the slug of the replay, or ""
    match: str  # the slug of the match of a game on paper, or ""

    @property
    def difference(self) -> int:
        return self.after - self.before


@dataclass(frozen=True)
class Log:
    """The rows of the log of some games of a subject, by their keys."""

    results: Mapping[int, RatedResult]
    own: Mapping[int, tuple[int, ...]]  # the players of the subject's side, as sorted ids
    others: Mapping[int, Sequence[tuple[int, ...]]]

    @property
    def sides(self) -> set[tuple[int, ...]]:
        return {side for side in self.own.values() if side} | {side for many in self.others.values() for side in many}


def log_of(generation: Generation, members: Collection[int], keys: Collection[int]) -> Log:
    """Return the rows of the log with these keys, games of the subject of `members`. One query, two after a merge."""
    results = RatedResult.objects.in_bulk(keys)
    renamed = merges(generation, results.values(), members)
    own = {pk: own_side(result, members, renamed) for pk, result in results.items()}
    return Log(results, own, {pk: other_sides(result, own[pk], renamed) for pk, result in results.items()})


def game_rows(
    rating: Rating,
    members: Sequence[int],
    games: Sequence[Played],
    before: Sequence[Played | None],
    log: Log,
    known: Names,
) -> list[GameRow]:
    """Return the rows of `games`, newest first; `before`: the game before each, where it is known. Two queries."""
    size = len(members)
    slugs = _slugs(games)
    corrections = _corrections(rating.generation.ladder_id, games, members)
    return [
        GameRow(
            at=game.at,
            before=points(game.score_before),
            after=points(game.score_after),
            low=points(game.score_after) - why.half_width(game.sigma_after, size),
            high=points(game.score_after) + why.half_width(game.sigma_after, size),
            chance=round(100 * game.chance),
            won=game.won,
            ruling=why.ruling_of(game.ruling),
            partners=[known.player(person).name for person in log.own[game.result] if person not in members],
            against=[known.side(side) for side in log.others[game.result]],
            why=_why(game, earlier, log.results[game.result], size, corrections),
            game=slugs.get(game.source, ""),
            match=game.source.split(":")[1] if game.source.startswith(ON_PAPER) else "",
        )
        for game, earlier in zip(games, before, strict=True)
    ]


def _slugs(games: Sequence[Played]) -> dict[str, str]:
    """Return the slugs of the replays by the source. One query."""
    numbers = [int(game.source) for game in games if game.source.isdigit()]
    return {str(pk): slug for pk, slug in Game.objects.filter(pk__in=numbers).values_list("pk", "slug")}


def _corrections(ladder: int, shown: Sequence[Played], members: Sequence[int]) -> list[RatedResult]:
    """Return the corrections of the subject's games that were made after the first of `shown`, latest first. One query."""
    if not shown:
        return []
    rows = RatedResult.objects.filter(ladder=ladder, revision__gt=1, created_at__gt=shown[-1].at)
    return [
        row
        for row in rows.order_by("-created_at")[:CORRECTIONS]
        if any(set(members) <= set(side) for side in row.sides)
    ]


def _why(
    game: Played, earlier: Played | None, result: RatedResult, size: int, corrections: Sequence[RatedResult]
) -> list[str]:
    """Return what explains the row of `game`; `earlier`: the game before it."""
    difference = points(game.score_after) - points(game.score_before)
    move = why.move_of(
        mu_before=game.mu_before,
        mu_after=game.mu_after,
        size=size,
        difference=difference,
        won=game.won,
        idle_days=game.idle_days,
    )
    odd = why.against_the_result(move)
    later = next((row for row in corrections if row.completed_at < game.at < row.created_at), None)
    said = [
        why.between(points(earlier.score_after), points(game.score_before)) if earlier is not None else "",
        why.changed_afterwards(result.revision, why.ruling_of(result.ruling), result.reason),
        why.ended_by(result.reason),
        odd or why.idle(game.idle_days),
        why.computed_again(later.created_at, why.ruling_of(later.ruling)) if later is not None else "",
    ]
    return [sentence for sentence in said if sentence]
