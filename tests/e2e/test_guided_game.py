"""A beginner finishes the guided first game: by touch on a small phone, and by the keyboard alone at a desk."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils.translation import override
from playwright.sync_api import Page

from games.models import Table
from games.selectors.lessons import LESSONS, lesson
from tests.servers.browser import overflow

from .seats import Hand, Keyboard, Play, Seat, Taps, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SMALL = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}


def axe_finds_nothing(page: Page) -> None:
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the element that a selector names has the focus, and Enter."""
    for _ in range(80):
        if page.evaluate("(wanted) => Boolean(document.activeElement?.matches(wanted))", selector):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {selector}")


def follow(page: Page, selector: str, hand: Hand) -> None:
    """Follow a link by the hand's own means."""
    if isinstance(hand, Taps):
        page.locator(selector).first.tap()
    else:
        tab_to(page, selector)


def wrong_press(seat: Seat) -> None:
    """Eat the partner's marble instead of the opponent's: the hint says what to do, and the lesson goes on."""
    eat = lesson("eat")
    assert eat is not None
    seat.hand.mark(seat, "3C")
    key = seat.offered(Play.of("3C t20-t23").legs[0], "#choices")
    seat.hand.press(seat, key)
    until(seat.page, "!document.getElementById('refused')?.hidden", "the hint")
    assert seat.page.locator("#refused").inner_text() == str(eat.tasks[0].hint)
    assert seat.page.locator("#lesson-end").is_hidden()


def leave_and_resume(seat: Seat) -> None:
    """Repeat the first lesson, leave it unfinished, and go on with the third one, which is the next."""
    page = seat.page
    page.goto(f"{seat.visitor.base}/learn/out/")
    assert seat.asked()["hand"] == ["3C", "6S", "9D", "KS"]
    page.get_by_role("link", name="All lessons").tap()
    page.get_by_role("link", name="Continue").tap()


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Read the texts of the lessons as the pages of these tests show them."""
    with override("en"):
        yield


@pytest.mark.parametrize(("screen", "hand"), [(SMALL, Taps()), (DESK, Keyboard())], ids=["touch", "keyboard"])
def test_the_whole_guided_game(visitors: Any, screen: dict[str, int], hand: Hand) -> None:
    touch = {"has_touch": True, "is_mobile": True} if isinstance(hand, Taps) else {}
    guest = visitors.enter("beginner", screen=screen, locale="en", reduced_motion="reduce", bypass_csp=True, **touch)
    seat, page = Seat(guest, 0, hand), guest.open("/")
    follow(page, "a[href='/learn/']", hand)
    page.wait_for_url("**/learn/")
    looks = axe_finds_nothing if isinstance(hand, Taps) else (lambda page: None)
    looks(page)
    follow(page, "#lessons-go", hand)
    for one in LESSONS:
        page.wait_for_url(f"**/learn/{one.name}/")
        seat.until("globalThis.tockTable?.link.state.joined", "the lesson has begun")
        if one.name == "eat":
            wrong_press(seat)
            looks(page)  # with the hint
        for task in one.tasks:
            seat.asked()
            assert page.locator("#lesson-do").inner_text() == str(task.do)
            seat.play(task.example)
            page.get_by_text(str(task.done)).first.wait_for()
        assert page.locator("#lesson-end").is_visible()
        assert overflow(page) == 0
        if one.name in ("out", "win"):
            looks(page)
        # The focus waits on the way on.
        assert page.evaluate("document.activeElement.id") == "lesson-next"
        if one is LESSONS[1] and isinstance(hand, Taps):
            leave_and_resume(seat)
        elif isinstance(hand, Taps):
            page.locator("#lesson-next").tap()
        else:
            page.keyboard.press("Enter")
        if one is not LESSONS[-1]:
            assert not Table.objects.exists()  # nothing is kept on the server
            assert not guest.frames  # and no socket is needed
    page.wait_for_url("**/tables/**")  # the first real game
    seat.until("globalThis.tockTable?.link.state.joined", "the table's line stands")
    guest.open("/learn/")
    assert page.locator(".lessons .tag:visible").count() == len(LESSONS)
