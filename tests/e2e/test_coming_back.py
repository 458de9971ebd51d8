"""Who leaves a table finds the way back in the bar of every page: on a wide screen and on a phone, with and without scripts."""

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from games.models import Game
from games.permissions import Person
from games.services import casual
from tests.servers.browser import DESKTOP, PHONE, Visitors, overflow

from .evening import a_member, an_evening

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
TAP = 44


def grave(page: "Page") -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['target']}" for one in found if one["impact"] in ("serious", "critical")]


def test_a_guest_leaves_a_practice_table_and_is_back_in_one_press(visitors: Visitors, live_site: Any) -> None:
    guest = visitors.enter("guest", screen=PHONE, java_script_enabled=False)
    page = guest.open("/practice/")
    page.locator('form[action="/practice/"] button').last.click()
    page.wait_for_url("**/tables/**")
    address = page.url
    for path in ("/", "/clubs/", "/my-games/"):
        guest.open(path)
        box = page.locator(".tables-sign").bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= TAP, (path, box)
        assert overflow(page) <= 0, path
    page.locator(".tables-sign").click()
    page.wait_for_url(address)


def test_a_member_reads_what_is_next_and_returns_to_one_of_two_tables(visitors: Visitors, live_site: Any) -> None:
    evening = an_evening()
    seat = evening.match.side_rows.get(position=0).entry.roster.get(slot=1)
    member = visitors.enter("member", user=seat.player.user, reduced_motion="reduce")
    for _table in range(2):
        member.open("/").locator('form[action="/practice/"] button').first.click()
        member.page.wait_for_url("**/tables/**")
    Game.objects.filter(table__seatings__player=seat.player, number=1).update(state="playing", turn=0)
    for size in (DESKTOP, PHONE):
        member.page.set_viewport_size(size)
        page = member.open("/")
        assert overflow(page) <= 0
        # The match begins in less than fourteen minutes: the script shows whole minutes.
        page.wait_for_function("document.querySelector('[data-left]').textContent.startsWith('13')")
        assert page.locator(".next-match h2").inner_text().startswith(str(seat.entry))
        page.locator(".tables-menu summary").click()
        links = page.locator(".tables-menu a")
        assert links.count() == 2
        for box in (page.locator(".tables-menu summary").bounding_box(), links.first.bounding_box()):
            assert box is not None
            assert box["height"] >= TAP
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= size["width"]
    assert grave(page) == []  # with the menu open
    page.locator(".tables-menu a").first.click()
    page.wait_for_url("**/tables/**")
    page.set_viewport_size(DESKTOP)
    sign, bar = (page.locator(name).bounding_box() for name in (".tables-sign", ".table-bar"))
    assert sign is not None
    assert bar is not None
    assert (sign["height"], bar["height"]) == (TAP, 52)  # the other table's sign makes the bar no higher


def test_the_bar_of_a_long_name_with_a_table_keeps_within_the_window(visitors: Visitors) -> None:
    member = a_member("Martine Gélinas-Bellemare de La Tuque")
    code = casual.open_table(by=Person(player_id=member.pk)).code
    page = visitors.enter("member", user=member.user).open(f"/play/{code}/")
    assert page.locator(".tables-sign").is_visible()
    for width in (1280, 1201, 1101, 982, 700):
        page.set_viewport_size({"width": width, "height": 720})
        assert overflow(page) <= 0, f"at {width} pixels"
