"""From the time of a match to its result in the standings."""

import threading
from datetime import timedelta

import pytest
from django.db import connection

from games.announcements import GameFinished
from games.models import Table
from games.permissions import Person
from games.services import clocks, play, tables
from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.models import OutboxRow
from tock_league.competitions import tasks
from tock_league.competitions.models import Match, MatchGame, ResultVersion
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.rounds import matches as match_selectors
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import opening, publishing, schedule

from .world import FIRST_ROUND, a_league, a_player, finish_game, first_match, play_match

pytestmark = pytest.mark.django_db


@pytest.mark.both_databases
def test_a_table_opens_fifteen_minutes_before_its_time_and_once(league, hand):
    hand.set(FIRST_ROUND - timedelta(minutes=15, seconds=1))
    assert publishing.open_due_tables() == 0
    hand.advance(seconds=1)
    assert publishing.open_due_tables() == 2
    assert publishing.open_due_tables() == 0
    assert Table.objects.count() == 2
    assert set(league.matches.filter(round__number=1).values_list("state", flat=True)) == {"called"}
    assert set(league.matches.filter(round__number=2).values_list("state", flat=True)) == {"scheduled"}


def test_partners_sit_opposite_home_in_the_first_seat(league, hand):
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    match = first_match(league)
    home, away = match_selectors.views(Match.objects.filter(pk=match.pk))[0].sides
    seated = {seating.seat: seating.player_id for seating in match.table.seatings.all()}
    assert seated == {
        0: home.players[0].pk,
        2: home.players[1].pk,
        1: away.players[0].pk,
        3: away.players[1].pk,
    }
    assert match.table.team_names == [home.name, away.name]
    assert match.table.name == f"{home.name} – {away.name}"


def test_a_program_plays_for_a_name_only_where_bots_are_allowed(hand, db):
    with_bots = a_league(2, bot="club")
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    table = first_match(with_bots).table
    assert [seating.bot for seating in table.seatings.order_by("seat")] == ["club"] * 4
    assert table.bots_allowed
    type(with_bots).objects.update(bots_allowed=False)
    Match.objects.update(table=None, state="scheduled")
    publishing.open_due_tables()
    assert [seating.bot for seating in first_match(with_bots).table.seatings.all()] == [""] * 4


def test_a_late_table_gives_its_players_their_whole_time_to_sit_down(league, hand):
    hand.set(FIRST_ROUND + timedelta(hours=1))
    publishing.open_due_tables()
    table = first_match(league).table
    assert table.starts_at == FIRST_ROUND + timedelta(hours=1)


def test_a_match_of_another_day_is_left_to_the_organiser(league, hand):
    hand.set(FIRST_ROUND + timedelta(hours=13))
    assert publishing.open_due_tables() == 0


def test_an_open_table_moves_with_its_match_and_a_game_that_began_stays(league, hand):
    hand.set(FIRST_ROUND - timedelta(minutes=10))
    publishing.open_due_tables()
    match = first_match(league)
    moved = schedule.move(by=SITE, match=match, starts_at=FIRST_ROUND + timedelta(days=1))
    assert moved.state == "scheduled"
    assert Table.objects.get(pk=moved.table_id).starts_at == FIRST_ROUND + timedelta(days=1)
    back = schedule.move(by=SITE, match=match, starts_at=FIRST_ROUND)
    assert back.state == "called"
    finish_game(match, winner=0)
    with pytest.raises(Conflict):
        schedule.move(by=SITE, match=match, starts_at=FIRST_ROUND + timedelta(days=1))


@pytest.mark.both_databases
def test_a_finished_game_is_settled_once_with_the_hash_of_its_record(league, hand):
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    match = first_match(league)
    match.refresh_from_db()
    game = finish_game(match, winner=1)
    for _again in range(2):
        settlement.settle(game_id=game)
    match.refresh_from_db()
    assert match.state == "confirmed"
    version = ResultVersion.objects.get(match=match)
    assert (version.version, version.fact, version.source, version.game_number) == (1, "played", "engine", 1)
    assert [line.outcome for line in version.lines.order_by("position")] == ["loss", "win"]
    assert len(MatchGame.objects.get(match=match).record_hash) == 64


def test_the_standings_follow_the_result_and_name_the_match(league, hand):
    hand.set(FIRST_ROUND)
    match = play_match(first_match(league), winner=1)
    winner = match.side_rows.get(position=1).entry
    rows = standings.table(league)
    assert [rows[0].entry, rows[0].points, rows[0].row.wins] == [winner, "2", 1]
    assert [term.match_slug for term in rows[0].points_terms] == [match.slug]
    assert rows[-1].points == "0"
    assert sum(row.row.played for row in rows) == 2


def test_best_of_three_goes_on_until_somebody_has_two(hand, db):
    league = a_league(2, best_of=3)
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    match = first_match(league)
    match.refresh_from_db()
    for winner, state in ((0, "live"), (1, "live"), (1, "confirmed")):
        settlement.settle(game_id=finish_game(match, winner))
        match.refresh_from_db()
        assert match.state == state
    view = match_selectors.views(Match.objects.filter(pk=match.pk))[0]
    assert view.score == "1 – 2"
    assert [game.number for game in view.games] == [1, 2, 3]
    hashes = list(match.versions.order_by("version").values_list("prev_hash", "hash"))
    assert [prev for prev, _own in hashes] == ["0" * 64, hashes[0][1], hashes[1][1]]


def test_a_round_is_done_with_its_last_result(league, hand):
    hand.set(FIRST_ROUND)
    first, second = league.matches.filter(round__number=1)
    play_match(first, 0)
    assert first.round.__class__.objects.get(pk=first.round_id).state == "planned"
    play_match(second, 0)
    assert first.round.__class__.objects.get(pk=first.round_id).state == "done"


def test_a_game_of_a_practice_table_settles_nothing(db, hand):

    table = tables.open_practice(guest_key="k")
    assert settlement.settle(game_id=table.games.get().pk) is None


def test_the_organiser_awards_a_match_nobody_came_to(league, hand):
    match = first_match(league)
    hand.set(FIRST_ROUND + timedelta(days=1))
    with pytest.raises(NotAllowed):
        settlement.award(by=a_player(), match=match, winner=0, reason="absence")
    with pytest.raises(Refused) as error:
        settlement.award(by=SITE, match=match, winner=0, reason=" ")
    assert error.value.field == "reason"
    with pytest.raises(Refused) as error:
        settlement.award(by=SITE, match=match, winner=2, reason="absence")
    assert error.value.field == "winner"
    settlement.award(by=SITE, match=match, winner=0, reason="Vieux Pieux absents")
    match.refresh_from_db()
    assert match.state == "awarded"
    row = standings.table(league)[0]
    assert (row.points, row.margin, row.row.wins) == ("2", "0", 1)
    with pytest.raises(Conflict):
        settlement.award(by=SITE, match=match, winner=1, reason="non")


def test_a_double_forfeit_gives_two_losses(league, hand):
    match = first_match(league)
    settlement.award(by=SITE, match=match, winner=None, reason="personne")
    rows = {row.entry.pk: row for row in standings.table(league)}
    for side in match.side_rows.all():
        assert (rows[side.entry_id].points, rows[side.entry_id].row.losses) == ("0", 1)


def test_a_match_in_progress_is_not_awarded(league, hand):
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    match = first_match(league)
    match.refresh_from_db()
    Table.objects.filter(pk=match.table_id).update(state="playing")
    with pytest.raises(Conflict):
        settlement.award(by=SITE, match=match, winner=0, reason="absence")


@pytest.mark.both_databases
def test_the_end_of_a_game_promises_its_settlement_and_the_task_keeps_it(league, hand):
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    match = first_match(league)
    match.refresh_from_db()
    game = finish_game(match, winner=0)
    promise = OutboxRow.objects.get(task="tock_league.competitions.tasks.settle_game")
    assert (promise.key, promise.body, promise.done_at) == (str(game), {"game_id": game}, None)
    for _again in range(2):
        tasks.settle_game(outbox_id=promise.pk, **promise.body)
    promise.refresh_from_db()
    match.refresh_from_db()
    assert promise.done_at is not None
    assert match.state == "confirmed"
    assert match.versions.count() == 1


def test_a_practice_game_promises_nothing(db, hand):
    settlement.promise_settlement(
        GameFinished(
            game_id=1,
            table_id=tables.open_practice(guest_key="k").pk,
            rules="shawinigan/1",
            teams=2,
            sides=None,
            ranks=(0, 1),
            rated=False,
            reason="played",
            finished_at=FIRST_ROUND,
        )
    )
    assert not OutboxRow.objects.exists()


@pytest.mark.both_databases
def test_a_table_that_cannot_be_opened_leaves_the_others_alone(league, hand, monkeypatch, caplog):
    broken = first_match(league)
    real = opening.table_plan

    def plan(match):
        if match.pk == broken.pk:
            raise RuntimeError("no such table")
        return real(match)

    monkeypatch.setattr(opening, "table_plan", plan)
    hand.set(FIRST_ROUND)
    assert tasks.open_due_tables() == 1
    assert "could not be opened" in caplog.text
    broken.refresh_from_db()
    assert (broken.state, broken.table) == ("scheduled", None)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_workers_that_settle_one_game_at_once_write_one_result(hand):
    league = a_league(2)
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    match = first_match(league)
    match.refresh_from_db()
    game = finish_game(match, winner=0)
    start, failures = threading.Barrier(2), []

    def work():
        try:
            start.wait(timeout=10)
            settlement.settle(game_id=game)
        except Exception as error:  # pragma: no cover - the assertion below tells
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert ResultVersion.objects.count() == 1
    assert MatchGame.objects.count() == 1


def test_a_match_nobody_came_to_gets_another_date_and_another_table(league, hand):
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    match = first_match(league)
    match.refresh_from_db()
    left = match.table
    hand.advance(minutes=11)
    assert clocks.claim_due() == 2
    left.refresh_from_db()
    assert left.state == "closed"
    view = match_selectors.match_view(match.slug, None)
    assert view.nobody_came
    assert view.table_slug == ""
    moved = schedule.move(by=SITE, match=match, starts_at=FIRST_ROUND + timedelta(days=1))
    assert (moved.state, moved.table) == ("scheduled", None)
    hand.set(FIRST_ROUND + timedelta(days=1))
    publishing.open_due_tables()
    match.refresh_from_db()
    assert match.table != left
    assert match.state == "called"


def test_the_side_that_is_there_alone_wins_by_the_tables_own_clock(league, hand):
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    match = first_match(league)
    match.refresh_from_db()
    game = match.table.games.get()
    for seating in match.table.seatings.filter(seat__in=[0, 2]):
        person = Person(player_id=seating.player_id)
        command = {"command_id": f"r{seating.seat}", "turn": "0.0", "kind": "ready", "args": {}}
        assert play.submit(game_id=game.pk, seat=seating.seat, by=person, **command).code == ""
    hand.advance(minutes=11)
    clocks.claim_due()
    settlement.settle(game_id=game.pk)
    match.refresh_from_db()
    assert match.state == "awarded"
    assert match.versions.get().fact == "no_show"
    winner = standings.table(league)[0]
    assert (winner.points, winner.margin, winner.entry) == ("2", "0", match.side_rows.get(position=0).entry)
