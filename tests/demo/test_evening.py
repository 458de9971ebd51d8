"""Tonight's match exists after every start, is moved while it has not been played, and is never removed by the
clock."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import store
from games.fold import Viewer, view
from games.models import Game, Table
from games.permissions import Person
from games.services import bots, clocks, play
from ratings.models import RatedResult
from tock_league.accounts.models import Player, User
from tock_league.clubs.models import Club, Team
from tock_league.common import clock, outbox
from tock_league.common.models import OutboxRow
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import publishing
from tock_league.demo import accounts, evening, load
from tock_league.demo.league import competition_of, demo_team
from tock_league.demo.programme import THIS_SEASON

from .conftest import NOW


@pytest.fixture
def match(league: clock.Frozen) -> Match:
    return tonights()


def tonights() -> Match:
    return evening._next_of(THIS_SEASON) or Match.objects.get(
        competition__lots_seed=evening.FRIENDLY.seed, state="called"
    )


def start_again(hand: clock.Frozen, **later: float) -> list[str]:
    """Start again, the given time later; return the printed lines."""
    hand.advance(**later)
    return load.prepare(clock.now())


def seat_of(table: Table) -> int:
    return table.seatings.get(player__slug="m-gelinas").seat


def send(game: Game, seat: int, kind: str, **args: str) -> play.Answer:
    answer = play.submit(
        game_id=game.pk,
        seat=seat,
        command_id=str(uuid.uuid4()),
        turn=store.current(Game.objects.select_related("table").get(pk=game.pk)).decision_id,
        kind=kind,
        args=args,
        by=Person(player_id=Player.objects.get(slug="m-gelinas").pk),
    )
    assert not answer.code, answer
    return answer


def begin(match: Match) -> Game:
    """Sit down and let the bots answer until it is the person's turn."""
    assert match.table is not None
    game = match.table.games.get()
    send(game, seat_of(match.table), "ready")
    for _ in range(30):
        bots.act(game.pk)
    game.refresh_from_db()
    return game


def resign(match: Match) -> Game:
    """End the match as quickly as the rules allow, and run the worker's tasks."""
    game = begin(match)
    assert match.table is not None
    with outbox.by_hand():
        send(game, seat_of(match.table), "resign")
    for row in OutboxRow.objects.filter(done_at=None, task="tock_league.competitions.tasks.settle_game"):
        settlement.settle(game_id=game.pk, outbox_id=row.pk)
    game.refresh_from_db()
    return game


def test_it_starts_in_ten_minutes_and_its_table_is_open(match: Match) -> None:
    table = match.table
    assert table is not None
    assert (match.state, table.state, table.clocks) == (Match.State.CALLED, Table.State.OPEN, None)
    assert match.starts_at == table.starts_at == NOW + timedelta(minutes=10)
    held = {seating.seat: seating.bot for seating in table.seatings.all()}
    mine = seat_of(table)
    assert held.pop(mine) == ""
    assert set(held.values()) <= {"club", "novice"}
    assert match.round.number == 8


def test_the_printed_account_signs_in_and_is_led_to_the_table(league: clock.Frozen, loaded: list[str]) -> None:
    line = next(line for line in loaded if "martine@demo.tock" in line)
    browser = Client()
    answer = browser.post(reverse("account_login"), {"login": "martine@demo.tock", "password": line.split()[-1]})
    assert answer.status_code == 302
    table = tonights().table
    assert table is not None
    address = reverse("games:table", args=[table.slug])
    assert any(address in line for line in loaded)
    assert browser.get(address).status_code == 200


def test_passwords_are_the_folders_own_and_its_owners(league: clock.Frozen) -> None:
    known = accounts.passwords()
    assert accounts.passwords() == known
    path = accounts._path()
    assert path is not None
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(set(known.values())) == len(accounts.ACCOUNTS)
    assert all(len(password) >= 12 for password in known.values())


def test_a_lost_password_file_does_not_lock_the_owner_out(league: clock.Frozen, match: Match) -> None:
    """New passwords are drawn, stored and valid; the old ones are invalid."""
    path, before = accounts._path(), accounts.passwords()
    assert path is not None
    path.rename(path.with_suffix(".away"))
    try:
        (line,) = (line for line in load.prepare(NOW) if "martine@demo.tock" in line)
        assert line.split()[-1] == accounts.passwords()["martine@demo.tock"] != before["martine@demo.tock"]
        user = User.objects.get(email="martine@demo.tock")
        assert user.check_password(line.split()[-1])
        assert not user.check_password(before["martine@demo.tock"])
    finally:
        path.with_suffix(".away").replace(path)


def test_a_site_without_a_folder_tells_its_passwords_once(league: clock.Frozen, match: Match, settings: Any) -> None:
    settings.DATA = None
    assert accounts.passwords() == {}
    told = load.prepare(NOW)
    assert [line.split()[-1] for line in told[1 : 1 + len(accounts.ACCOUNTS)]] == [
        account.email for account in accounts.ACCOUNTS
    ]


def test_a_start_changes_nothing_but_the_evening(league: clock.Frozen, loaded: list[str], match: Match) -> None:
    before = (Match.objects.count(), Game.objects.count(), RatedResult.objects.count(), Competition.objects.count())
    assert start_again(league, hours=3) == loaded
    after = (Match.objects.count(), Game.objects.count(), RatedResult.objects.count(), Competition.objects.count())
    assert before == after
    again = tonights()
    assert (again.pk, again.table_id) == (match.pk, match.table_id)
    assert again.table is not None
    assert again.starts_at == again.table.starts_at == NOW + timedelta(hours=3, minutes=10)


def test_a_renamed_club_and_team_are_still_its_own(league: clock.Frozen, match: Match) -> None:
    team = demo_team()
    assert team.name == "Les Draveurs"
    Team.objects.filter(pk=team.pk).update(name="Les Raftsmen")
    Club.objects.update(town="La Tuque")
    start_again(league, hours=1)
    assert tonights().pk == match.pk


def test_no_deadline_ends_tonights_match(league: clock.Frozen, match: Match) -> None:
    league.advance(days=3)
    assert clocks.claim_due() == 0
    assert publishing.open_due_tables() == 0
    match.refresh_from_db()
    assert match.state == Match.State.CALLED
    assert match.table is not None
    assert match.table.games.get().due_at is None


def test_a_match_that_has_begun_stays_where_it_is(league: clock.Frozen, match: Match) -> None:
    game = begin(match)
    rows = game.last_seq
    assert game.state == Game.State.PLAYING
    start_again(league, days=1)
    game.refresh_from_db()
    assert (game.state, game.last_seq) == (Game.State.PLAYING, rows)
    again = tonights()
    assert (again.pk, again.starts_at) == (match.pk, match.starts_at)


def test_bots_play_on_until_it_is_the_persons_turn(match: Match) -> None:
    game = begin(match)
    state = store.current(game)
    assert match.table is not None
    mine = seat_of(match.table)
    assert mine in state.to_act
    assert view(state, Viewer(mine))["legal"]


def test_a_played_match_counts_and_the_next_one_takes_its_place(
    league: clock.Frozen, match: Match, django_capture_on_commit_callbacks: object
) -> None:
    competition = competition_of(THIS_SEASON)
    assert competition is not None
    before = {line.name: line.points for line in standings.table(competition)}
    game = resign(match)
    assert game.reason == "resigned"
    after = {line.name: line.points for line in standings.table(competition)}
    changed = [name for name, points in after.items() if points != before[name]]
    assert len(changed) == 1
    assert changed != ["Les Draveurs"]

    start_again(league, hours=1)
    assert not OutboxRow.objects.filter(done_at=None).exists()
    assert RatedResult.objects.filter(source=str(game.pk), rated=True).exists()
    following = tonights()
    assert following.pk != match.pk
    assert following.round.number == 9
    assert following.starts_at == clock.now() + timedelta(minutes=10)
    assert following.state == Match.State.CALLED


def test_after_weeks_the_league_has_gone_on_and_the_match_waits(league: clock.Frozen, match: Match) -> None:
    """The evenings that passed while the site was not running have their records; only the person's own matches are
    still to be played."""
    start_again(league, days=16)
    competition = competition_of(THIS_SEASON)
    assert competition is not None
    played = competition.matches.filter(state="confirmed")
    assert played.count() == 28 + 3 + 3
    assert not played.filter(round__number__gt=7, side_rows__entry__team__name="Les Draveurs").exists()
    assert tonights().pk == match.pk


def test_when_the_season_is_over_friendly_matches_follow(league: clock.Frozen) -> None:
    start_again(league, days=200)
    friendly = Match.objects.select_related("competition", "table").get(competition__lots_seed=evening.FRIENDLY.seed)
    assert (friendly.state, friendly.starts_at) == (Match.State.CALLED, clock.now() + timedelta(minutes=10))
    start_again(league, hours=2)
    friendly.refresh_from_db()
    assert friendly.starts_at == clock.now() + timedelta(minutes=10)
    assert Competition.objects.filter(lots_seed=evening.FRIENDLY.seed).count() == 1
    resign(friendly)
    start_again(league, hours=2)
    assert Competition.objects.filter(lots_seed=evening.FRIENDLY.seed).count() == 2
