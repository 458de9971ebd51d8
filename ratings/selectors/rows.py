"""Rows of a board: ratings with names, clubs, today's intervals and missing conditions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ratings.core import eligibility
from ratings.core.eligibility import Board, Gap
from ratings.core.gaussian import Estimate
from ratings.core.params import Params
from ratings.core.score import interval, points
from ratings.models import Generation, Ladder, Rating, RatingChange, Subject
from tock_league.accounts.models import Player
from tock_league.clubs.models import Club, Membership, Team
from tock_league.common import clock

from .pairs import Members, team_of
from .words import gap_sentence, until_sentence

WEEK, MONTH = timedelta(days=7), timedelta(days=30)


@dataclass(frozen=True)
class NamedRow:
    """A subject with its name and its score."""

    subject_id: int
    kind: str  # player or team
    players: tuple[Player, ...]  # the members, by name
    team: Team | None  # the named team of these players
    score: int  # in whole points

    @property
    def name(self) -> str:
        """The team's name, else the players' names."""
        return self.team.name if self.team else self.names

    @property
    def names(self) -> str:
        return " – ".join(player.display_name for player in self.players)


@dataclass(frozen=True)
class BoardRow(NamedRow):
    """One subject on a board."""

    club: Club | None
    score_milli: int  # in thousandths of a point
    interval: int  # half width of the 95 % interval, in whole points
    games: int
    wins: int
    month: int | None  # change of the score in the last 30 days, in whole points; None without a game in that time
    provisional: bool
    tied: bool  # a player with too few partners to separate the player's rating from theirs
    gaps: tuple[Gap, ...]  # the conditions of the board that are not met
    gap: str  # the same as a sentence, "" for none
    until: str  # a sentence that says when the place expires, "" without a place
    rank: int | None = None  # None without a place on the board
    own: bool = False  # whether the viewer is one of the players
    week: int | None = None  # the same as `month` for the last 7 days


@dataclass(frozen=True)
class BoardPage:
    """One page of a board."""

    ladder: Ladder
    kind: str  # player or team
    rows: Sequence[BoardRow]  # with a rank
    apart: Sequence[BoardRow]  # without a place on the board, each with its gaps
    after: str  # the key of the next page; "" on the last page
    first: int  # position of the first row on the whole board, from 1; 0 without rows
    total: int  # number of ranked rows of the whole board
    before: str = ""  # the key of the page before; "" on the first page
    more_apart: bool = False  # whether `apart` is cut off
    more_found: bool = False  # whether a search has found more than it shows
    own: BoardRow | None = None  # the viewer's own row, wherever on the board it is; of a player only
    own_page: str = ""  # the key of the page that shows it; "" if this page does, or it has no rank
    unplayed: Sequence[Player] = ()  # members of the club without a rated game
    is_unranked: bool = False  # whether it is a page of those without a rank; `after` and `before` are keys among them

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1

    @property
    def has_idle_rows(self) -> bool:
        """Whether a ranked row has a dash in the place of a change."""
        return any(row.week is None or row.month is None for row in self.rows)


def record_of(size: int, row: Rating) -> eligibility.Record:
    """Return the figures of `row` that the conditions of the boards are checked against."""
    return eligibility.Record(
        members=size,
        estimate=Estimate(row.mu, row.sigma),
        games=row.games,
        opponents=row.opponents,
        partners=row.partners,
        last=row.last_rated_at,
    )


def named(ratings: Sequence[Rating]) -> list[NamedRow]:
    """Return a NamedRow per rating, in the same order. `ratings` have their `subject` loaded. Two queries."""
    players = _players([rating.subject for rating in ratings])
    sets = {pk: _ids(members) for pk, members in players.items()}
    teams = team_of(members for members in sets.values() if len(members) > 1)
    return [
        NamedRow(
            subject_id=rating.subject_id,
            kind=rating.kind,
            players=tuple(players[rating.subject_id]),
            team=teams.get(sets[rating.subject_id]),
            score=points(rating.score_milli),
        )
        for rating in ratings
    ]


def dress(
    ratings: Sequence[Rating],
    *,
    board: Board,
    generation: Generation | None = None,
    viewer_id: int | None = None,
    teams: Mapping[Members, Team] | None = None,
) -> list[BoardRow]:
    """Return a BoardRow per rating, in the same order, without ranks. `ratings` have their `subject` loaded.

    `generation`: that of all of them; None where each has its own loaded. `teams`: the named team of each set of players
    that has one, if the caller knows it. Four queries for any number of rows: players, home clubs, teams, changes of the
    last month.
    """
    if not ratings:
        return []
    now = clock.now()
    versions: dict[int, Params] = {}
    players = _players([rating.subject for rating in ratings])
    clubs = home_clubs(person.pk for members in players.values() for person in members)
    sets = {pk: _ids(members) for pk, members in players.items()}
    if teams is None:
        teams = team_of(members for members in sets.values() if len(members) > 1)
    month, week = _scores_before(ratings, now)
    rows = []
    for rating in ratings:
        subject, members = rating.subject, players[rating.subject_id]
        record = record_of(subject.size, rating)
        version = (generation or rating.generation).params
        params = versions.get(version.pk) or versions.setdefault(version.pk, Params.from_json(version.values))
        gaps = eligibility.gaps(record, board, at=now, idle_per_day=params.idle_per_day)
        team = teams.get(sets[subject.pk])
        shown = points(rating.score_milli)
        key = (rating.generation_id, subject.pk)
        rows.append(
            BoardRow(
                subject_id=subject.pk,
                kind=rating.kind,
                players=tuple(members),
                team=team,
                club=_club_of(members, team, clubs),
                score=shown,
                score_milli=rating.score_milli,
                interval=interval(eligibility.sigma_at(record, now, params.idle_per_day)),
                games=rating.games,
                wins=rating.wins,
                month=shown - points(month[key]) if key in month else None,
                week=shown - points(week[key]) if key in week else None,
                provisional=eligibility.is_provisional(record, at=now, idle_per_day=params.idle_per_day),
                tied=subject.size == 1 and rating.partners < eligibility.GLOBAL.partners,
                gaps=gaps,
                gap=gap_sentence(gaps),
                until=until_sentence(rating.eligible_until),
                own=viewer_id is not None and any(person.pk == viewer_id for person in members),
            )
        )
    return rows


def _players(subjects: Iterable[Subject]) -> dict[int, list[Player]]:
    """Return the members of each subject, sorted by name, by the subject's id. One query."""
    wanted = {subject.pk for subject in subjects}
    found: dict[int, list[Player]] = {pk: [] for pk in wanted}
    through = Subject.members.through
    for link in through._default_manager.filter(subject_id__in=wanted).select_related("player"):
        found[link.subject_id].append(link.player)
    for members in found.values():
        members.sort(key=lambda person: (person.display_name, person.pk))
    return found


def _ids(members: Iterable[Player]) -> Members:
    return tuple(sorted(person.pk for person in members))


def home_clubs(people: Iterable[int]) -> Mapping[int, Club]:
    """Return the home club of each player who has one. One query."""
    ties = Membership.objects.filter(player_id__in=set(people), home=True, until__isnull=True).select_related("club")
    return {tie.player_id: tie.club for tie in ties}


def _club_of(members: Sequence[Player], team: Team | None, clubs: Mapping[int, Club]) -> Club | None:
    """Return the club shown in a row: the team's, else the home club that all members share, else None."""
    if team is not None and team.club is not None:
        return team.club
    homes = {clubs.get(person.pk) for person in members}
    return homes.pop() if len(homes) == 1 else None


def _scores_before(ratings: Sequence[Rating], now: datetime) -> tuple[dict[tuple[int, int], int], ...]:
    """Return the scores, in thousandths, before the first game of the last 30 days, and of the last 7 days.

    By ids of generation and subject; those without a game in that time are omitted. One query.
    """
    month: dict[tuple[int, int], int] = {}
    week: dict[tuple[int, int], int] = {}
    changes = RatingChange.objects.filter(
        generation__in={rating.generation_id for rating in ratings},
        subject__in={rating.subject_id for rating in ratings},
        completed_at__gte=now - MONTH,
    )
    rows = changes.order_by("completed_at", "source")
    for generation, subject, score, at in rows.values_list(
        "generation_id", "subject_id", "score_before", "completed_at"
    ):
        month.setdefault((generation, subject), score)
        if at >= now - WEEK:
            week.setdefault((generation, subject), score)
    return month, week
