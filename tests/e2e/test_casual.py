"""Friends at a casual table: two people with accounts and two guests come by a link or a code, change seats, play a whole
game with a bot that gives its seat back, hear their turns, and play again.
"""

import random
import re
from typing import Any

import pytest

from games import bots
from games.models import CasualTable, Game, Seating
from tests.live_js.test_settings import chosen, heard
from tests.servers.browser import DESKTOP, PHONE, Visitor, overflow

from .evening import a_member, game_of, let_play
from .seats import Clicks, Drags, Keyboard, Seat, Taps

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]
BY_HAND = 8
MOST_PLAYS = 200
ASKED = "tockTable.mayChoose && tockTable.view.legal?.length > 0 && !tockTable.sent"


def at(visitor: Visitor, pattern: str) -> None:
    visitor.page.wait_for_url(re.compile(pattern))


def sit(visitor: Visitor, seat: int, *, name: str = "") -> None:
    """Press "Sit here" in the room that is open."""
    if name:
        visitor.page.get_by_label("Your name at the table").fill(name)
    visitor.page.locator(f'[data-key="sit-{seat}"]').click()
    visitor.page.locator(f".room-seats li:nth-child({seat + 1}).mine").wait_for()


def turn(seat: Seat, level: str = "club") -> None:
    view = seat.asked()
    roll = random.Random(seat.number * 100 + seat.done.total()).randrange
    seat.play(bots.choose(view, view["legal"], level=level, roll=roll, seat=seat.number))


def may_win(number: int, view: dict[str, Any]) -> bool:
    """Return whether this seat may take its team's last marble home."""
    mine = [view["marbles"][str(seat)] for seat in (number, (number + 2) % 4)]
    home = sum(marble.startswith("h") for marbles in mine for marble in marbles)
    return home == 7 and any(re.search(r" t\d+-h", line) for line in view["legal"])


def play(seats: dict[int, Seat], *, most: int) -> None:
    """Let the people of these seats play when it is their turn; others are bots. At most `most` plays, or to the end."""
    watching = next(iter(seats.values()))
    made = 0
    for _ in range(20 * most):
        view = watching.settled()
        if view["phase"] == "over" or made >= most:
            return
        acting = (
            seats if view["phase"] == "give" else {view.get("turn")} & set(seats)
        )  # nobody's before the cards are dealt
        mine = [seats[number] for number in acting if seats[number].page.evaluate(ASKED)]
        if mine:
            turn(mine[0])
            made += 1
        else:
            watching.page.wait_for_timeout(100)
    raise AssertionError("the game does not go on")


def test_friends_play_a_whole_game_with_a_bot_that_gives_its_seat_back_and_again(visitors: Any) -> None:
    members = [a_member(name, language="en") for name in ("Martine Gélinas", "Réjean Lampron")]
    options = {"reduced_motion": "reduce", "locale": "en-CA"}
    ana, bob = (visitors.enter(one.display_name, user=one.user, screen=DESKTOP, **options) for one in members)
    clo = visitors.enter("guest on a phone", screen=PHONE, **options)
    dan = visitors.enter("guest", screen=DESKTOP, **options)

    for visitor in (ana, bob, clo, dan):
        chosen(visitor.page, sound="on")

    # One opens the table from "Play"; the others come by its link and by its code.
    ana.open("/play/").get_by_role("link", name="Play with friends").click()
    ana.page.get_by_role("button", name="Open the table").click()
    at(ana, r"/play/\w{6}/$")
    code = ana.page.url.rstrip("/").rsplit("/", 1)[1]
    link = ana.page.locator("#room-link").input_value()
    assert link.endswith(f"/play/{code}/")
    bob.open(f"/play/{code}/")
    sit(bob, 1)
    page = clo.open("/play/")
    page.get_by_label("A friend gave you a code").fill(code.upper())
    page.get_by_role("button", name="Join").click()
    sit(clo, 3, name="Clo")
    assert overflow(clo.page) <= 0
    # The first page shows who has come without being pressed.
    ana.page.locator(".room-seats").get_by_text("Clo", exact=True).wait_for()
    sit(clo, 2)  # changes sides

    # A bot takes the fourth seat, and the game begins for everybody.
    ana.page.locator('[data-key="fill"]').click()
    for visitor in (ana, bob, clo):
        at(visitor, r"/tables/")
    here = [Seat(ana, 0, Clicks()), Seat(bob, 1, Keyboard()), Seat(clo, 2, Taps())]
    seats = {seat.number: seat for seat in here}
    for seat in here:
        seat.until("tockTable.link.state.joined", "the table's line stands")
    for seat in here:
        seat.ready()
    play(seats, most=BY_HAND)

    # Somebody comes: the bot gives its seat back, and the others see the name.
    dan.open(f"/play/{code}/")
    sit_down_in_the_game(dan, 3, name="Dan")
    seats[3] = Seat(dan, 3, Drags())
    for seat in here:
        seat.until("window.tockTable?.boot.names[3] === 'Dan'", "sees the new name")
        seat.until("tockTable.link.state.joined", "the table's line stands")
    play(seats, most=12)
    for seat in seats.values():  # each has pressed since the page was loaded, and had another turn since
        assert "turn" in heard(seat.page), f"seat {seat.number} hears that it is its turn"
    table = CasualTable.objects.get(code=code).table
    assert list(Seating.objects.filter(table=table).order_by("seat").values_list("bot", flat=True)) == [""] * 4

    let_play(table, until=may_win)
    head = game_of(table).last_seq
    for seat in seats.values():
        seat.until(f"tockTable.link.held.seq >= {head}", "has followed the game")
    play(seats, most=MOST_PLAYS)
    first = Game.objects.get(table=table)
    assert (first.state, first.reason, first.unrated_reason) == ("over", "played", "unrated_table")

    # A rematch with the sides changed: every page finds its new seat.
    clo.page.get_by_role("link", name="To the table’s room").click()
    clo.page.get_by_role("button", name="Rematch, sides changed").click()
    for visitor, seat in ((ana, 1), (bob, 2), (clo, 3), (dan, 0)):
        Seat(visitor, seat, Clicks()).until(f"window.tockTable?.boot.seat === {seat}", "sits on the other side")
    assert Game.objects.filter(table=table).count() == 2
    dan.page.get_by_role("link", name="Leave the table").click()
    dan.page.get_by_role("button", name="Leave: a bot plays on for me").click()
    assert dan.page.get_by_text("Bot A").is_visible()


def sit_down_in_the_game(visitor: Visitor, seat: int, *, name: str) -> None:
    visitor.page.get_by_label("Your name at the table").fill(name)
    visitor.page.locator(f'[data-key="sit-{seat}"]').click()
    at(visitor, r"/tables/")
    Seat(visitor, seat, Clicks()).until("tockTable.link.state.joined", "the table's line stands")
