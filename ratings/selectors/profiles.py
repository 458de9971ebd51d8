"""Reads about one player or pair: figures per ladder, pairs, history."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import sqrt

from games.models import Game
from ratings.core.eligibility import CLUB, GLOBAL, gaps
from ratings.core.params import Params
from ratings.core.score import points
from ratings.models import ON_PAPER, Ladder, Rating, RatingChange, Subject
from tock_league.accounts.models import Player
from tock_league.common import clock

from .ladders import live
from .ranks import place_of
from .rows import BoardRow, dress, record_of
from .why import ruling_of
from .words import gap_sentence, ladder_name

SHOWN = 300  # maximum number of games in a history


@dataclass(frozen=True)
class Summary:
    """The figures of a subject in a ladder."""

    ladder: Ladder
    name: str  # of the ladder
    row: BoardRow  # its `rank` is that on the board of all clubs; its `gap` is about the board named in `lacks`
    lacks: str = ""  # a place on a club's own board ("club"), else on that of all clubs ("all"); "" if none is missing
    pairs: Sequence["Summary"] = ()  # of a player: those of the pairs, most games first
    chemistry: tuple[int, int] | None = None  # of a team that is not provisional: see _chemistry


def player_summary(player_id: int) -> list[Summary]:
    """Return the player's summary, with those of the pairs, for each ladder in which the player was rated.

    About a dozen queries per ladder; a player is in a few ladders at most.
    """
    mine = Rating.objects.filter(subject__members=player_id, generation__state="live").select_related(
        "subject", "generation__params", "generation__ladder"
    )
    ladders: dict[int, list[Rating]] = {}
    for rating in mine.order_by("-games", "subject_id"):
        ladders.setdefault(rating.generation_id, []).append(rating)
    found = []
    for ratings in ladders.values():
        summaries = _summaries([rating for rating in ratings if rating.subject.listed])
        own = [summary for summary in summaries if summary.row.kind == Subject.Kind.PLAYER]
        if own:
            pairs = [summary for summary in summaries if summary.row.kind == Subject.Kind.TEAM]
            found.append(replace(own[0], pairs=pairs))
    return found


def pair_summary(members: Sequence[int]) -> list[Summary]:
    """Return the summary of the pair (or larger team) of these players for each ladder in which it was rated."""
    key = "-".join(str(person) for person in sorted(members))
    ratings = Rating.objects.filter(subject__key=key, subject__listed=True, generation__state="live").select_related(
        "subject", "generation__params", "generation__ladder"
    )
    return [summary for rating in ratings for summary in _summaries([rating])]


def _summaries(ratings: Sequence[Rating]) -> list[Summary]:
    """Return the summaries of ratings of one ladder, in their order."""
    if not ratings:
        return []
    generation = ratings[0].generation
    params = Params.from_json(generation.params.values)
    rows = dress(ratings, board=GLOBAL, generation=generation)
    found = []
    for rating, global_row in zip(ratings, rows, strict=True):
        record = record_of(rating.subject.size, rating)
        lacking = gaps(record, CLUB, at=clock.now(), idle_per_day=params.idle_per_day)
        row = replace(global_row, gaps=lacking, gap=gap_sentence(lacking)) if lacking else global_row
        if rating.on_global and not global_row.gaps:
            row = replace(row, rank=place_of(rating).rank)
        ladder = generation.ladder
        found.append(
            Summary(
                ladder=ladder,
                name=ladder_name(ladder.family, ladder.teams),
                row=row,
                lacks="club" if lacking else "all" if global_row.gaps else "",
                chemistry=None if row.provisional or rating.subject.size == 1 else _chemistry(rating),
            )
        )
    return found


def _chemistry(pair: Rating) -> tuple[int, int] | None:
    """Return the difference between a pair and the sum of its players, with the half width of its 95 % interval.

    Both are in points, on the scale of one player. The interval is an upper bound, because it takes
    the pair's estimate and the players' as independent. None if a player has no rating. One query.
    """
    alone = list(
        Rating.objects.filter(
            generation=pair.generation, kind=Subject.Kind.PLAYER, subject__members__rating_subjects=pair.subject
        )
    )
    if len(alone) != pair.subject.size:
        return None
    size = pair.subject.size
    middle = (pair.mu - sum(row.mu for row in alone)) / size
    sigma = sqrt(pair.sigma**2 + sum(row.sigma**2 for row in alone)) / sqrt(size)
    return round(40 * middle), round(80 * sigma)


@dataclass(frozen=True)
class Step:
    """One game in a subject's history; scores are in whole points."""

    at: datetime  # the end of the game
    before: int
    after: int
    low: int  # lower end of the 95 % interval after the game
    high: int  # upper end
    chance: int  # expected chance of winning, in per cent
    idle_days: int  # whole days since the game before
    won: bool
    ruling: str  # the number of the ruling that caused this result, else ""
    game: str  # the slug of the game's replay, or ""
    match: str = ""  # the slug of the match of a game played on paper, else ""
    opponents: str = ""  # the names of the players of the other sides

    @property
    def difference(self) -> int:
        return self.after - self.before


def history(subject: Subject, ladder: Ladder, limit: int = SHOWN, *, is_named: bool = True) -> list[Step]:
    """Return the subject's last `limit` rated games in the ladder, oldest first. Four queries.

    `is_named`: whether opponents and replays are read too; without them it is one query.
    """
    rows = list(
        RatingChange.objects.filter(generation=live(ladder), subject=subject)
        .select_related("result")
        .order_by("-completed_at", "-source")[:limit]
    )[::-1]
    games = {row.source for row in rows if row.source.isdigit() and is_named}
    slugs = dict(Game.objects.filter(pk__in=[int(source) for source in games]).values_list("pk", "slug"))
    others = _opponents(subject, rows) if is_named else {}
    steps = []
    for row in rows:
        margin = round(80 * row.sigma_after / sqrt(subject.size))
        after = points(row.score_after)
        steps.append(
            Step(
                at=row.completed_at,
                before=points(row.score_before),
                after=after,
                low=after - margin,
                high=after + margin,
                chance=round(100 * row.chance),
                idle_days=row.idle_days,
                won=row.won,
                ruling=ruling_of(row.result.ruling),
                game=slugs.get(int(row.source), "") if row.source.isdigit() else "",
                match=row.source.split(":")[1] if row.source.startswith(ON_PAPER) else "",
                opponents=others.get(row.pk, ""),
            )
        )
    return steps


def _opponents(subject: Subject, changes: Sequence[RatingChange]) -> dict[int, str]:
    """Return the names of the players of the other sides, by the key of the change. Two queries."""
    own = set(subject.members.values_list("pk", flat=True))
    others = {
        row.pk: [person for side in row.result.sides if not own & set(side) for person in side] for row in changes
    }
    wanted = {person for people in others.values() for person in people}
    names = dict(Player.objects.filter(pk__in=wanted).values_list("pk", "display_name"))
    return {pk: " – ".join(names[person] for person in people if person in names) for pk, people in others.items()}
