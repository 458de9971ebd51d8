"""A new visitor plays against three bots within half a minute, without an account."""

import time
from typing import Any

import pytest

from games.models import GameEvent, Table
from tests.servers.browser import DESKTOP, PHONE

from .seats import Clicks, Hand, Seat, Taps
from .wire import Truth, read

pytestmark = pytest.mark.browser

HALF_A_MINUTE = 30.0


@pytest.mark.parametrize(("screen", "hand"), [(DESKTOP, Clicks()), (PHONE, Taps())], ids=["desktop", "phone"])
def test_from_the_first_page_to_the_first_play_in_half_a_minute(
    visitors: Any, screen: dict[str, int], hand: Hand
) -> None:
    newcomer = visitors.enter("newcomer", screen=screen)
    began = time.monotonic()
    page = newcomer.open("/")
    page.locator('form[action="/practice/"] button').first.click()
    page.wait_for_url("**/tables/**")
    seat = Seat(newcomer, 0, hand)
    seat.until("tockTable.link.state.joined", "the table's line stands")
    seat.ready()
    seat.play(seat.asked()["legal"][0])  # the exchange
    first = seat.asked()
    seat.play(first["legal"][0])
    assert time.monotonic() - began < HALF_A_MINUTE
    table = Table.objects.get(slug=page.url.rstrip("/").rsplit("/", 1)[1])
    assert (table.kind, table.rated) == ("practice", False)
    seatings = list(table.seatings.order_by("seat").values_list("player_id", "bot"))
    assert seatings == [(None, "")] + [(None, "club")] * 3


def test_the_bots_play_on_and_the_newcomer_sees_only_the_own_hand(visitors: Any) -> None:
    newcomer = visitors.enter("newcomer", reduced_motion="reduce")
    newcomer.open("/").locator('form[action="/practice/"] button').first.click()
    newcomer.page.wait_for_url("**/tables/**")
    seat = Seat(newcomer, 0, Clicks(), pages=[])
    seat.enter(newcomer.page.url.removeprefix(newcomer.base))
    seat.ready()
    seat.play(seat.asked()["legal"][0])
    for _ in range(4):
        seat.play(seat.asked()["legal"][0])
    game = Table.objects.get().games.get()
    bots = GameEvent.objects.filter(game=game, kind="play", body__seat__in=[1, 2, 3]).count()
    assert bots >= 9
    seat.asked()
    reading = read(Truth.of(game), 0, pages=seat.pages, frames=newcomer.received())
    assert reading.faults == []
    assert reading.secrets > 20


def test_somebody_else_cannot_take_the_newcomers_seat(visitors: Any) -> None:
    newcomer, other = visitors.enter("newcomer"), visitors.enter("other")
    newcomer.open("/").locator('form[action="/practice/"] button').first.click()
    newcomer.page.wait_for_url("**/tables/**")
    path = newcomer.page.url.removeprefix(newcomer.base)
    page = other.open(path)
    Seat(other, 0, Clicks()).until("tockTable.link.state.joined", "the table's line stands")
    assert page.evaluate("tockTable.seated") is False
    assert page.locator("#choices [data-key=ready]").count() == 0
    assert newcomer.open(path).evaluate("tockTable.seated") is True
