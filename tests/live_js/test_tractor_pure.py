"""Tractor's order, shapes and duties in the browser compared with the engine's, on many random sets of cards."""

import random

import pytest

from games.engine.cards import TEXTS
from games.engine.tractor import follow, order, shapes
from games.engine.tractor.order import TRUMP
from games.engine.tractor.plays import masks, texts
from games.engine.tractor.rules import DECK, RANKS, SUITS

pytestmark = pytest.mark.browser

SETS = 400  # for each of the trumps tried
TRUMPS = [(0, 2), (5, 3), (12, 0), (8, 1), (3, None)]


def wire(rank, suit):
    return {"rank": RANKS[rank]} | ({} if suit is None else {"suit": SUITS[suit]})


def suit_letter(e):
    return "T" if e == TRUMP else SUITS[e]


def drawn(dice, count):
    """Return some cards of the two packs; sometimes of few suits, so that pairs and tractors occur."""
    pack = list(DECK)
    if dice.random() < 0.7:
        few = set(dice.sample(sorted(set(pack)), dice.randint(6, 16)))
        pack = [card for card in pack if card in few]
    return dice.sample(pack, min(count, len(pack)))


@pytest.mark.parametrize("keeps_rank", [False, True])
@pytest.mark.parametrize(("rank", "suit"), TRUMPS)
def test_suits_and_levels_are_the_engines(js, rank, suit, keeps_rank):
    held = order.order(rank, suit, keeps_rank=keeps_rank)
    cards = sorted(set(DECK))
    ask = "((o) => a[2].map((card) => [o.suitOf(card), o.levelOf(card)]))(m.orderOf(a[0], a[1]))"
    found = js("tractor/order.js", ask, wire(rank, suit), keeps_rank, [TEXTS[k] for k in cards])
    assert found == [[suit_letter(held.suits[k]), held.levels[k]] for k in cards]


@pytest.mark.parametrize("keeps_rank", [False, True])
@pytest.mark.parametrize(("rank", "suit"), TRUMPS)
def test_shapes_are_the_engines(js, rank, suit, keeps_rank):
    dice, held = random.Random(f"{rank}{suit}"), order.order(rank, suit, keeps_rank=keeps_rank)
    sets, expected = [], []
    for _ in range(SETS):
        cards = drawn(dice, dice.randint(1, 14))
        if dice.random() < 0.5:  # enough pairs of one suit that some are consecutive
            mask = held.masks[held.suits[cards[0]]]
            kinds = [k for k in sorted(set(DECK)) if mask >> k & 1]
            cards = dice.sample(kinds, min(len(kinds), dice.randint(2, 8))) * 2 + cards[:1]
            cards = [card for i, card in enumerate(cards) if cards[:i].count(card) < 2]
        one, two = masks(cards)
        if dice.random() < 0.8:  # of one effective suit, as leads are
            mask = held.masks[held.suits[cards[0]]]
            one, two = one & mask, two & mask
        sets.append(texts(one, two))
        found = shapes.shape(held, one, two)
        parts = found and [
            [part.pairs, part.top, sorted(TEXTS[k] for k in shapes.cards_of(held, part))] for part in found.parts
        ]
        expected.append(found and [suit_letter(found.suit), found.size, found.pairs, parts])
    ask = """(async () => { const {orderOf} = await import('/static/live/tractor/order.js'); const o = orderOf(a[0], a[1]);
        return a[2].map((cards) => { const s = m.shapeOf(o, cards);
            return s && [s.suit, s.size, s.pairs, s.parts.map((p) => [p.pairs, p.top, [...p.cards].sort()])]; }); })()"""
    assert js("tractor/shapes.js", f"await {ask}", wire(rank, suit), keeps_rank, sets) == expected
    assert sum(bool(one) and any(part[0] > 1 for part in one[3]) for one in expected) > SETS / 8


@pytest.mark.parametrize("duty", [False, True])
@pytest.mark.parametrize(("rank", "suit"), TRUMPS)
def test_follows_are_judged_as_the_engine_judges_them(js, rank, suit, duty):
    dice, held = random.Random(f"{rank}{suit}{duty}"), order.order(rank, suit)
    cases, expected = [], []
    while len(cases) < SETS:
        lead_cards = drawn(dice, dice.randint(1, 10))
        lead_one, lead_two = masks(lead_cards)
        mask = held.masks[held.suits[lead_cards[0]]]
        lead = lead_one & mask, lead_two & mask
        led = shapes.shape(held, *lead)
        pack = list(DECK)
        for card in [k for k in lead_cards if mask >> k & 1]:
            pack.remove(card)
        hand = dice.sample(pack, dice.randint(5, 25))
        if dice.random() < 0.6:  # a hand that is long in the suit
            hand += [card for card in pack if mask >> card & 1][: dice.randint(0, 12)]
            hand = hand[:40]
        while any(hand.count(card) > 2 for card in hand):
            hand.remove(next(card for card in hand if hand.count(card) > 2))
        held_cards = masks(hand)
        play = dice.sample(hand, min(len(hand), led.size + (dice.random() < 0.1)))
        if dice.random() < 0.3:  # the suit in the correct order, with pairs split first
            play = sorted(hand, key=lambda card: (held.suits[card] != led.suit, hand.count(card), card))[: led.size]
        elif dice.random() < 0.7:
            play = sorted(hand, key=lambda card: (held.suits[card] != led.suit, -hand.count(card), card))[: led.size]
        if dice.random() < 0.1:
            play[0] = dice.choice(DECK)
        if any(play.count(card) > 2 for card in play):
            continue
        cases.append([[*texts(*lead)], [TEXTS[k] for k in hand], [TEXTS[k] for k in play]])
        expected.append(follow.judge(held, led, held_cards, masks(play), tractor_duty=duty))
    ask = """(async () => { const {orderOf} = await import('/static/live/tractor/order.js'); const o = orderOf(a[0]);
        return a[2].map(([lead, hand, play]) => m.follows(o, lead, hand, play, a[1]) || 'OK'); })()"""
    assert js("tractor/follow.js", f"await {ask}", wire(rank, suit), duty, cases) == expected
    assert {"OK", "WRONG_COUNT", "NOT_IN_HAND", "MUST_FOLLOW_SUIT", "MUST_PLAY_PAIRS"} <= set(expected)


def test_a_lead_of_several_suits_is_named(js):
    ask = """(async () => { const {orderOf} = await import('/static/live/tractor/order.js');
        const o = orderOf({rank: '2', suit: 'H'});
        return a[0].map((cards) => m.leads(o, a[1], cards)); })()"""
    hand = ["2S", "2H", "RJ", "KS", "KS", "AD"]
    plays = [["2S", "2H", "RJ"], ["KS", "2S"], ["KS", "KS"], ["KS", "AD"], [], ["AD", "AD"]]
    expected = ["", "MIXED_SUITS", "", "MIXED_SUITS", "WRONG_COUNT", "NOT_IN_HAND"]
    assert js("tractor/follow.js", f"await {ask}", plays, hand) == expected


def test_a_hand_is_sorted_by_effective_suit(js):
    hand = ["2C", "2H", "3H", "AS", "BJ", "KS", "KS", "RJ", "10D", "2C"]
    ask = "m.groupsOf(m.orderOfView(a[0]), a[1]).map(({suit, cards}) => [suit, cards.join(' ')])"
    trump = {"trump": {"rank": "2", "suit": "H"}, "ranks": ["2", "2"]}
    assert js("tractor/order.js", ask, trump, hand) == [["T", "RJ BJ 2H 2C 2C 3H"], ["S", "AS KS KS"], ["D", "10D"]]
    drawing = {"ranks": ["2", "5"], "declarers": 0}
    assert js("tractor/order.js", ask, drawing, hand) == [
        ["T", "RJ BJ 2H 2C 2C"],
        ["S", "AS KS KS"],
        ["H", "3H"],
        ["D", "10D"],
    ]
    assert js("tractor/order.js", "m.pointsIn(a[0])", hand) == 30
