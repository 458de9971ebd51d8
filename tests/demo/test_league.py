"""The whole demo as the first start loads it: everything that is shown is derived from verified records."""

from collections import Counter
from datetime import datetime, timedelta

import pytest
from django.db.models import QuerySet

from games.models import Game, GameEvent, Table
from games.selectors import replays
from ratings import services as ratings
from ratings.models import Rating
from tock_league.accounts.models import Player, User
from tock_league.clubs.models import Club, Team
from tock_league.common import clock
from tock_league.common.models import OutboxRow
from tock_league.competitions.models import Competition, Match, Side
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.services.rounds import publishing
from tock_league.demo import history, programme
from tock_league.demo.league import competition_of
from tock_league.demo.names import ADMINISTRATOR, BY_SLUG, DEMO_TEAM, HEAD_REFEREE, ORGANISER, REFEREES

from .conftest import NOW

LADDER = "shawinigan:2"
STAFF = [slug for slug, _name in (ORGANISER, ADMINISTRATOR, HEAD_REFEREE, *REFEREES)]
LEAGUES_AND_NIGHTS = [event for event in programme.EVENTS if event is not programme.CUP]


def test_two_clubs_sixteen_people_eight_teams(league: clock.Frozen) -> None:
    assert Club.objects.count() == 2
    assert all(club.memberships.count() == 8 for club in Club.objects.all())
    people = Player.objects.exclude(slug__in=STAFF)
    assert {player.slug for player in people} == set(BY_SLUG)
    assert Team.objects.filter(drawn=False, size=2).count() == 8
    assert Team.objects.filter(drawn=True).count() == 16


def test_last_season_is_played_and_this_one_half(league: clock.Frozen) -> None:
    last, this = competition_of(programme.LAST_SEASON), competition_of(programme.THIS_SEASON)
    assert last is not None
    assert this is not None
    assert (last.state, this.state) == (Competition.State.FINISHED, Competition.State.RUNNING)
    assert Counter(last.matches.values_list("state", flat=True)) == {"confirmed": 56}
    assert Counter(this.matches.values_list("state", flat=True)) == {"confirmed": 28, "called": 1, "scheduled": 27}
    assert all(match.starts_at > NOW for match in this.matches.filter(state="scheduled"))
    assert last.division is not None
    assert this.division is not None
    assert last.division.season.ends_on < this.division.season.starts_on < NOW.date() < this.division.season.ends_on


def test_two_club_nights_with_partners_drawn_from_their_published_seed(league: clock.Frozen) -> None:
    for event in (programme.FIRST_NIGHT, programme.SECOND_NIGHT):
        night = competition_of(event)
        assert night is not None
        assert (night.kind, night.state, night.matches.count()) == ("tournament", "finished", 28)
        drawn = [
            tuple(spell.player.slug for spell in entry.team.spells.order_by("slot"))
            for entry in night.entries.select_related("team").order_by("seed")
        ]
        assert drawn == [tuple(person.slug for person in pair) for pair in event.entries()]


def test_every_match_is_the_meeting_whose_record_it_has(league: clock.Frozen) -> None:
    """Calendars come from the services and records from the programme, and both have the same players."""
    for event in programme.EVENTS:
        groups = Match.objects.filter(competition=competition_of(event), round__group__stage__ordinal=1)
        seats = {
            (match.round.group.name if event.pools > 1 else "", match.round.number, match.number): match
            for match in groups.select_related("round__group", "table")
        }
        for meeting in programme.meetings(event):
            match = seats.pop((meeting.pool, meeting.round, meeting.number))
            if match.state == "confirmed":
                assert match.table is not None
                sat = match.table.seatings.order_by("seat").values_list("player__slug", flat=True)
                assert list(sat) == [person.slug for person in meeting.seats]
                recorded = match.table.games.get().slug == programme.game_id(meeting.key)
                assert recorded is (meeting.key != programme.AT_THE_TABLE)
        assert not seats


def test_standings_are_the_fold_of_the_games(league: clock.Frozen) -> None:
    for event in LEAGUES_AND_NIGHTS:
        competition = competition_of(event)
        assert competition is not None
        won: Counter[int] = Counter()
        for match in competition.matches.filter(state="confirmed"):
            (game,) = Game.objects.filter(table=match.table)
            assert sorted(game.ranks or ()) == [0, 1]
            won[Side.objects.get(match=match, position=(game.ranks or []).index(0)).entry_id] += 1
        table = standings.table(competition)
        assert len(table) == 8
        assert {line.entry.pk: line.points for line in table} == {
            line.entry.pk: str(2 * won[line.entry.pk]) for line in table
        }
        points = [int(line.points) for line in table]
        assert points == sorted(points, reverse=True)
        assert sum(points) == 2 * competition.matches.filter(state="confirmed").count()


def test_every_replay_ends_as_its_game_is_stored(league: clock.Frozen) -> None:
    games = list(Game.objects.filter(state=Game.State.OVER).select_related("table").order_by("pk"))
    assert len(games) == 152
    for game in games[::7]:
        assert replays.faults(game) == []
    assert sum(game.last_seq for game in games) == GameEvent.objects.filter(game__in=games).count()
    assert not Game.objects.filter(state=Game.State.OVER, rated=False).exists()
    assert Table.objects.filter(state=Table.State.FINISHED).count() == 152


def test_times_lie_in_the_past_and_a_night_is_played_in_one_evening(league: clock.Frozen) -> None:
    for game in Game.objects.filter(state=Game.State.OVER).select_related("table"):
        assert game.table.starts_at is not None
        assert game.started_at is not None
        assert game.finished_at is not None
        begun = game.table.starts_at
        assert begun - timedelta(minutes=5) < game.started_at < game.finished_at < begun + timedelta(minutes=30)
        assert game.finished_at < NOW
    for match in Match.objects.filter(state="confirmed", competition__on_paper=False).select_related("table"):
        (game,) = Game.objects.filter(table=match.table)
        assert match.decided_at == game.finished_at


def in_force() -> QuerySet[Rating]:
    """Return the ratings on the league's leaderboards: those of the current generation."""
    return Rating.objects.filter(generation__state="live", generation__ladder__key=LADDER)


def test_ratings_are_what_the_log_replays_to(league: clock.Frozen) -> None:
    stored, replayed = ratings.verify(ladder_key=LADDER)
    assert stored == replayed
    assert not OutboxRow.objects.filter(done_at=None).exists()
    players = in_force().filter(subject__kind="player")
    assert players.count() == 16
    scores = sorted(players.values_list("score_milli", flat=True))
    assert scores[-1] - scores[0] > 150_000
    # Three of the tournament are among them; the game that a ruling declared lost is not rated.
    assert Counter(players.values_list("games", flat=True)) == {38: 12, 37: 4}


def test_leaderboards_list_ranked_and_unranked_people(league: clock.Frozen) -> None:
    listed = in_force().filter(subject__listed=True)
    assert listed.filter(on_club=True, subject__kind="player").count() == 16
    assert listed.filter(on_club=True, subject__kind="team").count() == 8
    assert listed.filter(on_global=True, subject__kind="player").count() >= 5
    assert listed.filter(on_global=True, subject__kind="team").count() >= 5
    assert in_force().filter(subject__kind="team", subject__listed=False).count() == 16  # drawn for one night


def test_competitions_say_that_programs_may_play(league: clock.Frozen) -> None:
    assert not Competition.objects.filter(bots_allowed=False).exists()
    assert not Table.objects.exclude(clocks=None).exists()


def test_four_accounts_and_their_rights(league: clock.Frozen) -> None:
    assert User.objects.count() == 4
    roles = {
        player.slug: set(player.roles.values_list("name", flat=True)) for player in Player.objects.exclude(user=None)
    }
    assert roles == {
        "m-gelinas": set(),
        ORGANISER[0]: {"organiser"},
        HEAD_REFEREE[0]: set(),  # of this season's league and of the tournaments, not of the site
        ADMINISTRATOR[0]: {"administrator"},
    }


def test_the_demos_player_is_played_by_nobody_else(league: clock.Frozen) -> None:
    assert Player.objects.get(slug="m-gelinas").bot == ""
    assert DEMO_TEAM.players[0].slug == "m-gelinas"
    assert not Player.objects.filter(slug__in=set(BY_SLUG) - {"m-gelinas"}, bot="").exists()


def test_seats_of_past_games_name_people(league: clock.Frozen) -> None:
    assert not Table.objects.filter(state=Table.State.FINISHED, seatings__player=None).exists()


def test_a_table_that_a_worker_opens_meanwhile_is_left_to_its_players(
    league: clock.Frozen, monkeypatch: pytest.MonkeyPatch
) -> None:
    league.advance(days=16)
    due, asked = history._due, []

    def due_and_then_opened(now: datetime) -> list[tuple[Match, str]]:
        """Return the matches to be played; afterwards, outside the loader, the beat's task opens every table."""
        found = due(now)
        asked.append(len(found))
        for match, _key in found if len(asked) > 1 else ():
            publishing.open_table(match_id=match.pk, early=True)
        return found

    waiting = [match.pk for match, _key in due(clock.now())]
    assert waiting
    monkeypatch.setattr(history, "_due", due_and_then_opened)
    assert history.bring_up_to(clock.now()) == 0
    assert asked == [len(waiting), len(waiting), 0]
    opened = Match.objects.filter(pk__in=waiting).select_related("table")
    assert {match.state for match in opened} == {Match.State.CALLED}
    assert all(match.table is not None and match.table.games.count() == 1 for match in opened)
