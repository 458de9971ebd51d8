"""The page at a real table of the running site: practice against three bots, by mouse and by keyboard alone."""

import pytest

from .harness import until
from .test_settings import chosen, heard

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TURNS = 6  # own decisions to play in the test


def sit_down(visitor):
    """Open a practice table as a guest, as the first page's button does, and return its page: the game has begun."""
    page = visitor.open("/")
    page.set_default_timeout(10_000)
    with page.expect_navigation(url="**/tables/**"):
        page.locator("form[action='/practice/'] button").first.click()
    until(page, "window.tockTable && tockTable.view.phase !== 'seating'", 10)  # bots wait for no word
    return page


def state(page):
    """Return (phase, own legal plays, decision) as the page shows them, when no request is pending."""
    until(page, "!tockTable.busy && tockTable.waiting === 0", 10)
    return page.evaluate("[tockTable.view.phase, tockTable.view.legal ?? [], tockTable.view.decision]")


def my_turn(page):
    until(
        page,
        "!tockTable.busy && tockTable.waiting === 0 && (tockTable.view.legal || tockTable.view.phase === 'over')",
        20,
    )
    return state(page)


def test_a_newcomer_plays_by_mouse(visitors):
    guest = visitors.enter("guest", locale="en")
    chosen(guest.page, sound="on")
    page = sit_down(guest)
    hands = []
    for turn in range(TURNS):
        phase, _legal, decision = my_turn(page)
        if phase == "over":
            break
        hands.append(page.evaluate("tockTable.view.hand"))
        if turn == 1:
            the_coach_answers(page)
        if turn == 2:  # the second play of the hand, after the exchange and a first one
            the_last_play_is_taken_back(page, hands[1])
            decision = state(page)[2]
        while state(page)[2] == decision and state(page)[1]:
            buttons = page.locator("#choices .choice, #choices .button.primary")
            card = page.locator("#hand li:not(.off) button:not([aria-disabled])")
            (buttons if buttons.count() else card).first.click()
    assert page.locator("#plays li").count() >= TURNS
    assert "turn" in heard(page)  # from the second turn on: a browser lets a page sound once it has been pressed
    assert page.locator("#coach-ways").count() == 0
    # the page has contributed to the shuffle by itself
    kept = page.evaluate("JSON.parse(localStorage.getItem(`tock.share.${tockTable.view.game}.0`))")
    assert page.evaluate("tockTable.view.shares") == [kept["share"], "", "", ""]
    assert (kept["acked"], kept["sent"], len(kept["share"])) == (True, True, 64)
    assert page.locator("#deal-note").inner_text() == "Shuffled by the server and 1 seat."
    # every received view has only this hand
    assert guest.received('"hand"')
    assert not guest.received('"hands"')
    assert page.evaluate("tockTable.link.held.hash") in guest.received()[-1] or page.evaluate(
        "tockTable.link.state.joined"
    )
    # the bots' hands were never received
    assert guest.received('"hands"') == []
    the_deal_is_checked(page)


def the_coach_answers(page):
    """The coach names a play of the own hand with reasons, marks its card, and draws it until the decision is over."""
    from axe_playwright_python.sync_playwright import Axe

    assert page.evaluate("performance.getEntriesByName(location.origin + '/static/live/coach.js').length") == 0
    page.get_by_role("button", name="Ask the coach").click()
    told = page.get_by_role("dialog", name="The coach would play")
    told.wait_for()
    assert 1 <= told.locator(".bullets li").count() <= 3
    assert all(text.strip() for text in told.locator(".bullets li").all_inner_texts())
    assert "nothing else." in told.inner_text()
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    told.get_by_role("button", name="Close").click()
    assert page.locator("#coach-ways").count() == 1
    assert page.evaluate("tockTable.view.hand.includes(tockTable.choice.card)")
    page.keyboard.press("Escape")  # the card that it marked is put back


def the_last_play_is_taken_back(page, before):
    """The bots have answered; the own hand is again what it was before the play, also after a joker drew a card."""
    page.get_by_role("button", name="Take your last play back").click()
    until(page, "tockTable.link.held.epoch === 1")
    state(page)
    assert page.evaluate("tockTable.view.hand") == before
    page.locator("#said").get_by_text("Your last play is taken back: choose again.").wait_for()


def the_deal_is_checked(page):
    """Give the game up, and check its deal on the replay page: by the browser that contributed to it."""
    page.locator("#resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    until(page, "tockTable.view.phase === 'over'", 20)
    with page.expect_navigation():
        page.evaluate("location.assign(tockTable.boot.replay_url)")
    page.get_by_role("button", name="Check this deal").click()
    found = page.locator("#deal-found")
    found.get_by_text("The record holds your share, as this browser gave it.").wait_for()
    assert "Everything fits: the first dealer and" in found.inner_text()
    assert "contributed nothing." in found.inner_text()


def test_a_newcomer_plays_by_keyboard_alone(visitors):
    guest = visitors.enter("guest", locale="en", reduced_motion="reduce")
    page = sit_down(guest)
    for _ in range(TURNS):
        phase, _legal, decision = my_turn(page)
        if phase == "over":
            break
        for _step in range(12):
            now = state(page)
            if now[2] != decision or not now[1]:
                break
            if page.evaluate("document.activeElement === document.body"):
                page.keyboard.press("ArrowRight")
            for _walk in range(8):  # past the cards that cannot be played
                if not page.evaluate("document.activeElement.hasAttribute('aria-disabled')"):
                    break
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        else:
            pytest.fail(f"stuck at {page.locator('#heading').inner_text()}")
    assert page.locator("#plays li").count() >= TURNS


def test_a_reload_shows_the_same_table(visitors):
    guest = visitors.enter("guest", locale="en")
    page = sit_down(guest)
    my_turn(page)
    held = "(({hand, marbles, decision, legal}) => ({hand, marbles, decision, legal}))(tockTable.link.held.view)"
    before = page.evaluate(held)
    page.reload()
    my_turn(page)
    assert page.evaluate(held) == before
    assert page.evaluate("tockTable.seated")
