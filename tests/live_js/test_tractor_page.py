"""Tractor's page in a browser, at a table that uses the engine: showing, burying, leading, following, refusals,
phones."""

import re

import pytest

from games.engine.cards import TEXTS
from games.engine.tractor.plays import kinds, texts
from tests.servers.browser import overflow

from .harness import until
from .tractor_table import SITUATIONS, TEMPLATE, EngineTable, failing, found, page_boot, situation

pytestmark = pytest.mark.browser

JOINED = "window.tockTable && tockTable.link.state.joined"


@pytest.fixture
def at(opened):
    """Give `at("pair")`: (page, table) in that situation, from seat 0."""

    def enter(name, *, seat=0, **options):
        p = situation(name)
        table = EngineTable(p, seat=seat)
        page = opened(page_boot(p, seat=seat), table, template=TEMPLATE, **options)
        until(page, JOINED)
        page.evaluate("() => { tockTable.hold = 0; }")
        return page, table

    return enter


def press(page, cards):
    """Choose cards of the hand; a card named twice is chosen twice."""
    for i, card in enumerate(cards):
        copy = cards[:i].count(card)
        page.locator(f"#hand button[data-card='{card}'][data-copy='{copy}']").click(position={"x": 8, "y": 12})


def heading(page):
    return page.locator("#heading").inner_text()


def suit_cards(p, seat=0):
    """Return a seat's cards of the suit led, and a pair among them."""
    mask = p.order.masks[p.lead.suit]
    cards = texts(p.one[seat] & mask, p.two[seat] & mask)
    pair = TEXTS[kinds(p.two[seat] & mask)[0]]
    return cards, pair


def test_the_suit_to_follow_is_bright_and_the_duty_is_told(at):
    page, table = at("pair")
    assert re.fullmatch(r"Follow \w+: a pair", heading(page))
    assert page.locator("#hand .tractor-group.playable").count() == 1
    assert page.locator("#hand .tractor-group.dim").count() == page.locator("#hand .tractor-group").count() - 1
    assert "1 pair must be among them" in page.locator("#owed").inner_text()
    assert page.locator("#go").get_attribute("aria-disabled") == "true"
    _cards, pair = suit_cards(table.p)
    press(page, [pair])
    assert page.locator("#shape").inner_text() == "1 of 2 chosen"
    press_pair = page.locator(f"#hand button[data-card='{pair}'][data-copy='1']")
    press_pair.click(position={"x": 8, "y": 12})
    assert page.locator("#go").inner_text().startswith("Play the pair of ")
    page.locator("#go").click()
    until(page, "tockTable.view.turn !== 0 || tockTable.view.trick.length === 0")
    assert table.commands("play") == [{"play": f"play {pair} {pair}"}]
    assert page.evaluate("tockTable.player.chosen.size") == 0
    first = page.locator("#plays li").first
    assert page.locator("#said").inner_text() in first.inner_text()
    assert first.locator("code").inner_text() == f"play {pair} {pair}"


def test_a_choice_that_breaks_a_rule_is_refused_with_its_name_and_not_sent(at):
    page, table = at("pair")
    cards, pair = suit_cards(table.p)
    others = [card for card in table.view["hand"] if card not in cards]
    singles = [card for card in dict.fromkeys(cards)][:2]
    for chosen, said in [
        (cards[:1], "As many cards as were led must be played: 2 cards."),
        ([cards[0], others[0]], "The suit led must be followed: 2 cards of"),
        (singles, "Pairs were led: 1 pair of"),
    ]:
        press(page, chosen)
        assert "wrong" in page.locator("#go").get_attribute("class")
        page.locator("#go").click()
        assert said in page.locator("#refused").inner_text()
        page.keyboard.press("Escape")
        assert page.locator("#refused").is_hidden()
        assert page.locator("#hand [aria-pressed=true]").count() == 0
    assert table.commands("play") == []
    assert pair


def test_the_servers_refusals_name_their_rule(at):
    page, table = at("pair")
    cards, _pair = suit_cards(table.p)
    others = [card for card in table.view["hand"] if card not in cards]
    singles = [card for card in dict.fromkeys(cards)][:2]
    missing = next(card for card in ("AS", "KS", "QS", "JS", "9S", "AC", "KC", "QC") if card not in table.view["hand"])
    for line, said in [
        (cards[0], "As many cards as were led must be played: 2 cards."),
        (f"{missing} {missing}", "You do not hold those cards."),
        (f"{cards[0]} {others[0]}", "The suit led must be followed"),
        (" ".join(singles), "Pairs were led: 1 pair of"),
        ("show 2H", "That cannot be done now."),
        ("hello", "That is not a play in notation"),
    ]:
        page.locator("#cmd").fill(line)
        page.locator("#cmd").press("Enter")
        page.locator("#refused", has_text=said).wait_for()
    assert table.view == page.evaluate("tockTable.link.held.view")


def test_a_lead_of_several_suits_is_named_while_it_is_chosen(at):
    page, table = at("lead")
    hand = table.view["hand"]
    order = table.p.order
    from games.engine.cards import NUMBER

    first = hand[0]
    other = next(card for card in hand if order.suits[NUMBER[card]] != order.suits[NUMBER[first]])
    press(page, [first, other])
    assert page.locator("#shape").inner_text().startswith("Not one suit")
    page.locator("#go").click()
    assert "A lead is of one suit" in page.locator("#refused").inner_text()
    assert table.commands("play") == []


def test_a_throw_that_fails_is_shown_with_its_penalty(at):
    page, table = at("throw")
    line = failing(table.p)
    press(page, line.split(" ")[1:])
    assert page.locator("#go").inner_text() == f"Throw {len(line.split(' ')) - 1} cards"
    assert page.locator("#shape").inner_text().startswith("Throw of")
    page.locator("#go").click()
    failed = page.locator("#failed")
    failed.get_by_text("The throw fails").wait_for()
    back = table.view["failed"]["back"]
    assert f"{10 * len(back)} points pass to the other side" in failed.inner_text()
    assert page.evaluate("tockTable.player.chosen.size") == 0
    assert page.locator("#trick .trick-place-s .trick-cards .trick-card").count() == len(table.view["trick"][0])
    assert "The throw fails" in page.locator("#plays li").first.inner_text()


def test_a_finished_trick_stays_until_the_next_lead_and_can_be_called_back(at):
    page, table = at("last")
    page.locator("#cmd").fill(table.view["legal"][0])
    page.locator("#cmd").press("Enter")
    until(page, "tockTable.view.trick?.length === 0 || tockTable.view.phase !== 'play'")
    assert page.locator("#trick .trick-cards[role=img]").count() == 4
    assert page.locator("#trick .trick-place.win").inner_text().count("won the trick") == 1
    page.locator("#last-trick").click()
    assert page.locator("#dialog .tractor-last-trick li.win").count() == 1
    assert page.locator("#dialog .tractor-last-trick > li").count() == 4
    page.keyboard.press("Escape")
    assert page.locator("#dialog").is_hidden()


def test_shows_are_offered_exactly_when_they_count(at):
    page, table = at("show")
    for button in page.locator("#choices [data-show]").all():
        line = f"show 0: {button.get_attribute('data-show')}"
        assert (button.get_attribute("aria-disabled") is None) == (line in table.view["legal"])
    assert page.locator("#choices [data-show]").count() == 10
    page.locator("#pass").click()
    until(page, "tockTable.view.passed.includes(0)")
    assert table.commands("pass") == [{}]
    assert page.locator("#pass").get_attribute("aria-disabled") == "true"
    assert page.evaluate("document.activeElement.id") == "pass"


def test_a_pass_counts_while_an_event_is_still_being_shown(at):
    page, table = at("show")
    page.evaluate("() => { tockTable.enqueue(() => new Promise(() => {})); }")  # later events are not yet shown
    table.say(table.event("phrase", {}, table.view))
    until(page, "tockTable.waiting === 1")
    page.locator("#pass").click()
    until(page, "tockTable.link.held.view.passed.includes(0)")
    assert table.commands("pass") == [{}]


def test_a_show_is_made_and_stands(opened):
    p = found(lambda p: p.phase == "draw" and p.show is None and any("show 0:" in play.text for play in _shows(p)))
    table = EngineTable(p)
    page = opened(page_boot(p), table, template=TEMPLATE)
    until(page, JOINED)
    button = page.locator("#choices [data-show]:not([aria-disabled])").first
    cards = button.get_attribute("data-show")
    button.click()
    until(page, "Boolean(tockTable.view.show)")
    assert table.commands("show") == [{"cards": cards}]
    assert page.evaluate("document.activeElement.dataset.show") == cards
    assert page.locator("#standing").inner_text().count("Martine shows") == 1
    assert page.locator("#trick .trick-place-s .trick-cards .trick-card").count() == len(cards.split(" "))


def _shows(p):
    from games.engine.tractor.game import GAME

    return [play for play in GAME.legal_plays(p, 0) if play.text.startswith("show")]


def test_a_show_that_is_lost_keeps_the_keyboard_and_an_enter_does_nothing(opened):
    p = found(lambda p: p.phase == "draw" and p.show is None and any("show 0:" in play.text for play in _shows(p)))
    table = EngineTable(p)
    page = opened(page_boot(p), table, template=TEMPLATE)
    until(page, JOINED)
    button = page.locator("#choices [data-show]:not([aria-disabled])").first
    cards = button.get_attribute("data-show")
    button.focus()
    after = table.view | {"legal": [line for line in table.view["legal"] if cards not in line]}
    table.say(table.event("draw", {}, after))
    page.locator(f"#choices [data-show='{cards}'][aria-disabled=true]").wait_for()
    assert page.evaluate("document.activeElement.dataset.show") == cards
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    assert table.commands("show") == table.commands("pass") == []
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.key") not in (None, f"show:{cards}")


def test_choose_none_leaves_the_keyboard_at_the_button_that_plays(at):
    page, table = at("lead")
    press(page, table.view["hand"][:1])
    page.locator("#clear").focus()
    page.keyboard.press("Enter")
    assert page.locator("#clear").is_hidden()
    assert page.evaluate("document.activeElement.id") == "go"
    assert page.locator("#go").get_attribute("tabindex") == "0"
    page.locator("#hand button").first.focus()
    press(page, table.view["hand"][:1])
    assert page.locator("#choices button[tabindex='0']").evaluate_all("(all) => all.map((one) => one.id)") == ["go"]


def test_on_a_phone_a_refusal_lies_within_sight(at):
    page, table = at("pair", screen={"width": 360, "height": 740})
    cards, _pair = suit_cards(table.p)
    press(page, cards[:1])
    for top in (0, 9999):
        page.keyboard.press("Escape")
        press(page, cards[:1])
        page.evaluate("(top) => scrollTo(0, top)", top)
        page.locator("#go").click()
        box, bar = page.locator("#refused").bounding_box(), page.locator("#choices").bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= min(bar["y"] + 0.5, 740)


def test_cards_that_stay_on_the_table_come_in_once(at):
    page, table = at("draw")
    page.evaluate("() => { globalThis.before = [...document.querySelectorAll('#trick .trick-card')]; }")
    assert page.evaluate("before.length") > 0
    table.say(table.played("draw 4"))
    until(page, f"tockTable.view.left === {table.view['left']}")
    assert page.evaluate("before.every((card, i) => card === document.querySelectorAll('#trick .trick-card')[i])")


def test_tricks_are_counted_once_whatever_comes_late(at):
    page, _table = at("lead")
    count = """(events) => { const {story} = tockTable; story.clear();
        for (const event of [...events, ...events].reverse()) story.follow(event); return story.tricks ?? null; }"""
    deck = {"seq": 900, "k": "play", "d": {"play": "deck ??"}, "fx": []}
    won = [{"seq": 901 + i, "k": "play", "d": {"play": "play 5S"}, "fx": [["trick", i, 5]]} for i in range(3)]
    assert page.evaluate(count, [deck, *won]) == [2, 1]
    assert page.evaluate(count, won) is None


def test_the_second_copy_drawn_is_lifted_alone(js):
    ask = """(async () => { const {orderOf} = await import('/static/live/tractor/order.js');
        const hand = new m.Hand(document.createElement('div'), {toggle: () => {}});
        const at = {order: orderOf({rank: '2', suit: 'S'}), chosen: new Set(), may: false, follow: '', drawing: true};
        for (const cards of a[0]) hand.show({...at, cards});
        return [...hand.box.querySelectorAll('.fresh button')].map((one) => `${one.dataset.card}#${one.dataset.copy}`); })()"""
    assert js("tractor/hand.js", f"await {ask}", [["2H"], ["2H", "2H"]]) == ["2H#1"]
    assert js("tractor/hand.js", f"await {ask}", [["3H"], ["2H", "3H"]]) == ["2H#0"]


def test_eight_cards_are_buried_and_their_points_named(at):
    page, table = at("bury")
    hand = table.view["hand"]
    assert len(hand) == page.locator("#hand button").count() == 33
    assert page.locator("#talon .cardlet").count() == 8
    worth = {"K": 10, "10": 10, "5": 5}
    points = sum(worth.get(card[:-1], 0) for card in hand[:5])
    press(page, hand[:5])
    assert page.locator("#shape").inner_text() == f"5 of 8 chosen, {points} point{'s' * (points != 1)} in them"
    page.locator("#go").click()
    assert "Exactly 8 cards are buried." in page.locator("#refused").inner_text()
    assert table.commands("bury") == []
    for i in range(5, 8):
        copy = hand[:i].count(hand[i])
        page.locator(f"#hand button[data-card='{hand[i]}'][data-copy='{copy}']").click(position={"x": 8, "y": 12})
    page.locator("#go").click()
    until(page, "tockTable.view.phase === 'play'")
    assert [sorted(command["cards"].split(" ")) for command in table.commands("bury")] == [sorted(hand[:8])]
    assert page.locator("#buried .cardlet").count() == 8
    assert heading(page) == "Your lead"


def test_by_keyboard_alone(at):
    page, table = at("pair")
    _cards, pair = suit_cards(table.p)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.card") is not None
    for _ in range(6):  # down to the group of the suit led
        if page.evaluate("document.activeElement.closest('.tractor-group').classList.contains('playable')"):
            break
        page.keyboard.press("ArrowDown")
    chosen = 0
    for _ in range(26):
        if page.evaluate("document.activeElement.dataset.card") == pair:
            page.keyboard.press("Space")
            chosen += 1
            if chosen == 2:
                break
        page.keyboard.press("ArrowRight")
    assert page.locator("#hand [aria-pressed=true]").count() == 2
    for _ in range(6):
        if page.evaluate("document.activeElement.id") == "go":
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(page, "tockTable.view.turn !== 0 || tockTable.view.trick.length === 0")
    assert table.commands("play") == [{"play": f"play {pair} {pair}"}]


def test_cards_chosen_ahead_wait_for_the_own_turn(opened):
    p = found(lambda p: p.phase == "play" and p.turn == 3 and len(p.trick) == 1)
    table = EngineTable(p)
    page = opened(page_boot(p), table, template=TEMPLATE)
    until(page, JOINED)
    page.locator("#hand button").first.click(position={"x": 8, "y": 12})
    assert page.locator("#shape").inner_text().startswith("Chosen ahead")
    assert page.locator("#go").get_attribute("aria-disabled") == "true"
    page.locator("#go").click(force=True)
    assert table.commands("play") == []


def test_the_round_that_is_over_opens_the_talon_and_counts(at):
    page, table = at("ended")
    panel = page.locator("#round-end")
    previous = table.view["previous"]
    assert panel.locator(".cardlet").count() == 8
    assert str(previous["total"]) in panel.locator(".sum").inner_text()
    assert "starts the next round" in panel.inner_text()
    assert page.locator("#trick .trick-place.win").count() == 1


def test_a_game_that_is_over_names_winner_ranks_and_ways_on(at):
    page, _table = at("over")
    assert page.locator("#choices .result li").count() == 2
    assert page.locator("#choices .result li.winner").inner_text().count("past the ace") == 1
    assert page.locator("[data-key=replay]").count() == 1


def test_a_spectator_sees_the_table_and_no_hand(at):
    page, _table = at("pair", seat=None)
    assert page.locator("#hand").is_hidden()
    assert page.locator("#choices *").count() == 0
    assert page.locator("#trick .trick-cards .trick-card").count() > 0
    assert page.locator("#writing").is_hidden()


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_phone_needs_no_sideways_scroll_and_fingers_find_their_targets(at, name):
    page, _table = at(name, screen={"width": 360, "height": 740})
    assert overflow(page) <= 0
    small = page.evaluate(
        """() => [...document.querySelectorAll('#choices button, #choices a, #hand li, #last-trick')].filter((node) => {
        const box = node.getBoundingClientRect(); return box.width && (box.width < 43.5 || box.height < 43.5); })
        .map((node) => node.outerHTML.slice(0, 90))"""
    )
    assert small == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SITUATIONS)
def test_axe_finds_nothing(at, name, theme):
    from axe_playwright_python.sync_playwright import Axe

    page, table = at(name, color_scheme=theme, bypass_csp=True)
    if name in ("pair", "lead", "bury"):
        press(page, table.view["hand"][:2])
    page.wait_for_timeout(200)
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_one_heading_and_two_live_regions(at):
    page, _table = at("pair")
    assert page.locator("h1").count() == 1
    assert page.locator("[aria-live=polite]").count() == 1
    assert page.locator("[aria-live=assertive]").count() == 1
    regions = page.locator("[role=status],[role=alert]").evaluate_all("(all) => all.map((node) => node.id)")
    assert sorted(regions) == ["called", "said", "settings-said", "shape", "strip"]


def test_the_first_view_needs_no_script(js_site, chromium):
    p = situation("pair")
    address = js_site.show("table", page_boot(p), template=TEMPLATE)
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert page.locator("#hand svg.card").count() == len(page_boot(p)["snap"]["view"]["hand"])
    assert page.locator("#trick svg.card").count() == sum(len(texts(*cards)) for cards in p.trick)
    assert "of 80" in page.locator("#score").inner_text()
    context.close()
