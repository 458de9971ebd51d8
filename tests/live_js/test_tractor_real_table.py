"""Tractor's page at a real table: a whole round against three bots, cards drawn one by one, by mouse; its replay."""

import re

import pytest
from playwright.sync_api import TimeoutError

from games.forms import again_fields
from games.models import Game

from .harness import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

READY = "!tockTable.busy && tockTable.waiting === 0"
ASKED = f"{READY} && (tockTable.mayChoose && tockTable.deciding().has(tockTable.company.me) || tockTable.view.phase === 'over')"
# Read at one moment: whether the seat must still decide (the page may have advanced since the last answer), the phase,
# the decision, and the keys of the buttons that choose the cards of the first legal line.
MOMENT = f"""() => {{ const {{view}} = tockTable; const seen = new Map();
    const cards = (view.legal?.[0] ?? '').split(' ').slice(1).map((card) => {{
      const copy = seen.get(card) ?? 0; seen.set(card, copy + 1); return [card, copy]; }});
    return [Boolean({ASKED}), view.phase, view.decision, cards]; }}"""

PASSES = (
    "[...document.querySelectorAll('#plays li')].filter((told) => told.textContent.includes('Guest passes.')).length"
)


def sit_down(visitor, settings, *, draw_ms=0):
    """Open a practice table of one round against novices and return its page; the game begins by itself."""
    settings.TOCK_DRAW_MS = draw_ms
    page = visitor.open("/practice/?rules=tractor/1")
    page.set_default_timeout(10_000)
    fields = again_fields(
        rules="tractor/1", seats=4, teams=2, full_ranking=False, touch=False, level="novice", rounds=1
    )
    with page.expect_navigation(url="**/tables/**"):
        page.evaluate(
            """(fields) => { const form = document.querySelector('main form');
            for (const [name, value] of Object.entries(fields)) {
              for (const old of form.querySelectorAll(`[name="${name}"]`)) old.remove();
              const input = document.createElement('input'); input.type = 'hidden'; input.name = name; input.value = value;
              form.append(input); }
            form.submit(); }""",
            fields,
        )
    until(page, "window.tockTable && tockTable.link.state.joined", 20)
    page.evaluate("() => { tockTable.hold = 0; }")
    return page


def choose(page, cards):
    """Choose the cards and press the button."""
    for card, copy in cards:
        page.locator(f"#hand button[data-card='{card}'][data-copy='{copy}']").click(position={"x": 8, "y": 12})
    page.locator("#go").click()


def play_on(page, decisions):
    """Make the given number of decisions for the own seat, or all until the game is over; return the phase then."""
    while decisions:
        until(page, ASKED, 30)
        asked, phase, decision, cards = page.evaluate(MOMENT)
        if not asked:
            continue
        if phase == "over":
            return phase
        decisions -= 1
        if phase == "show":
            told = page.evaluate(PASSES)
            try:
                page.locator("#pass").click()
            except TimeoutError:
                # A bot's show may have ended the phase between the look at the page and the press.
                assert page.evaluate(MOMENT)[:3] != [asked, phase, decision]
                decisions += 1
                continue
            # Only a row that follows the own pass counts: before it, the page does not know of the pass.
            until(page, f"{PASSES} > {told}", 20)
        else:
            choose(page, cards)
            until(page, f"tockTable.view.decision !== '{decision}'", 20)
    return page.evaluate("tockTable.view.phase")


def test_a_round_by_mouse_and_its_replay(visitors, settings):
    guest = visitors.enter("guest", locale="en", reduced_motion="reduce")
    page = sit_down(guest, settings)
    assert play_on(page, 45) == "over"
    assert page.locator("#round-end").inner_text().count("Buried")
    assert page.locator("#choices .result li").count() == 2
    assert page.evaluate("tockTable.story.tricks.reduce((a, b) => a + b)") > 0
    listed = page.locator("#plays li").all_inner_texts()
    assert any("takes the talon" in text for text in listed)
    assert sum("wins the trick" in text for text in listed) == page.evaluate(
        "tockTable.story.tricks.reduce((a, b) => a + b)"
    )
    assert page.locator("#said").inner_text().split(".")[0] in listed[0]
    # No other hand was received, nor a deck or the cards that the bots buried.
    assert not guest.received('"hands"')
    assert not any(re.search(r'"play":"deck (?!\?\?)', frame) for frame in guest.received('"play":"deck '))

    game = Game.objects.get()
    replay = guest.open(f"/games/{game.slug}/")
    until(replay, "window.tockReplay && tockReplay.steps", 20)
    replay.locator("#next").click()
    assert replay.locator("#hands li").count() == 4
    replay.evaluate("tockReplay.go(tockReplay.at.length - 1, {still: true})")
    until(replay, "document.querySelectorAll('#round-end').length === 1")
    replay.locator("#as").select_option("seat:0")
    until(replay, "tockReplay.steps.at(-1).view.hands === undefined")
    replay.evaluate("tockReplay.go(30, {still: true})")
    until(replay, "document.querySelectorAll('#hand button').length > 0")


def test_cards_come_one_by_one_and_a_show_is_offered_exactly_when_it_counts(visitors, settings):
    guest = visitors.enter("guest", locale="en")
    page = sit_down(guest, settings, draw_ms=60)
    until(page, "tockTable.view.phase === 'draw' && tockTable.view.hand.length > 2", 20)
    seen = set()
    while page.evaluate("tockTable.view.phase") == "draw":
        same = """() => { const {view, company} = tockTable; const legal = new Set(view.legal ?? []);
            return [view.hand.length, [...document.querySelectorAll('[data-show]')].every((button) =>
              !button.ariaDisabled === (tockTable.mayChoose && legal.has(`show ${company.me}: ${button.dataset.show}`))),
              document.querySelectorAll('#hand button').length]; }"""
        held, exact, shown = page.evaluate(same)
        assert exact
        assert held == shown
        seen.add(held)
        page.wait_for_timeout(20)
    assert len(seen) > 5, "the hand did not grow card by card"
    assert play_on(page, 3) in ("show", "bury", "play")
