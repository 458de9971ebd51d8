"""Rows of a board: ratings dressed with names, clubs, intervals of today and what is missing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ratings.core import eligibility
from ratings.core.eligibility import Board, Gap
from ratings.core.gaussian import Estimate
from ratings.core.params import Params
from ratings.core.score import interval, points
from ratings.models import Generation, Rating, RatingChange, Subject
from tock_league.accounts.models import Player
from tock_league.clubs.models import Club, Membership, Team
from tock_league.common import clock

from .pairs import team_of
from .words import gap_sentence, until_sentence

MONTH = timedelta(days=30)


@dataclass(frozen=True)
class BoardRow:
    """One subject on a board. `score` and `interval`: whole points; `month`: the score's change in 30 days, None when no
    game was played; `rank`: None for those who stand apart; `gap`: the sentence that says why; `tied`: the player has
    too few partners for the figure to be his alone."""

    subject_id: int
    kind: str
    players: tuple[Player, ...]
    team: Team | None
    club: Club | None
    score: int
    score_milli: int
    interval: int
    games: int
    wins: int
    month: int | None
    provisional: bool
    tied: bool
    gaps: tuple[Gap, ...]
    gap: str
    until: str
    rank: int | None = None
    own: bool = False

    @property
    def name(self) -> str:
        """The team's name, else the players' names."""
        return self.team.name if self.team else " – ".join(player.display_name for player in self.players)

    @property
    def names(self) -> str:
        return " – ".join(player.display_name for player in self.players)


def record_of(size: int, row: Rating) -> eligibility.Record:
    """Return the figures of `row` that the conditions of the boards look at."""
    return eligibility.Record(
        members=size,
        estimate=Estimate(row.mu, row.sigma),
        games=row.games,
        opponents=row.opponents,
        partners=row.partners,
        last=row.last_rated_at,
    )


def dress(
    ratings: Sequence[Rating], *, board: Board, generation: Generation, viewer_id: int | None = None
) -> list[BoardRow]:
    """Return a BoardRow per rating, in the same order, unranked. `ratings` have their `subject`.

    Queries: players, home clubs, teams, changes of the last month: four, however many rows.
    """
    now = clock.now()
    params = Params.from_json(generation.params.values)
    players = _players([rating.subject for rating in ratings])
    clubs = home_clubs(person.pk for members in players.values() for person in members)
    sets = {pk: tuple(sorted(person.pk for person in members)) for pk, members in players.items()}
    teams = team_of(members for members in sets.values() if len(members) > 1)
    month = _month_ago(generation, [rating.subject_id for rating in ratings], now)
    rows = []
    for rating in ratings:
        subject, members = rating.subject, players[rating.subject_id]
        record = record_of(subject.size, rating)
        gaps = eligibility.gaps(record, board, at=now, idle_per_day=params.idle_per_day)
        team = teams.get(sets[subject.pk])
        shown = points(rating.score_milli)
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
                month=shown - points(month[subject.pk]) if subject.pk in month else None,
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
    """Return the members of each subject by id, in the order of their names. One query."""
    wanted = {subject.pk for subject in subjects}
    found: dict[int, list[Player]] = {pk: [] for pk in wanted}
    through = Subject.members.through
    for link in through._default_manager.filter(subject_id__in=wanted).select_related("player"):
        found[link.subject_id].append(link.player)
    for members in found.values():
        members.sort(key=lambda person: (person.display_name, person.pk))
    return found


def home_clubs(people: Iterable[int]) -> Mapping[int, Club]:
    """Return the home club of each player who has one. One query."""
    ties = Membership.objects.filter(player_id__in=set(people), home=True, until__isnull=True).select_related("club")
    return {tie.player_id: tie.club for tie in ties}


def _club_of(members: Sequence[Player], team: Team | None, clubs: Mapping[int, Club]) -> Club | None:
    """Return the club a row is shown with: the team's, else the one that all members call home."""
    if team is not None and team.club is not None:
        return team.club
    homes = {clubs.get(person.pk) for person in members}
    return homes.pop() if len(homes) == 1 else None


def _month_ago(generation: Generation, subject_ids: Iterable[int], now: datetime) -> dict[int, int]:
    """Return, for subjects that played in the last 30 days, their score in thousandths before that. One query."""
    first: dict[int, int] = {}
    changes = RatingChange.objects.filter(
        generation=generation, subject_id__in=list(subject_ids), completed_at__gte=now - MONTH
    )
    for subject_id, score in changes.order_by("completed_at", "source").values_list("subject_id", "score_before"):
        first.setdefault(subject_id, score)
    return first
