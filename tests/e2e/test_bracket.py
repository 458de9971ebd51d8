"""A bracket in a browser: keyboard navigation, lists on a phone, new results without a reload."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.competitions.world import a_plan, a_tournament, decide, play_on, under_way
from tests.servers.browser import PHONE, overflow

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

FOCUS = "document.activeElement.id"
GRAVE = ("serious", "critical")
LOOK = "document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def cup(live_site: Any) -> Any:
    """Give a knockout of eight whose first match is decided."""
    made = a_tournament(8)
    play_on(made, matches=1)
    return made


def grave(page: Any) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{rule['id']}: {rule['nodes'][0]['html'][:120]}" for rule in found if rule["impact"] in GRAVE]


def test_the_arrow_keys_walk_the_bracket_and_tab_stops_once(cup: Any, visitors: Any) -> None:
    page = visitors.enter("reader", reduced_motion="reduce").open(f"/competitions/{cup.slug}/")
    page.wait_for_selector("a.bracket-match[tabindex='0']")
    assert page.locator("a.bracket-match[tabindex='0']").count() == 1
    page.locator("#m1").focus()
    walk = ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft", "Home", "End"]
    seen = []
    for key in walk:
        page.keyboard.press(key)
        seen.append(page.evaluate(FOCUS))
    assert seen == ["m2", "m3", "m6", "m7", "m8", "m6", "m3", "m1", "m7"]
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUS) == "m7", "there is nothing to the right of the final"
    address = page.locator("#m7").get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{address}")


def test_the_bracket_is_sound_on_wide_and_narrow_screens(cup: Any, visitors: Any) -> None:
    wide = visitors.enter("reader", reduced_motion="reduce").open(f"/competitions/{cup.slug}/")
    assert wide.locator(".bracket-drawing").is_visible()
    assert grave(wide) == []
    narrow = visitors.enter("telephone", screen=PHONE, reduced_motion="reduce").open(f"/competitions/{cup.slug}/")
    assert not narrow.locator(".bracket-drawing").is_visible()
    assert narrow.locator(".bracket-lists .bracket-list-match").count() == 8
    assert narrow.locator(".bracket-lists .bracket-list-match").first.is_visible()
    assert overflow(narrow) <= 0
    assert grave(narrow) == []


@pytest.mark.parametrize(("kind", "page"), [("groups_knockout", "groups"), ("swiss", "rounds"), ("swiss", "")])
def test_groups_rounds_and_standings_are_sound_on_a_telephone(
    live_site: Any, visitors: Any, kind: str, page: str
) -> None:
    made = a_tournament(7, plan=a_plan(kind))
    play_on(made, matches=4)
    address = f"/competitions/{made.slug}/" + (f"{page}/" if page else "")
    narrow = visitors.enter("telephone", screen=PHONE, reduced_motion="reduce").open(address)
    for details in narrow.locator("main details").all()[:4]:
        details.evaluate("element => { element.open = true }")
    assert overflow(narrow) <= 0
    assert grave(narrow) == []


def test_a_number_opens_what_explains_it_and_closes_again(live_site: Any, visitors: Any) -> None:
    made = a_tournament(7, plan=a_plan("swiss"))
    play_on(made, matches=4)
    for screen in (None, PHONE):
        more = {"screen": screen} if screen else {}
        page = visitors.enter(f"reader{bool(screen)}", reduced_motion="reduce", **more).open(
            f"/competitions/{made.slug}/"
        )
        link = page.locator("a[data-why]:visible").last
        address = link.get_attribute("href")
        link.click()
        opened = page.locator("tr[data-opened]")
        opened.locator("h2").wait_for()
        assert opened.locator(".terms a").count() >= 1
        assert page.evaluate("document.activeElement.tagName") == "H2"
        assert link.get_attribute("aria-expanded") == "true"
        assert overflow(page) <= 0
        assert grave(page) == []
        page.evaluate(LOOK)
        page.wait_for_timeout(500)
        assert opened.count() == 1, "a page that is drawn anew leaves it open"
        page.keyboard.press("Escape")
        assert opened.count() == 0
        assert page.evaluate("document.activeElement.dataset.why") == ""
        page.goto(page.url.partition("/competitions/")[0] + address)
        assert page.locator(".standing-why .terms a").count() >= 1
        assert overflow(page) <= 0
        assert grave(page) == []


def test_a_large_bracket_is_read_part_by_part(live_site: Any, visitors: Any) -> None:
    made = a_tournament(33)
    page = visitors.enter("reader", reduced_motion="reduce").open(f"/competitions/{made.slug}/")
    assert page.locator(".bracket-parts a").count() == 5
    assert page.locator("a.bracket-match").count() <= 15
    page.locator(".bracket-parts a").last.click()
    page.wait_for_url("**?part=last")
    assert page.locator("a.bracket-match").count() == 4
    assert grave(page) == []
    narrow = visitors.enter("telephone", screen=PHONE, reduced_motion="reduce").open(
        f"/competitions/{made.slug}/?part=2"
    )
    assert overflow(narrow) <= 0
    assert grave(narrow) == []


def test_a_result_appears_while_the_page_stays_open_and_the_reader_stays_where_they_are(
    cup: Any, visitors: Any
) -> None:
    page = visitors.enter("reader", reduced_motion="reduce").open(f"/competitions/{cup.slug}/")
    page.wait_for_selector("a.bracket-match[tabindex='0']")
    assert page.locator("a.bracket-match .bracket-won").count() == 1
    decide(under_way(cup)[0], 0)
    page.locator("#m3").focus()
    page.evaluate(LOOK)
    page.wait_for_timeout(700)
    assert page.evaluate(FOCUS) == "m3", "nobody is torn out of the bracket"
    assert page.locator("a.bracket-match .bracket-won").count() == 1
    page.evaluate("document.activeElement.blur()")
    page.evaluate(LOOK)
    page.locator("a.bracket-match .bracket-won").nth(1).wait_for(state="attached")
    page.locator("#m1").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUS) == "m2", "the keys work in the renewed drawing too"


def test_the_podium_comes_by_itself(cup: Any, visitors: Any) -> None:
    page = visitors.enter("reader", reduced_motion="reduce").open(f"/competitions/{cup.slug}/")
    page.wait_for_selector("a.bracket-match[tabindex='0']")
    play_on(cup)
    page.evaluate(LOOK)
    page.wait_for_selector(".podium-section .medal.medal-1")
    assert page.locator(".podium-section .medal").all_inner_texts() == ["1", "2", "3"]
