"""Casual tables: who may sit where, bots that give seats back, the beginning, rematches, and rated games."""

from datetime import timedelta
from typing import Any

import pytest

from games.models import CasualTable, Game, HeldSeat, Seating, Table
from games.permissions import NOBODY, Person, seat_of
from games.services import bots, casual
from tests.games.casual import (
    ANA,
    BEA,
    CLO,
    DAN,
    GUESTS,
    begun,
    full,
    opened,
    player,
    refusal,
    seats,
    send,
    sit,
    table_of,
)
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.errors import NotAllowed, NotThere

pytestmark = pytest.mark.django_db


# --- seats


@pytest.mark.both_databases
def test_who_opens_a_table_sits_and_friends_sit_where_they_like() -> None:
    code = opened()
    assert seats(code) == ["Ana", "-", "-", "-"]
    sit(code, 2, BEA)
    sit(code, 3, CLO)
    assert seats(code) == ["Ana", "-", "Béa", "Clo"]
    sit(code, 1, BEA)  # changes the seat
    assert seats(code) == ["Ana", "Béa", "-", "Clo"]
    sit(code, 1, BEA)  # the link used twice
    casual.stand(code, by=CLO)
    casual.stand(code, by=CLO)
    assert seats(code) == ["Ana", "Béa", "-", "-"]
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("seat", "by", "expected"),
    [(0, BEA, "taken"), (1, BEA, "taken"), (4, BEA, "no_seat"), (-1, BEA, "no_seat")],
)
def test_a_held_seat_and_one_that_is_not_there_are_refused(seat: int, by: Person, expected: str) -> None:
    code = opened()
    sit(code, 1, CLO)
    assert refusal(lambda: sit(code, seat, by)) == (expected, "seat")
    assert seats(code) == ["Ana", "Clo", "-", "-"]


def test_a_fifth_person_finds_no_seat_and_no_code_no_table() -> None:
    code = full()
    for seat in range(4):
        assert refusal(lambda seat=seat: sit(code, seat, GUESTS[4]))[0] == "taken"
    with pytest.raises(NotThere):
        sit("zzzzzz", 0, BEA)
    with pytest.raises(NotAllowed):  # a browser without cookies
        sit(opened(by=GUESTS[5]), 1, NOBODY)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", "guest_name"),
        ("A", "guest_name"),
        ("A" * 21, "guest_name"),
        ("<b>Bob</b>", "guest_name"),
        ("Bo\u202eb", "control_characters"),
        ("...", "name_letters"),
        ("ana", "name_taken"),
        ("Аna", "name_taken"),  # a Cyrillic letter
        ("Ána", "name_taken"),
        ("Martine Gélinas", "name_taken"),
        ("MARTINE GELINAS", "name_taken"),
    ],
)
def test_a_guest_bears_a_name_of_its_own(name: str, expected: str) -> None:
    Player.objects.create(display_name="Martine Gélinas")
    code = opened()
    assert refusal(lambda: casual.sit(code, 1, by=BEA, name=name)) == (expected, "name")
    assert seats(code) == ["Ana", "-", "-", "-"]


def test_nobody_holds_more_than_three_seats() -> None:
    codes = [opened() for _ in range(3)]
    assert refusal(opened) == ("three_seats", "seat")
    assert CasualTable.objects.count() == 3  # nothing is half-written
    assert refusal(lambda: sit(opened(by=BEA), 1, ANA)) == ("three_seats", "seat")
    casual.stand(codes[0], by=ANA)
    sit(CasualTable.objects.latest("pk").code, 1, ANA)


def test_only_those_who_sit_decide_about_bots_and_the_beginning() -> None:
    code = opened()
    for act in (
        lambda: casual.put_bot(code, 1, by=BEA),
        lambda: casual.remove_bot(code, 1, by=BEA),
        lambda: casual.begin(code, by=BEA, fill=True),
        lambda: casual.free(code, 0, by=BEA),
        lambda: casual.leave(code, by=BEA),
        lambda: casual.again(code, by=BEA),
    ):
        with pytest.raises(NotAllowed):
            act()
    casual.put_bot(code, 1, by=ANA)
    casual.put_bot(code, 1, by=ANA)
    assert refusal(lambda: casual.put_bot(code, 0, by=ANA))[0] == "taken"
    assert seats(code) == ["Ana", "bot", "-", "-"]
    casual.remove_bot(code, 1, by=ANA)
    casual.remove_bot(code, 0, by=ANA)  # no bot: nothing happens
    assert seats(code) == ["Ana", "-", "-", "-"]
    assert refusal(lambda: casual.begin(code, by=ANA))[0] == "empty_seats"


def test_a_seat_is_freed_only_when_its_person_is_away() -> None:
    code = full()
    assert refusal(lambda: casual.free(code, 1, by=ANA)) == ("not_away", "seat")
    with clock.frozen(clock.now() + timedelta(minutes=3)):
        casual.free(code, 1, by=ANA)
    assert seats(code) == ["Ana", "-", "Clo", "Dan"]


# --- the game


@pytest.mark.both_databases
def test_a_game_begins_when_every_seat_is_held_and_is_played_as_others_are() -> None:
    code = full()
    assert table_of(code).bots_allowed
    game = begun(code)
    casual.begin(code, by=BEA)  # two presses at once: one game
    assert Game.objects.count() == 1
    assert [held.seat for held in HeldSeat.objects.filter(game=game).order_by("seat")] == [0, 1, 2, 3]
    assert refusal(lambda: casual.stand(code, by=ANA))[0] == "running"
    assert not send(game, 1, BEA, "resign").code
    game.refresh_from_db()
    assert (game.state, game.ranks, game.unrated_reason) == ("over", [0, 1], "unrated_table")
    assert table_of(code).state == Table.State.FINISHED


@pytest.mark.both_databases
def test_a_bot_gives_its_seat_back_and_plays_no_more_there() -> None:
    code = opened()
    sit(code, 2, BEA)
    game = begun(code, fill=True)
    assert seats(code) == ["Ana", "bot", "Béa", "bot"]
    sit(code, 1, CLO)
    assert seats(code) == ["Ana", "Clo", "Béa", "bot"]
    assert seat_of(game.table_id, CLO) == 1
    assert refusal(lambda: sit(code, 3, ANA))[0] == "seated"
    casual.leave(code, by=CLO)
    assert seats(code) == ["Ana", "bot", "Béa", "bot"]
    assert send(game, 1, CLO, "resign").code == "seat_lost"
    # Who has seen one hand does not get another one in this game.
    assert refusal(lambda: sit(code, 3, CLO)) == ("other_seat", "seat")
    sit(code, 1, CLO)
    assert seats(code)[1] == "Clo"
    assert not send(game, 1, CLO, "resign").code


def test_who_signs_in_during_a_game_is_the_same_person() -> None:
    code = opened()
    sit(code, 2, BEA)
    begun(code, fill=True)
    bea = Person(player_id=player("bea").player_id, guest_key=BEA.guest_key)
    casual.leave(code, by=bea)
    assert refusal(lambda: casual.sit(code, 1, by=bea)) == ("other_seat", "seat")
    casual.sit(code, 2, by=bea)
    assert Seating.objects.get(table__casual__code=code, seat=2).player_id == bea.player_id


def test_bots_are_asked_as_the_seats_are_now() -> None:
    code = opened()
    sit(code, 2, BEA)
    game = begun(code, fill=True)
    for _ in range(200):  # until it is a bot's turn
        game.refresh_from_db()
        if game.turn in (1, 3):
            break
        assert game.turn is None or game.turn in (0, 2)
        casual.leave(code, by=ANA)
        bots.act_due()
        sit(code, 0, ANA)
        if game.turn == 2:
            casual.leave(code, by=BEA)
            bots.act_due()
            sit(code, 2, BEA)
    assert game.bot_at is not None
    sit(code, game.turn or 0, CLO)
    game.refresh_from_db()
    assert game.bot_at is None
    assert bots.act_due([game.pk]) == 0


def test_the_last_person_who_leaves_closes_the_table() -> None:
    code = opened()
    sit(code, 2, BEA)
    begun(code, fill=True)
    casual.leave(code, by=BEA)
    casual.leave(code, by=ANA)
    assert table_of(code).state == Table.State.CLOSED
    assert refusal(lambda: sit(code, 0, ANA))[0] == "closed"


@pytest.mark.both_databases
def test_the_seat_of_somebody_who_is_away_goes_to_a_bot_and_back() -> None:
    code = full()
    begun(code)
    with clock.frozen(clock.now() + timedelta(minutes=3)):
        casual.note_presence([(table_of(code).pk, 0)])
        casual.free(code, 1, by=ANA)
        assert seats(code) == ["Ana", "bot", "Clo", "Dan"]
        sit(code, 1, BEA)
        assert seats(code) == ["Ana", "Béa", "Clo", "Dan"]


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("same", ["Ana", "Béa", "Clo", "Dan"]),
        ("sides", ["Dan", "Ana", "Béa", "Clo"]),
        ("partners", ["Ana", "Dan", "Béa", "Clo"]),
    ],
)
def test_a_rematch_begins_with_the_seats_that_were_asked_for(order: str, expected: list[str]) -> None:
    code = full()
    game = begun(code)
    assert refusal(lambda: casual.again(code, by=ANA, seats="upside down"))[0] == "seats"
    casual.again(code, by=ANA)  # the game runs: nothing happens
    assert Game.objects.count() == 1
    send(game, 0, ANA, "resign")
    casual.again(code, by=BEA, seats=order)
    casual.again(code, by=ANA, seats="sides")  # too late: the game has begun
    assert seats(code) == expected
    assert Game.objects.count() == 2
    again = Game.objects.latest("pk")
    assert (again.number, again.state, again.table_id) == (2, "seating", game.table_id)
    assert HeldSeat.objects.filter(game=again).count() == 4
    begun(code)
    # A second rematch: the table holds as many games as its people like.
    send(again, 0, Person(guest_key=Seating.objects.get(table=game.table, seat=0).guest_key), "resign")
    assert table_of(code).state == Table.State.FINISHED


def test_a_rematch_waits_for_those_who_have_stood_up() -> None:
    code = full()
    send(begun(code), 0, ANA, "resign")
    casual.stand(code, by=DAN)
    casual.again(code, by=ANA)
    assert Game.objects.count() == 1
    assert table_of(code).state == Table.State.OPEN
    sit(code, 3, GUESTS[4])
    assert begun(code).number == 2


# --- rated tables


def test_a_rated_game_is_for_signed_in_people_with_a_clock_and_strict_touch() -> None:
    ana = player("ana")
    fine: dict[str, Any] = {"by": ana, "rated": True, "pace": "normal", "touch": True}
    for more, expected in (
        ({"by": ANA}, ("rated_guest", "rated")),
        ({"pace": "none"}, ("rated_clock", "pace")),
        ({"touch": False}, ("rated_touch", "touch")),
        ({"pace": "brisk"}, ("clock", "pace")),
        ({"level": "genius"}, ("level", "level")),
        ({"rules": "shawinigan/9"}, ("unknown_rules", "rules")),
        ({"seats": 5}, ("bad_table", "seats")),
    ):
        assert refusal(lambda more=more: opened(**(fine | more))) == expected
    assert not Table.objects.exists()
    code = opened(**fine)
    assert refusal(lambda: sit(code, 1, BEA)) == ("rated_guest", "seat")
    assert refusal(lambda: casual.put_bot(code, 1, by=ana)) == ("rated_bot", "seat")
    assert refusal(lambda: casual.begin(code, by=ana, fill=True)) == ("rated_bot", "seat")
    people = [ana, *(player(name) for name in ("bea", "clo", "dan"))]
    for seat, by in enumerate(people[1:], start=1):
        sit(code, seat, by)
    game = begun(code, by=ana)
    assert refusal(lambda: casual.leave(code, by=ana)) == ("rated_bot", "seat")
    send(game, 0, ana, "resign")
    game.refresh_from_db()
    assert (game.rated, game.unrated_reason) == (True, "")
