"""The number of queries of a list does not depend on its length: ten rows and a hundred cost the same."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game, Table
from ratings import services as ratings
from ratings.models import Rating, Subject
from tests.arbitration.world import World, a_world
from tests.competitions.world import FIRST_ROUND
from tock_league.accounts.models import Player
from tock_league.arbitration.models import Case, CaseEvent, Ruling
from tock_league.clubs.models import Club, Membership, Team, TeamInvitation, TeamPlayer
from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.competitions.models import Correction, MatchGame, RosterSpot, Round
from tock_league.journal.services import record
from tock_league.notices.models import Notice

from .calling import caller

pytestmark = pytest.mark.django_db
FEW, MANY = 10, 100


def copies(row: Model, numbers: range, **changed: Callable[[int], Any]) -> list[Any]:
    """Write a copy of `row` for each number, with the columns `changed` by it; return them."""
    columns = {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields if not f.primary_key}
    made = [type(row)(**columns | {name: value(n) for name, value in changed.items()}) for n in numbers]
    return type(row)._default_manager.bulk_create(made)


class Crowd:
    """Adds rows of every kind to a small event with a ruled case."""

    def __init__(self, hand: clock.Frozen) -> None:
        self.world: World = a_world()
        self.case = self.world.ruled()
        hand.advance(seconds=5)
        while ratings.rate_waiting(ladder_key="shawinigan:2").applied:
            pass
        self.club = Club.objects.create(slug="tous", name="Tous", town="Shawinigan")
        self.member = self.world.players[0]

    def add(self, numbers: range) -> None:
        now = clock.now()
        of = lambda made: lambda n: made[n - numbers.start].pk  # noqa: E731
        copies(self.club, numbers, slug=lambda n: f"club-{n}", name=lambda n: f"Club {n}", look=lambda n: None)
        players = copies(self.member, numbers, slug=lambda n: f"player{n}", user_id=lambda n: None,
                         page_for=lambda n: "everybody", display_name=lambda n: f"Joueur {n}")  # fmt: skip
        Membership.objects.bulk_create(Membership(club=self.club, player=p, since=now) for p in players)
        team = Team.objects.filter(drawn=False).first()
        assert team is not None
        teams = copies(
            team, numbers, slug=lambda n: f"team{n}", name=lambda n: f"Équipe {n}", club_id=lambda n: self.club.pk
        )
        TeamPlayer.objects.bulk_create(
            TeamPlayer(team=t, player=p, slot=1, joined=now) for t, p in zip(teams, players, strict=True)
        )
        TeamInvitation.objects.bulk_create(
            TeamInvitation(team=t, slot=2, player=self.member, sent_by=p, sent_at=now, expires_at=now.replace(year=2030))
            for t, p in zip(teams, players, strict=True)
        )  # fmt: skip
        event = self.world.competition
        copies(event, numbers, slug=lambda n: f"event-{n}", division_id=lambda n: None)
        self._entries(numbers, teams, players)
        until = "2030-01-01T00:00:00Z"
        Notice.objects.bulk_create(
            Notice(player=self.member, kind="team_invitation", key=f"copy:{made.pk}", address="/", at=now,
                   data={"team": made.slug, "by": "", "until": until}) for made in teams
        )  # fmt: skip
        season = event.division.season
        copies(season, numbers, slug=lambda n: f"season-{n}", name=lambda n: f"Saison {n}")
        match = self.case.match
        Correction.objects.bulk_create(
            Correction(competition=event, number=1 + n, match=match, kind="reopen", reason="x", by=p, at=now)
            for n, p in zip(numbers, players, strict=True)
        )
        self._matches(numbers)
        self._rulings(numbers)
        rating = Rating.objects.filter(kind="player").first()
        assert rating is not None
        subjects = copies(rating.subject, numbers, key=lambda n: str(players[n - numbers.start].pk))
        links = Subject.members.through
        links._default_manager.bulk_create(links(subject=s, player=p) for s, p in zip(subjects, players, strict=True))
        copies(rating, numbers, subject_id=of(subjects), on_global=lambda n: True, score_milli=lambda n: 900_000 - n)

    def add_entries(self, numbers: range) -> None:
        """Enter more teams of one player each."""
        players = copies(self.member, numbers, slug=lambda n: f"player{n}", user_id=lambda n: None)
        team = Team.objects.filter(drawn=False).first()
        assert team is not None
        teams = copies(team, numbers, slug=lambda n: f"team{n}", name=lambda n: f"Équipe {n}")
        self._entries(numbers, teams, players)

    def _entries(self, numbers: range, teams: Sequence[Team], players: Sequence[Player]) -> None:
        event = self.world.competition
        entry = event.entries.first()
        assert entry is not None
        entries = copies(
            entry,
            numbers,
            slug=lambda n: f"entry{n}",
            team_id=lambda n: teams[n - numbers.start].pk,
            seed=lambda n: 1000 + n,
        )
        RosterSpot.objects.bulk_create(
            RosterSpot(competition=event, entry=e, player=p, slot=1, joined=clock.now())
            for e, p in zip(entries, players, strict=True)
        )

    def _matches(self, numbers: range) -> None:
        of = lambda made: lambda n: made[n - numbers.start].pk  # noqa: E731
        played = self.case.match
        rounds = copies(
            Round.objects.get(pk=played.round_id), numbers, number=lambda n: 1000 + n, state=lambda n: "done"
        )
        game = Game.objects.get(pk=self.case.game_id)
        tables = copies(Table.objects.get(pk=game.table_id), numbers, slug=lambda n: f"table{n}")
        games = copies(game, numbers, slug=lambda n: f"game{n}", table_id=of(tables))
        made = copies(played, numbers, slug=lambda n: f"match{n}", round_id=of(rounds), table_id=of(tables))
        for side in played.side_rows.all():
            copies(side, numbers, match_id=of(made), round_id=of(rounds))
        MatchGame.objects.bulk_create(MatchGame(match=m, number=1, game=g) for m, g in zip(made, games, strict=True))

    def _rulings(self, numbers: range) -> None:
        of = lambda made: lambda n: made[n - numbers.start].pk  # noqa: E731
        ruling = Ruling.objects.get(case=self.case)
        cases = copies(Case.objects.get(pk=self.case.pk), numbers, number=lambda n: f"TL-2026-{900000 + n}")
        with writing():
            told = [
                record("open", "tried", actor=f"player:player{n}", body={"player": f"player:player{n}"})
                for n in numbers
            ]
        events = copies(CaseEvent.objects.get(pk=ruling.event_id), numbers, case_id=of(cases), entry_id=of(told))
        copies(ruling, numbers, case_id=of(cases), event_id=of(events))


@pytest.fixture
def crowd() -> Iterator[Crowd]:
    with clock.frozen(FIRST_ROUND) as hand:
        yield Crowd(hand)


def counted(client: Client, address: str) -> tuple[int, int]:
    """Return the number of rows and of queries of a list."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return len(answer.json()["results"]), len(queries)


def test_a_list_of_a_hundred_costs_as_many_queries_as_one_of_ten(crowd: Crowd) -> None:
    event = crowd.world.competition.slug
    addresses = [
        "matches?limit=100&expand=competition",
        "teams?limit=100&expand=club",
        "players?limit=100&expand=club",
        "competitions?limit=100&expand=club",
        f"competitions/{event}/entries?expand=team,club",
        "me/notices?limit=100",
        "me/cases",
        "seasons?limit=100",
        f"matches/{crowd.case.match.slug}/corrections",
        *(f"{name}?limit=100" for name in ("players", "clubs", "teams", "competitions", "matches", "games", "rulings")),
        "me/invitations?limit=100",
        "journal/open/entries?limit=100",
        "ladders/shawinigan:2/board?limit=100",
        "clubs/tous/members",
        f"competitions/{event}/entries",
        f"competitions/{event}/rounds",
    ]
    client = caller(crowd.member)
    crowd.add(range(FEW))
    client.get("/api/v1/me")  # the use of the token is written once
    few = {address: counted(client, f"/api/v1/{address}") for address in addresses}
    crowd.add(range(FEW, MANY))
    many = {address: counted(client, f"/api/v1/{address}") for address in addresses}
    assert all(few[a][0] >= FEW and many[a][0] >= 90 for a in addresses), (few, many)
    assert {a: n for a, (_rows, n) in many.items() if n > few[a][1]} == {}, few
    assert max(n for _rows, n in many.values()) <= 24, many


def test_the_entries_of_one_event_may_be_more_than_a_thousand(crowd: Crowd) -> None:
    """SQLite refuses a condition with a thousand alternatives, which is how Django looks for rows by a foreign key."""
    client = caller(crowd.member)
    address = f"/api/v1/competitions/{crowd.world.competition.slug}/entries?expand=team,club"
    client.get("/api/v1/me")
    crowd.add_entries(range(FEW))
    few = counted(client, address)
    crowd.add_entries(range(FEW, 1100))
    many = counted(client, address)
    assert many[0] > 1000
    assert many[1] == few[1]
