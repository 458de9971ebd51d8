"""Tractor's replay: step by step, from round to round, open hands, the last trick, the marks on the timeline."""

import random
from functools import cache

import pytest

from games.engine import registry
from games.engine.tractor.game import GAME
from games.fold.patch import diff, merge
from tests.servers.browser import overflow

from .harness import NOW, boot, snap, until
from .tractor_table import NAMES, RULES, seen, step

pytestmark = pytest.mark.browser

TEMPLATE = "games/replay_tractor.html"


def everything(p):
    """Return the view of a visitor to whom all hands are open."""
    hands = {str(seat): GAME.view(p, seat)["hand"] for seat in range(4)}
    extra = {"buried": GAME.view(p, p.starter)["buried"]} if p.phase == "play" else {}
    return seen(p, None) | {"hands": hands} | extra


@cache
def game():
    """Return (first view, events, last view) of a game of two rounds by club bots, every hand open."""
    dice = random.Random(4)
    p = GAME.new(registry.rules(RULES), dealer=0, rounds=2)
    first, events, seq = everything(p), [], 1
    while p.phase != "over":
        after = step(p, dice)
        play, seat = _line(p, after)
        seq += 1
        item = {"seq": seq, "k": "play", "d": {"play": play.text} | ({} if seat is None else {"seat": seat})}
        events.append(item | {"set": diff(everything(p), everything(after)), "fx": GAME.fx(p, play, seat)})
        p = after
    return first, events, everything(p)


def _line(p, after):
    """Return the play that leads from one position to the next, and its seat."""
    if p.phase == "deck":
        order = after.to_json()
        return GAME.parse_play(p, "deck " + " ".join(order["stock"] + order["talon"])), None
    if after.phase in ("draw", "show", "bury") and len(after.stock) < len(p.stock):
        return GAME.parse_play(p, "draw 4"), None
    for seat in range(4) if p.phase in ("draw", "show") else (p.turn,):
        for play in _candidates(p, after, seat):
            if GAME.is_legal(p, play, seat) and GAME.apply(p, play, seat) == after:
                return play, seat
    raise AssertionError("no line leads there")


def _candidates(p, after, seat):
    yield from GAME.legal_plays(p, seat)
    if p.phase == "bury":
        yield GAME.parse_play(p, "bury " + " ".join(GAME.view(after, p.starter)["buried"]))
    elif p.phase == "play":
        cards = GAME.view(p, seat)["hand"]
        for card in GAME.view(after, seat)["hand"] if after.phase == "play" else ():
            cards.remove(card)
        yield GAME.parse_play(p, "play " + " ".join(cards))


@pytest.fixture
def replay(opened, js_site):
    def show(**options):
        first, events, last = game()
        data = boot(first, seat=None, replay=True, touch=False, family="tractor", names=NAMES)
        data |= {"as": "all", "record": "/api/record", "analysis": "", "snap": snap(last, seat=None)}
        page = opened(data, template=TEMPLATE, visit=False, **options)
        frames = [snap(first, seq=1, seat=None, clocks={})]
        frames += [
            {"t": "ev", "epoch": 0, "from": one["seq"], "list": [one], "clocks": {}, "now": NOW, "hash": ""}
            for one in events
        ]
        page.route("**/api/record*", lambda route: route.fulfill(json={"frames": frames}))
        page.goto(f"{js_site.url}/table")
        until(page, "window.tockReplay && tockReplay.steps")
        return page

    return show


def test_every_play_is_a_stop_and_decks_and_draws_are_none(replay):
    page = replay()
    _first, events, last = game()
    plays = [one for one in events if not one["d"]["play"].startswith(("deck", "draw"))]
    assert page.evaluate("tockReplay.at.length") == len(plays) + 1
    assert page.locator("#plays li").count() == len(plays)
    assert page.evaluate("tockReplay.steps.at(-1).view") == last
    page.evaluate("tockReplay.go(10, {still: true})")
    assert page.locator("#hands li").count() == 4


def test_from_round_to_round_and_to_the_end(replay):
    page = replay()
    page.locator("#deal").click()
    assert page.evaluate("tockReplay.shown.round") == 1
    page.locator("#deal").click()
    until(page, "tockReplay.shown.round === 2")
    assert page.locator("#round-end .cardlet").count() == 8
    page.locator("#deal").click()
    until(page, "tockReplay.shown.phase === 'over'")
    assert page.locator("#last-trick").is_visible()
    page.locator("#last-trick").click()
    assert page.locator("#dialog .tractor-last-trick > li").count() == 4


def test_a_step_forward_shows_the_trick_its_words_and_the_tricks_so_far(replay):
    page = replay()
    _first, events, _last = game()
    ends = next(i for i, one in enumerate(events) if any(fact[0] == "trick" for fact in one["fx"]))
    page.evaluate(f"tockReplay.go(tockReplay.indexOf({events[ends]['seq']}), {{still: true}})")
    assert page.locator("#trick .trick-cards[role=img]").count() == 4
    assert page.locator("#trick .trick-place.win").count() == 1
    assert "wins the trick" in page.locator("#heading").inner_text()
    assert page.evaluate("tockReplay.steps[tockReplay.at[tockReplay.index]].tricks.reduce((a, b) => a + b)") == 1
    assert page.locator("#score").inner_text().count("Tricks") == 1
    page.locator("#next").click()
    assert page.locator("#trick .trick-cards[role=img]").count() == 1


def test_the_line_marks_rounds_failed_throws_and_the_opponents_tricks(js):
    first, events, _last = game()
    frames = [snap(first, seq=1, seat=None, clocks={}), {"t": "ev", "list": events}]
    ask = """(async () => { const {marksOf} = await import('/static/live/tractor/replay.js'); const steps = m.stepsOf(a[0]);
        return marksOf(steps, m.stops(steps)).map((mark) => mark.kind); })()"""
    kinds = js("record.js", f"await {ask}", frames)
    facts = [fact for one in events for fact in one["fx"]]
    assert kinds.count("deal") == sum(one["d"]["play"].startswith("deck") for one in events)
    assert kinds.count("x") == sum(fact[0] == "failed" for fact in facts)
    view, taken = first, 0
    for one in events:
        taken += sum(fact[0] == "trick" and fact[1] % 2 != view["declarers"] for fact in one["fx"])
        view = merge(view, one["set"])
    assert kinds.count("s") == taken > 0


def test_axe_finds_nothing_and_a_phone_needs_no_sideways_scroll(replay):
    from axe_playwright_python.sync_playwright import Axe

    page = replay(screen={"width": 360, "height": 740}, bypass_csp=True)
    page.evaluate("tockReplay.go(60, {still: true})")
    assert overflow(page) <= 0
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
