"""What a player's page says about ratings: figures per ladder, pairs, history, chances of a pairing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import sqrt

from django.db.models import BigIntegerField
from django.utils.translation import gettext as _

from games.models import Game
from ratings.core.eligibility import CLUB, GLOBAL
from ratings.core.engines import engine_for
from ratings.core.gaussian import Estimate
from ratings.core.growth import after_idle, idle_days
from ratings.core.params import DEFAULT, Params
from ratings.core.score import points
from ratings.models import ON_PAPER, Ladder, Rating, RatingChange, Subject
from tock_league.common import clock
from tock_league.common.errors import NotThere

from .boards import live, rank_of
from .rows import BoardRow, dress
from .starts import starts
from .words import ladder_name, number

SHOWN = 300  # changes of a history that are listed


@dataclass(frozen=True)
class Summary:
    """A subject in a ladder. `row.rank` is that of the board of all clubs. `row.gap` is what is missing for `lacks`: a
    place on a club's own board ("club"), else on that of all clubs ("all"), "" for nothing. `chemistry`: of a placed
    pair, points above the sum of its players, with its margin."""

    ladder: Ladder
    name: str
    row: BoardRow
    lacks: str = ""
    pairs: Sequence["Summary"] = ()
    chemistry: tuple[int, int] | None = None


def player_summary(player_id: int) -> list[Summary]:
    """Return, per ladder the player was rated in, the own figures with those of the pairs, most games first.

    Per ladder about a dozen queries; nobody is in more than a handful.
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
    """Return, per ladder, the figures of the pair (or larger team) of these players; empty when they were never rated."""
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
    club_rows = dress(ratings, board=CLUB, generation=generation)
    global_rows = dress(ratings, board=GLOBAL, generation=generation)
    found = []
    for rating, club_row, global_row in zip(ratings, club_rows, global_rows, strict=True):
        row = club_row if club_row.gaps else global_row
        if rating.on_global and not global_row.gaps:
            row = replace(row, rank=rank_of(generation, rating.kind, rating.score_milli))
        ladder = generation.ladder
        found.append(
            Summary(
                ladder=ladder,
                name=ladder_name(ladder.family, ladder.teams),
                row=row,
                lacks="club" if club_row.gaps else "all" if global_row.gaps else "",
                chemistry=None if row.provisional or rating.subject.size == 1 else _chemistry(rating),
            )
        )
    return found


def _chemistry(pair: Rating) -> tuple[int, int] | None:
    """Return how many points a pair's estimate lies above the sum of its players', and twice its uncertainty.

    The uncertainty is an upper bound: what pair and players have in common is counted twice. None when a player has no
    rating of his own. One query.
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
    """One game in a subject's history. Scores in whole points; `low`, `high`: the 95 % interval after it; `chance`: per
    cent; `ruling`: the number of the ruling that made this result, "" for most; `game`: the slug of its replay, or ""; `match`:
    that of the match, of a game that came on paper."""

    at: datetime
    before: int
    after: int
    low: int
    high: int
    chance: int
    idle_days: int
    won: bool
    ruling: str
    game: str
    match: str = ""

    @property
    def difference(self) -> int:
        return self.after - self.before

    @property
    def sentence(self) -> str:
        """Before, after, and what was expected, in words."""
        return _("%(before)s → %(after)s; a win was expected in %(chance)d %% of such games.") % {
            "before": number(self.before),
            "after": number(self.after),
            "chance": self.chance,
        }


def history(subject: Subject, ladder: Ladder, limit: int = SHOWN) -> list[Step]:
    """Return the subject's last `limit` rated games in the ladder, oldest first. Two queries."""
    rows = list(
        RatingChange.objects.filter(generation=live(ladder), subject=subject)
        .select_related("result")
        .order_by("-completed_at", "-source")[:limit]
    )[::-1]
    games = {row.source for row in rows if row.source.isdigit()}
    slugs = dict(Game.objects.filter(pk__in=[int(source) for source in games]).values_list("pk", "slug"))
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
                ruling=row.result.ruling,
                game=slugs.get(int(row.source), "") if row.source.isdigit() else "",
                match=row.source.split(":")[1] if row.source.startswith(ON_PAPER) else "",
            )
        )
    return steps


def subject_row(subject_id: int, ladder: Ladder) -> tuple[Subject, Summary]:
    """Return a subject that is shown in the ladder, with its figures; NotThere for others."""
    if subject_id > BigIntegerField.MAX_BIGINT:  # an address may hold more than the database
        raise NotThere
    rating = (
        Rating.objects.filter(generation=live(ladder), subject_id=subject_id, subject__listed=True)
        .select_related("subject", "generation__params", "generation__ladder")
        .first()
    )
    if rating is None:
        raise NotThere
    return rating.subject, _summaries([rating])[0]


@dataclass(frozen=True)
class Chance:
    """The expected probability, 0 to 1, that the first side comes first: by the teams' ratings (None in individual play)
    and by the players'."""

    by_team: float | None
    by_players: float


def win_chance(ladder_key: str, sides: Sequence[Sequence[int]], at: datetime | None = None) -> Chance:
    """Return the chance of `sides[0]` (player ids per side) at the instant `at`, now if it is None.

    Idle growth is counted up to then; who is new to the ladder stands where the first game would begin, and so does a new
    team, from its players. Two queries, two more where somebody is new.
    """
    when = at or clock.now()
    ladder = Ladder.objects.filter(key=ladder_key).select_related("generation__params").first()
    params = Params.from_json(live(ladder).params.values) if ladder is not None else DEFAULT
    engine = engine_for(params)
    people = [str(person) for side in sides for person in side]
    teams = ["-".join(str(person) for person in sorted(side)) for side in sides]
    known: dict[str, Estimate] = {}
    if ladder is not None:
        rows = Rating.objects.filter(generation=live(ladder), subject__key__in=[*people, *teams])
        for row in rows.select_related("subject"):
            days = idle_days(row.last_rated_at, when)
            known[row.subject.key] = after_idle(
                Estimate(row.mu, row.sigma), days=days, members=row.subject.size, params=params
            )
    new = [person for side in sides for person in side if str(person) not in known]
    begin = starts(ladder_key, new, at=when, params=params)
    players = [[known.get(str(person)) or begin.get(person, engine.initial()) for person in side] for side in sides]
    by_players = engine.chances(players, [1] * len(sides))[0]
    if max(len(side) for side in sides) == 1:
        return Chance(None, by_players)
    as_one = [[known.get(key, engine.seed(members))] for key, members in zip(teams, players, strict=True)]
    return Chance(engine.chances(as_one, [len(side) for side in sides])[0], by_players)
