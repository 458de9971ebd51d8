"""A helper's round at the desk: presses and page loads for each result, by keyboard and on a phone."""

import os
from datetime import timedelta
from typing import Any

import pytest

from tests.competitions.tournament_desk import captain_of
from tests.competitions.world import a_plan, a_signed_up_player, a_tournament, decide, under_way
from tests.servers.browser import PHONE, Visitor, come_true, overflow_on_both
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_user
from tock_league.competitions.models import Competition
from tock_league.competitions.services.seasons import hall_tables, roles

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
        self.user = helper.user
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
    for number, winner in (("1", "1"), ("2", "2"), ("4", "1"), ("3", "2")):
        assert come_true(page, "document.activeElement.name === 'table'", 5)
        page.keyboard.type(number)
        page.keyboard.press("Enter")
        page.keyboard.type(winner)
        page.keyboard.press("Tab")
        page.keyboard.type("3")
        page.keyboard.press("Enter")
        page.locator(f'[data-number="{number}"]:not([data-open])').wait_for()
    page.locator('[data-part="next"] .primary').wait_for()
    assert by_keys.counted() == (0, 4, 0)  # an Enter for each result, no page loaded
    assert cup.matches.filter(state="confirmed").count() == 4
    shot(page, "sheet-done")
    assert overflow_on_both(page) <= 0
    page.locator('[data-part="next"] .primary').click()
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


def test_a_team_is_checked_in_by_one_press_of_a_filtered_list_that_keeps_its_place(
    live_site: Any, visitors: Any
) -> None:
    cup = a_tournament(8, state="open", check_in=True)
    Competition.objects.filter(pk=cup.pk).update(check_in_from=cup.check_in_from - timedelta(hours=1))
    desk = Desk(visitors, cup, "Lise Caron", screen=PHONE)
    page = desk.open(f"/competitions/{cup.slug}/organise/check-in/")
    shot(page, "check-in-phone")
    assert overflow_on_both(page) <= 0
    entry = cup.entries.all()[5]
    line = page.locator(f"#e-{entry.slug}")
    line.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    line.locator(".primary").tap()
    line.locator(".tag.good").first.wait_for()
    assert desk.counted() == (1, 1, 0)
    assert page.evaluate("scrollY") == before
    badge = desk.open(f"/competitions/{cup.slug}/here/{captain_of(cup.entries.first()).slug}/")
    shot(badge, "here-phone")
    assert overflow_on_both(badge) <= 0
    badge.locator(".primary").tap()
    badge.locator(".note.good").wait_for()
    assert desk.counted()[0] == 1
    assert cup.entries.filter(state="checked_in").count() == 2
    captain = captain_of(entry)
    captain.user = create_user(email="capitaine@example.org")
    captain.save()
    own = visitors.enter("captain", user=captain.user, screen=PHONE)
    page = own.open(f"/competitions/{cup.slug}/here/")
    page.locator(".qr-code").wait_for()
    shot(page, "here-own-phone")
    listed = visitors.enter("desktop", user=desk.user, reduced_motion="reduce")
    shot(listed.open(f"/competitions/{cup.slug}/organise/check-in/"), "check-in-desktop")


def test_the_hall_and_a_countdown_fit_on_a_phone(live_site: Any, visitors: Any) -> None:
    cup = a_tournament(4, plan=a_plan("swiss", rounds=3, auto=False))
    hall_tables.put_tables(by=SITE, competition=cup, first=1, last=3, room="Salle des Chutes", accessible=True)
    hall_tables.put_tables(by=SITE, competition=cup, first=4, last=4, entry=cup.entries.first())
    for match in under_way(cup):
        decide(match, 0)
    desk = Desk(visitors, cup, "Lise Caron", screen=PHONE)
    page = desk.open(f"/competitions/{cup.slug}/organise/tables/")
    shot(page, "tables-phone")
    assert overflow_on_both(page) <= 0
    page = desk.open(f"/competitions/{cup.slug}/organise/sheet/?round=1.1")
    page.locator('form:has([name="minutes"]) button').tap()
    page.locator("[data-left]").filter(has_text="min").wait_for()
    shot(page, "countdown-phone")
    assert overflow_on_both(page) <= 0
    reader = visitors.enter("reader", reduced_motion="reduce")
    shown = reader.open(f"/competitions/{cup.slug}/")
    shown.locator("[data-left]").filter(has_text="min").wait_for()
    shot(shown, "countdown-desktop")
    shot(reader.open(f"/matches/{cup.matches.first().slug}/"), "match-desktop")
    shot(desk.open(f"/competitions/{cup.slug}/organise/"), "organise-phone")
    page = desk.visitor.page
    page.locator('[data-live="countdown"] button').tap()
    page.locator('form:has([name="minutes"]) button').wait_for()
    assert desk.counted()[0] == 1
