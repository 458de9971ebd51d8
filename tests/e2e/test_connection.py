"""Connections break, pages reload, buttons are pressed twice: no play is lost or duplicated."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from games import bots
from games.models import Table

from .evening import four_members, game_of, open_chosen_table, record_of
from .seats import Drags, Leg, Play, Seat, on_board, until

pytestmark = pytest.mark.browser

SEED = 1034


def acting(seats: list[Seat]) -> Seat:
    """Return the seat whose turn it is, once its page shows the turn."""
    view = seats[0].settled()
    seat = seats[view["turn"]]
    seat.asked()
    return seat


def choose(seat: Seat) -> str:
    """Return the play that the club bot would choose from this page."""
    view = seat.asked()
    return bots.choose(view, view["legal"], level="club", roll=random.Random(seat.number).randrange)


def play_until(seats: list[Seat], true: Callable[[Play], bool]) -> tuple[Seat, Play]:
    """Let everybody exchange and play until a seat's next play satisfies `true`; return the seat and the play."""
    for seat in seats:
        seat.ready()
    for seat in seats:
        seat.play(choose(seat))
    seats[0].settled_after(lambda view: view["phase"] != "give")
    for _ in range(60):
        seat = acting(seats)
        line = choose(seat)
        if true(Play.of(line)):
            return seat, Play.of(line)
        before = seat.view()["decision"]
        seat.play(line)
        seats[0].settled_after(lambda view, before=before: view["decision"] != before)
    raise AssertionError("no such play in sixty")


def a_move(play: Play) -> bool:
    return play.kind == "forward"


@pytest.fixture
def seats(live_site: Any, sit: Any) -> list[Seat]:
    """Four people at a table outside a competition, with the same cards on every run."""
    table = open_chosen_table(four_members(), SEED, game="evening3")
    found: list[Seat] = sit(table)
    for seat in found:
        seat.enter(f"/tables/{table.slug}/")
    return found


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


def test_a_reload_in_the_middle_of_a_move_keeps_what_was_touched(seats: list[Seat], table: Table) -> None:
    seat, play = play_until(seats, a_move)
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
    seats[0].settled_after(lambda view: view["pile"] == play.card and "touched" not in view)
    assert plays_of(table, seat)[-1] == play.text
    touches = [body for code, body in record_of(table) if code == "touch" and body["seat"] == seat.number]
    assert touches[-2:] == [{"seat": seat.number, "card": play.card}, {"seat": seat.number, "marble": leg.marble}]
    check_record(table)


def test_a_broken_connection_is_restored_without_a_reload(seats: list[Seat], table: Table, live_site: Any) -> None:
    seat, play = play_until(seats, a_move)
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


def test_a_command_sent_while_the_line_is_dead_arrives_once(seats: list[Seat], table: Table) -> None:
    """The sockets are closed and only HTTP works: plays made in between reach everybody, once."""
    seat, play = play_until(seats, a_move)
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


def test_two_tabs_of_one_seat_see_the_same_and_play_once(seats: list[Seat], table: Table) -> None:
    seat, play = play_until(seats, a_move)
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


def test_a_double_click_on_a_target_sends_one_play(seats: list[Seat], table: Table) -> None:
    seat, play = play_until(seats, a_move)
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
