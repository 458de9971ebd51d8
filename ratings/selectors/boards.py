"""Leaderboards: a page of a ladder, a club's own board, the board of clubs.

Pages are read by key instead of OFFSET; ranks are counted from the histogram.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from django.db.models import BigIntegerField, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from games.selectors import rule_sets
from ratings.core.eligibility import CLUB, GLOBAL
from ratings.core.ladders import ladder_of
from ratings.core.score import bucket, points
from ratings.models import Generation, Ladder, RankBucket, Rating, Subject
from tock_league.accounts.models import Player
from tock_league.clubs.models import Club, Membership, Team
from tock_league.common.errors import NotThere, Refused

from .pairs import team_of
from .rows import BoardRow, dress

PAGE = 50  # ranked rows per page
APART = 60  # maximum number of unranked rows listed
BEST = 8  # a club's score is the mean of at most so many of its eligible players
LEAST = 4  # with fewer eligible players a club has no score


@dataclass(frozen=True)
class BoardPage:
    """One page of a board."""

    ladder: Ladder
    kind: str  # player or team
    rows: Sequence[BoardRow]  # with a rank
    apart: Sequence[BoardRow]  # without a place on the board, each with its gaps
    after: str  # the key of the last row, for the next page; "" on the last page
    first: int  # position of the first row on the whole board, from 1; 0 without rows
    total: int  # number of ranked rows of the whole board
    more_apart: bool = False  # whether `apart` is cut off
    unplayed: Sequence[Player] = ()  # members of the club without a rated game

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


def ladders() -> list[Ladder]:
    """Return all ladders by name. One query."""
    return list(Ladder.objects.select_related("generation__params").order_by("family", "teams"))


def leading() -> Ladder | None:
    """Return the default ladder: the one with the most ranked rows, the oldest of equal ones. One query."""
    ranked = Coalesce(Sum("generation__buckets__count"), 0)
    return Ladder.objects.select_related("generation__params").annotate(ranked=ranked).order_by("-ranked", "pk").first()


def ladder(key: str) -> Ladder:
    """Return the ladder with that key; raise NotThere if there is none. One query."""
    found = Ladder.objects.filter(key=key).select_related("generation__params").first()
    if found is None:
        raise NotThere
    return found


def is_coming(key: str) -> bool:
    """Return whether `key` is the ladder of an offered rule set with two teams; it may have no rated game yet."""
    return any(key == str(ladder_of(one.id, 2)) for one in rule_sets.offered())


def board(
    ladder_key: str,
    kind: str,
    club: Club | None = None,
    *,
    after: str = "",
    limit: int = PAGE,
    name: str = "",
    viewer_id: int | None = None,
) -> BoardPage:
    """Return a page of the ladder's board of `kind` (player or team), or `club`'s whole board.

    `after`: BoardPage.after of the page before; raises Refused("page") if it is malformed. `name`: only subjects with
    this text in a name.
    """
    of = ladder(ladder_key)
    if club is not None:
        return _club_board(of, kind, club, viewer_id)
    return _global_board(of, kind, after, limit, name, viewer_id)


def live(of: Ladder) -> Generation:
    """Return the generation that readers see."""
    assert of.generation is not None
    return of.generation


def _global_board(of: Ladder, kind: str, after: str, limit: int, name: str, viewer_id: int | None) -> BoardPage:
    generation = live(of)
    listed = Rating.objects.filter(generation=generation, kind=kind, subject__listed=True).select_related("subject")
    ranked = listed.filter(on_global=True)
    if name:
        named = _called(kind, name)
        listed, ranked = listed.filter(subject__in=named), ranked.filter(subject__in=named)
    page = list(_from_key(ranked, after).order_by("-score_milli", "subject_id")[: limit + 1])
    more = len(page) > limit
    page = page[:limit]
    rows = dress(page, board=GLOBAL, generation=generation, viewer_id=viewer_id)
    rows = with_ranks(generation, kind, rows) if not name else _with_own_ranks(generation, kind, rows)
    total = RankBucket.objects.filter(generation=generation, kind=kind).aggregate(n=Sum("count"))["n"] or 0
    apart: list[Rating] = []
    if not after:
        apart = list(listed.filter(on_global=False).order_by("-score_milli", "subject_id")[: APART + 1])
    return BoardPage(
        ladder=of,
        kind=kind,
        rows=rows,
        apart=dress(apart[:APART], board=GLOBAL, generation=generation, viewer_id=viewer_id) if apart else [],
        after=f"{page[-1].score_milli}.{page[-1].subject_id}" if more else "",
        first=_position(ranked, generation, kind, page) if page else 0,
        total=total,
        more_apart=len(apart) > APART,
    )


def _called(kind: str, name: str) -> QuerySet[Subject]:
    """Return the subjects of `kind` with `name` in a member's name or in the name of a pair's team."""
    called = Q(members__display_name__icontains=name)
    if kind == Subject.Kind.TEAM:
        called |= Q(members__team_spells__team__name__icontains=name, members__team_spells__team__drawn=False)
    return Subject.objects.filter(called, kind=kind)


def _from_key(ranked: QuerySet[Rating], after: str) -> QuerySet[Rating]:
    """Return the rows after the key "score.subject"; without OFFSET, so that all pages cost the same."""
    if not after:
        return ranked
    score, _dot, subject = after.partition(".")
    try:
        s, i = int(score), int(subject)
    except ValueError:
        raise Refused("page", field="after", status=404) from None
    if abs(i) > BigIntegerField.MAX_BIGINT:
        raise Refused("page", field="after", status=404)
    return ranked.filter(score_milli__lte=s).filter(Q(score_milli__lt=s) | Q(subject_id__gt=i))


def rank_of(generation: Generation, kind: str, score_milli: int) -> int:
    """Return the rank of a score on the global board: 1 + the number of higher scores.

    Two queries, of a few hundred rows at most: the higher buckets of the histogram, and the rows in the score's own
    bucket by the index.
    """
    step = bucket(score_milli)
    higher = RankBucket.objects.filter(generation=generation, kind=kind, bucket__gt=step).aggregate(n=Sum("count"))["n"]
    within = Rating.objects.filter(
        generation=generation, kind=kind, on_global=True, score_milli__gt=score_milli, score_milli__lt=(step + 1) * 4000
    ).count()
    return 1 + (higher or 0) + within


def with_ranks(generation: Generation, kind: str, rows: Sequence[BoardRow]) -> list[BoardRow]:
    """Return consecutive rows of a board with their ranks; equal scores share one."""
    if not rows:
        return []
    ranks = [rank_of(generation, kind, rows[0].score_milli)]
    same = Rating.objects.filter(generation=generation, kind=kind, on_global=True, score_milli=rows[0].score_milli)
    block = same.count()  # rows with the first score, also those on the page before
    for before, row in pairwise(rows):
        if row.score_milli == before.score_milli:
            ranks.append(ranks[-1])
            if row.score_milli != rows[0].score_milli:
                block += 1
        else:
            ranks.append(ranks[-1] + block)
            block = 1
    return [replace(row, rank=rank) for row, rank in zip(rows, ranks, strict=True)]


def _with_own_ranks(generation: Generation, kind: str, rows: Sequence[BoardRow]) -> list[BoardRow]:
    """Return rows found by name, each with its rank on the whole board. Two queries per row."""
    return [replace(row, rank=rank_of(generation, kind, row.score_milli)) for row in rows]


def _position(ranked: QuerySet[Rating], generation: Generation, kind: str, page: Sequence[Rating]) -> int:
    first = page[0]
    return (
        rank_of(generation, kind, first.score_milli)
        + ranked.filter(score_milli=first.score_milli, subject_id__lt=first.subject_id).count()
    )


def _club_board(of: Ladder, kind: str, club: Club, viewer_id: int | None) -> BoardPage:
    """Return the club's own board: its home members, or its pairs. A club is small, so it is one page.

    Home members without a rated game are only listed by name.
    """
    generation = live(of)
    ties = Membership.objects.filter(club=club, home=True, until__isnull=True).select_related("player")
    people = {tie.player_id: tie.player for tie in ties}
    ids = set(people)
    ratings = Rating.objects.filter(generation=generation, kind=kind, subject__listed=True).select_related("subject")
    if kind == Subject.Kind.PLAYER:
        found = list(ratings.filter(subject__members__in=ids).order_by("-score_milli", "subject_id"))
    else:
        found = _pairs_of(club, ids, ratings)
    rows = dress(found, board=CLUB, generation=generation, viewer_id=viewer_id)
    standing = [row for row, rating in zip(rows, found, strict=True) if rating.on_club and not row.gaps]
    apart = [row for row, rating in zip(rows, found, strict=True) if not rating.on_club or row.gaps]
    ranked: list[BoardRow] = []
    for position, row in enumerate(standing, start=1):
        tie = ranked and ranked[-1].score_milli == row.score_milli
        ranked.append(replace(row, rank=ranked[-1].rank if tie else position))
    played = {person.pk for row in rows for person in row.players}
    unplayed = [people[pk] for pk in people if pk not in played] if kind == Subject.Kind.PLAYER else []
    return BoardPage(
        ladder=of,
        kind=kind,
        rows=ranked,
        apart=apart,
        after="",
        first=1 if ranked else 0,
        total=len(ranked),
        unplayed=sorted(unplayed, key=lambda person: person.display_name),
    )


def _pairs_of(club: Club, ids: set[int], ratings: QuerySet[Rating]) -> list[Rating]:
    """Return the ratings of the club's pairs: its teams, and pairs without a club's team whose home club it is."""
    near = Q(subject__members__in=ids) | Q(subject__members__team_spells__team__club=club)
    candidates = list(ratings.filter(near).distinct().order_by("-score_milli", "subject_id"))
    members = {rating.pk: tuple(int(part) for part in rating.subject.key.split("-")) for rating in candidates}
    teams = team_of(members.values())
    mine = []
    for rating in candidates:
        team: Team | None = teams.get(members[rating.pk])
        at_home = set(members[rating.pk]) <= ids
        if (team is not None and team.club_id == club.pk) or (at_home and (team is None or team.club_id is None)):
            mine.append(rating)
    return mine


@dataclass(frozen=True)
class ClubRow:
    """A row of the board of clubs."""

    club: Club
    score: int | None  # mean score of the BEST best eligible players, in whole points; None with fewer than LEAST
    counted: int  # number of players in the mean
    eligible: int  # number of eligible players
    missing: int  # how many more eligible players the club needs for a score
    rank: int | None = None  # None without a score
    own: bool = False  # whether it is the viewer's home club


def clubs_board(ladder_key: str, viewer_id: int | None = None) -> tuple[Ladder, list[ClubRow], list[ClubRow]]:
    """Return the ladder, the clubs with a score by rank, and the clubs without one by name. Four queries.

    Computed at each read: a member who changes clubs counts for the new club at once.
    """
    of = ladder(ladder_key)
    homes: dict[int, Club] = {}
    mine: int | None = None
    for tie in Membership.objects.filter(home=True, until__isnull=True).select_related("club"):
        homes[tie.player_id] = tie.club
        mine = tie.club_id if tie.player_id == viewer_id else mine
    scores: dict[int, list[tuple[int, int]]] = {}
    eligible = Rating.objects.filter(generation=live(of), kind=Subject.Kind.PLAYER, on_club=True)
    for score, key in eligible.order_by("-score_milli").values_list("score_milli", "subject__key"):
        if int(key) in homes:
            scores.setdefault(homes[int(key)].pk, []).append((score, int(key)))
    rows = [club_row(club, [s for s, _ in scores.get(club.pk, [])], own=club.pk == mine) for club in Club.objects.all()]
    figures = {row.club.pk: mean_milli([s for s, _ in scores.get(row.club.pk, [])]) for row in rows}
    ranked = sorted(
        (row for row in rows if row.score is not None),
        key=lambda row: (-(figures[row.club.pk] or 0), -row.eligible, row.club.pk),
    )
    return (
        of,
        [replace(row, rank=position) for position, row in enumerate(ranked, start=1)],
        sorted((row for row in rows if row.score is None), key=lambda row: row.club.name),
    )


def mean_milli(scores: Sequence[int]) -> float | None:
    """Return the mean of the first BEST of `scores` (in thousandths, highest first); None for fewer than LEAST."""
    best = scores[:BEST]
    return sum(best) / len(best) if len(best) >= LEAST else None


def club_row(club: Club, scores: Sequence[int], *, own: bool = False) -> ClubRow:
    """Return a club's row from its eligible players' scores, in thousandths, highest first."""
    mean = mean_milli(scores)
    return ClubRow(
        club=club,
        score=points(round(mean)) if mean is not None else None,
        counted=min(len(scores), BEST),
        eligible=len(scores),
        missing=max(0, LEAST - len(scores)),
        own=own,
    )
