"""The browser's own check of a record agrees with the server's computation and with the one-file program."""

import json
import random

import pytest

from games import verifier as deal_verifier
from games.engine import shuffle
from games.services import deals as deals_service
from tests.games import alterations
from tests.games.drand import Drand
from tests.games.paper import SHAPES, Paper, played_on, random_game
from tests.games.test_deal_verifier import forged_beginnings

pytestmark = pytest.mark.browser

# The code of the first fault in each text, "" where there is none.
CODES = """a[0].map((text) => {
    try { m.check(text, a[1]); return ""; } catch (error) { return error.code ?? String(error); } })"""


def text(lines):
    return "\n".join(map(json.dumps, lines)) + "\n"


def refused(lines):
    try:
        deal_verifier.verify(map(json.dumps, lines))
    except deal_verifier.Bad:
        return True
    return False


def test_keys_decks_dealers_and_burns_agree_with_the_server(js):
    """A slice; `python -m tests.soak.deals` compares ten thousand."""
    roll, asked, want = random.Random(3), [], []
    for _ in range(60):
        seats, rules, size, jokers = roll.choice(
            [
                (4, "shawinigan/1", 54, "tock"),
                (4, "toc/1", 52, "tock"),
                (8, "tock/1", 108, "tock"),
                (4, "tractor/1", 108, "tractor"),
            ]
        )
        seed, d, shares = roll.randbytes(32), roll.randrange(2**32), [roll.randbytes(32) for _ in range(seats)]
        key = shuffle.deal_key(seed, "g7q2", d, shares)
        cards = shuffle.deck(key, size, jokers)
        dealer, drawn = shuffle.first_dealer(cards, seats)
        hand = [card for card in cards[: roll.randrange(1, 6)] if card not in ("BJ", "RJ")] or ["AS"]
        want.append([key.hex(), cards, dealer, [list(pair) for pair in drawn], shuffle.blind_card(key, d % 7, hand)])
        asked.append([seed.hex(), d, [share.hex() for share in shares], rules, seats, d % 7, hand])
    expression = """a[0].map(([seed, d, shares, rules, seats, burn, hand]) => {
        const key = m.keyOf(m.bytesOf(seed), "g7q2", d, shares.map(m.bytesOf));
        const cards = m.shuffled(key, m.pack(rules, seats));
        const {dealer, drawn} = m.firstDealer(cards, seats);
        return [m.hexOf(key), cards, dealer, drawn, m.blindOf(key, burn, hand)]; })"""
    assert js("deal/numbers.js", expression, asked) == want


def test_records_of_every_kind_of_table_are_accepted(js):
    games = [random_game(random.Random(f"js {shape}"), shape, plays=100) for shape in SHAPES]
    for shares, absent in (({}, False), ({1: bytes(32)}, False), ({1: bytes(32)}, True)):
        game = Paper(random.Random(9), SHAPES[0], shares=shares, beacon=Drand(), absent=absent)
        games.append(game.begin().play(30))
    texts = [text(game.lines()) for game in games]
    assert js("deal/check.js", CODES, texts, 64) == [""] * len(texts)
    found = js("deal/check.js", "a[0].map((text) => m.check(text))", texts)
    for told, game in zip(found, games, strict=True):
        opened = [share.hex() if seat not in game.withheld else None for seat, share in sorted(game.given.items())]
        assert [told["shares"][seat] for seat in sorted(game.given)] == opened
        assert (told["decks"], told["withheld"]) == (game.state.decks, sorted(game.withheld))
        lit = game.state.shares.beacon
        said = told["beacon"] and (told["beacon"]["round"], told["beacon"]["randomness"], told["beacon"]["early"])
        assert said == (lit and (lit.round, lit.randomness.hex(), False))


def test_games_that_begin_at_a_position_are_judged_as_by_the_program(js):
    games = [played_on(random.Random(f"js on {shape}"), shape).lines() for shape in SHAPES[:-1]]
    forged = [lines for game in games[:3] for lines in forged_beginnings(game)]
    assert js("deal/check.js", CODES, [text(lines) for lines in games], 64) == [""] * len(games)
    assert [bool(code) for code in js("deal/check.js", CODES, [text(lines) for lines in forged], 64)] == [True] * len(
        forged
    )
    assert all(
        one["begun"] for one in js("deal/check.js", "a[0].map((text) => m.check(text))", [text(g) for g in games])
    )


def test_altered_and_forged_records_are_refused_by_both(js):
    roll = random.Random(5)
    shares = {0: roll.randbytes(32), 2: roll.randbytes(32), 3: roll.randbytes(32)}
    game = Paper(roll, SHAPES[0], shares=shares, withheld=[3], beacon=Drand())
    lines = game.begin().play(75, penalties=0.15, rewinds=0.1).lines()
    every = [*alterations.single(lines), *alterations.forged(lines)]
    tried = random.Random(2).sample(every, 60)
    codes = js("deal/check.js", CODES, [text(altered) for _what, altered in tried], 64)
    for (what, altered), code in zip(tried, codes, strict=True):
        assert (refused(altered), bool(code)) == (True, True), what
        assert "Error" not in code, code


def test_what_a_browser_saw_of_the_beacon_is_compared_with_the_record(js):
    beacon = {"round": 7, "published": 5000, "randomness": "ab", "early": False, "chain": {}}
    seen = {"acked": True, "opened": 4000, "round": 7, "settled": 4999, "withheld": [2]}
    tried = [
        (beacon, [None, seen], 0),
        (None, [seen], 0),
        (beacon | {"randomness": ""}, [seen], 1),
        (beacon | {"early": True}, [None], 1),
        (beacon, [seen | {"round": 8}], 1),
        (beacon, [seen | {"opened": 5000}], 1),
        (beacon, [seen | {"settled": 5000}], 1),
        (beacon, [seen | {"settled": None}], 1),
        (beacon, [seen | {"withheld": []}], 1),
        (beacon, [{"acked": True}], 0),  # a game of before
    ]
    for found, given, count in tried:
        assert len(js("deal/panel.js", "m.beaconFaults({beacon: a[0], withheld: [2]}, a[1])", found, given)) == count, (
            found,
            given,
        )


def test_seeds_after_the_first_root_follow_from_it(js, monkeypatch):
    monkeypatch.setattr(deals_service, "DEALS", 4)
    shape = ("tock/1", 4, 2, False)
    right = Paper(random.Random(8), shape, shares={1: bytes(range(32))}).begin().play(300)
    assert right.state.decks > 4
    monkeypatch.setattr(shuffle, "later_secret", lambda secret, d, size: bytes([d]) * size)
    wrong = Paper(random.Random(8), shape, shares={1: bytes(range(32))}).begin().play(300)
    texts = [text(right.lines()), text(wrong.lines())]
    assert js("deal/check.js", CODES, texts, 4) == ["", "later_seed"]
