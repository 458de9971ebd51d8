"""Connections break, pages reload, buttons are pressed twice: no play is lost or duplicated."""

import random
from typing import Any

import pytest

from games import bots, store
from games.models import Table

from .evening import four_members, game_of, let_play, open_chosen_table, record_of
from .seats import Drags, Leg, Play, Seat, on_board, until

pytestmark = pytest.mark.browser

SEED = 1034


MOUSE = (0, 3)  # the seats whose players use a mouse


def choose(view: dict[str, Any], number: int) -> Play:
    """Return the play that the club bot would choose."""
    return Play.of(bots.choose(view, view["legal"], level="club", roll=random.Random(number).randrange))


def about_to_move(number: int, view: dict[str, Any]) -> bool:
    """Return whether a player with a mouse is about to move one marble."""
    return number in MOUSE and view["phase"] == "play" and choose(view, number).kind == "forward"


@pytest.fixture
def seats(live_site: Any, sit: Any) -> list[Seat]:
    """Give the player who is about to move a marble, and the next one; the plays before are made by the services."""
    table = open_chosen_table(four_members(), SEED, game="evening3")
    number = store.current(let_play(table, until=about_to_move)).position.turn
    found: list[Seat] = sorted(sit(table, seats=(number, (number + 1) % 4)), key=lambda seat: seat.number != number)
    for seat in found:
        seat.enter(f"/tables/{table.slug}/")
    return found


@pytest.fixture
def seat(seats: list[Seat]) -> Seat:
    return seats[0]


@pytest.fixture
def play(seat: Seat) -> Play:
    """Give the move, chosen from what the page shows."""
    return choose(seat.asked(), seat.number)


@pytest.fixture
def table(seats: list[Seat]) -> Table:
    return Table.objects.get()


def plays_of(table: Table, seat: Seat) -> list[str]:
    """Return the lines that a seat has played, from the record."""
    return [body["play"] for code, body in record_of(table) if code == "play" and body.get("seat") == seat.number]


def pick_up(seat: Seat, leg: Leg) -> None:
    """Click the marble of a leg on the board."""
    marble = on_board(f"m:{leg.marble}")
    seat.until(f"document.querySelector('{marble}')?.getAttribute('role') === 'button'", "lets the marble be picked up")
    seat.page.mouse.click(*seat.box(marble))


def check_record(table: Table) -> None:
    """Check that every command is in the record once, and that the record is complete."""
    events = list(game_of(table).events.order_by("seq"))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    ids = [event.command_id for event in events if event.command_id]
    assert len(ids) == len(set(ids))


def test_a_reload_in_the_middle_of_a_move_keeps_what_was_touched(
    seats: list[Seat], seat: Seat, play: Play, table: Table
) -> None:
    (leg,) = play.legs
    Drags().mark(seat, play.card)
    seat.until("tockTable.sent === 0 && tockTable.view.touched?.card", "the card is touched")
    seat.page.reload()
    seat.until("tockTable.link.state.joined", "the line stands again")
    assert seat.asked()["touched"] == {"card": play.card}
    pick_up(seat, leg)  # the card need not be laid again
    seat.until("tockTable.sent === 0 && tockTable.view.touched?.marble", "the marble is touched")
    seat.page.reload()
    seat.until("tockTable.link.state.joined", "the line stands again")
    assert seat.asked()["touched"] == {"card": play.card, "marble": leg.marble}
    seat.page.locator(f'#choices [data-key="{seat.offered(leg, "#choices")}"]').click()
    seats[1].settled_after(lambda view: view["pile"] == play.card and "touched" not in view)
    assert plays_of(table, seat)[-1] == play.text
    touches = [body for code, body in record_of(table) if code == "touch" and body["seat"] == seat.number]
    assert touches[-2:] == [{"seat": seat.number, "card": play.card}, {"seat": seat.number, "marble": leg.marble}]
    check_record(table)


def test_a_broken_connection_is_restored_without_a_reload(
    seats: list[Seat], seat: Seat, play: Play, table: Table, live_site: Any
) -> None:
    for other in seats:
        other.visitor.tolerates_errors = True  # the console reports every attempt to reach the server
        other.page.evaluate("window.sameDocument = true")
    live_site.stop_web()
    seat.until("!document.getElementById('strip').hidden", "says that the line is broken")
    live_site.start_web()
    for other in seats:
        other.until("tockTable.link.state.joined", "the line stands again", seconds=30)
        other.until("document.getElementById('strip').hidden", "the warning has gone")
    seat.play(play.text)
    decision = seat.settled()["decision"]
    for other in seats:
        other.settled(decision)
        assert other.page.evaluate("window.sameDocument") is True
    assert plays_of(table, seat)[-1] == play.text
    check_record(table)


def test_a_command_sent_while_the_line_is_dead_arrives_once(
    seats: list[Seat], seat: Seat, play: Play, table: Table
) -> None:
    """The sockets are closed and only HTTP works: plays made in between reach everybody, once."""
    seat.visitor.tolerates_errors = True
    count = len(plays_of(table, seat))
    # A socket that cannot be opened, as behind a proxy that forbids it; commands and events then use HTTP.
    seat.page.evaluate(
        "(() => { const closed = class { constructor() { setTimeout(() => this.onclose?.({code: 1006})); } close() {} };"
        " tockTable.doors.WebSocket = closed; tockTable.link.line.socket.close(); })()"
    )
    seat.until("tockTable.link.state.tries >= 2", "the socket stays closed", seconds=30)
    seat.play(play.text)
    assert plays_of(table, seat) == [*plays_of(table, seat)[:count], play.text]
    posts = [answer for answer in seat.visitor.responses if answer.url.endswith("/commands")]
    assert posts
    for other in seats:
        other.settled_after(lambda view: view["decision"] == seat.view()["decision"])
    check_record(table)


def test_two_tabs_of_one_seat_see_the_same_and_play_once(
    seats: list[Seat], seat: Seat, play: Play, table: Table
) -> None:
    twin = Seat(seat.visitor, seat.number, seat.hand)
    second = seat.visitor.context.new_page()
    complaints: list[str] = []
    second.on("pageerror", lambda error: complaints.append(str(error)))
    second.goto(seat.page.url)
    here, there = seat.page, second
    until_joined = "tockTable.link.state.joined && tockTable.mayChoose"

    until(there, until_joined, "the second tab stands")
    until(here, "tockTable.link.aside", "the first tab is told that it looks on")
    Drags().mark(seat, play.card)  # in the older window: refused, and nothing is written
    until(here, "tockTable.sent === 0", "the older window is answered")
    assert here.evaluate("tockTable.view.touched ?? null") is None
    asked = "(play) => tockTable.player.ask('play', { play })"
    there.evaluate(asked, play.text)
    seen = f"tockTable.sent === 0 && tockTable.view.pile === '{play.card}'"
    until(there, seen, "the second tab sees its play")
    until(here, seen, "the first tab sees the play")
    assert plays_of(table, twin).count(play.text) == 1
    assert here.evaluate("tockTable.link.held.hash") == there.evaluate("tockTable.link.held.hash")
    assert complaints == []
    check_record(table)


def test_a_double_click_on_a_target_sends_one_play(seats: list[Seat], seat: Seat, play: Play, table: Table) -> None:
    (leg,) = play.legs
    Drags().mark(seat, play.card)
    pick_up(seat, leg)
    seat.until("tockTable.sent === 0 && tockTable.view.touched?.marble", "the touch is answered")
    before = len(seat.visitor.frames)
    seat.page.mouse.dblclick(*seat.box(on_board(seat.offered(leg, "#board"))))
    # On the own page: the frames of another one may be told later than what they lead to.
    seat.settled_after(lambda view: view["pile"] == play.card and "touched" not in view)
    sent = [frame.text for frame in seat.visitor.frames[before:] if frame.sent and '"kind":"play"' in frame.text]
    assert len(sent) == 1
    assert plays_of(table, seat).count(play.text) == 1
    check_record(table)


def test_a_leg_is_not_a_target_of_its_own() -> None:
    assert Play.of("7S t10-t13 t20-t24").legs == (Leg("t10", "t13"), Leg("t20", "t24"))
    assert Play.of("JS t10xt13").legs == (Leg("t10", "t13"),)
    assert (Play.of("10S skip").kind, Play.of("KS out").kind, Play.of("burn 4C").card) == ("skip", "out", "4C")
