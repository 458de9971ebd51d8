"""A helper's round at the desk: presses and page loads for each result, by keyboard and on a phone."""

import os
from typing import Any

import pytest

from tests.competitions.world import a_plan, a_signed_up_player, a_tournament, under_way
from tests.servers.browser import PHONE, Visitor, come_true, overflow_on_both
from tock_league.accounts.permissions import SITE
from tock_league.competitions.models import Competition
from tock_league.competitions.services.seasons import roles

pytestmark = [pytest.mark.browser, pytest.mark.slow]
COUNTED = """addEventListener("click", (event) => { if (event.isTrusted && event.detail) window.name += "p"; }, true);
addEventListener("submit", () => { window.name += "s"; }, true);
addEventListener("DOMContentLoaded", () => { window.name += "l"; });"""  # window.name outlives a page


def shot(page: Any, name: str) -> None:
    if folder := os.environ.get("DESK_SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


class Desk:
    """A helper with a browser; counts presses, forms sent and pages loaded."""

    def __init__(self, visitors: Any, cup: Competition, name: str, role: str = "organiser", **options: Any) -> None:
        helper = a_signed_up_player(f"{name.split()[0].lower()}@example.org", name)
        roles.give(by=SITE, competition=cup, player=helper, name=role)
        self.visitor: Visitor = visitors.enter(name, user=helper.user, reduced_motion="reduce", **options)
        self.visitor.context.add_init_script(COUNTED)

    def open(self, path: str) -> Any:
        page = self.visitor.open(path)
        page.evaluate("window.name = ''")
        return page

    def counted(self) -> tuple[int, int, int]:
        """Return the presses, the forms sent and the pages loaded since `open`."""
        told = self.visitor.page.evaluate("window.name")
        return told.count("p"), told.count("s"), told.count("l")


@pytest.fixture
def cup(live_site: Any) -> Competition:
    return a_tournament(8, plan=a_plan("swiss", rounds=3, auto=False))


def test_a_round_by_keyboard_alone_and_a_round_on_a_phone(cup: Competition, visitors: Any) -> None:
    by_keys = Desk(visitors, cup, "Lise Caron")
    page = by_keys.open(f"/competitions/{cup.slug}/organise/sheet/")
    shot(page, "sheet-desktop")
    assert overflow_on_both(page) <= 0
    for number, winner in (("1", "1"), ("2", "2"), ("4", "1"), ("3", "2")):
        assert come_true(page, "document.activeElement.name === 'table'", 5)
        page.keyboard.type(number)
        page.keyboard.press("Enter")
        page.keyboard.type(winner)
        page.keyboard.press("Tab")
        page.keyboard.type("3")
        page.keyboard.press("Enter")
        page.locator(f'[data-number="{number}"]:not([data-open])').wait_for()
    page.locator('[data-part="next"] button').wait_for()
    assert by_keys.counted() == (0, 4, 0)  # an Enter for each result, no page loaded
    assert cup.matches.filter(state="confirmed").count() == 4
    shot(page, "sheet-done")
    page.keyboard.press("Escape")
    page.locator('[data-part="next"] button').click()
    page.wait_for_url("**/organise/sheet/")
    assert len(under_way(cup)) == 4
    on_phone = Desk(visitors, cup, "Sylvie Doucet", "referee", screen=PHONE)
    page = on_phone.open(f"/competitions/{cup.slug}/organise/sheet/")
    shot(page, "sheet-phone")
    for match in under_way(cup):
        line = page.locator(f"#m-{match.slug}")
        line.locator("summary").first.tap()
        shot(page, "sheet-phone-open")
        line.get_by_role("button", name="2", exact=True).tap()
        page.locator(f"#m-{match.slug}:not([data-open])").wait_for()
    presses, sent, loaded = on_phone.counted()
    assert (presses, sent, loaded) == (8, 4, 0)
    assert (presses + 4) / 8 <= 1.5  # with the Enters of the round by keyboard
    assert overflow_on_both(page) <= 0
    assert cup.matches.filter(state="confirmed").count() == 8


def test_one_press_is_a_result_where_no_margin_is_asked(live_site: Any, visitors: Any) -> None:
    cup = a_tournament(4)
    desk = Desk(visitors, cup, "Lise Caron", screen=PHONE)
    page = desk.open(f"/competitions/{cup.slug}/organise/sheet/")
    shot(page, "sheet-knockout-phone")
    for match in under_way(cup):
        page.locator(f"#m-{match.slug} .sheet-sides button").first.tap()
        page.locator(f"#m-{match.slug}:not([data-open])").or_(page.locator("[data-open]").first).wait_for()
        come_true(page, f"!document.querySelector('#m-{match.slug}[data-open]')", 5)
    assert desk.counted() == (2, 2, 0)
