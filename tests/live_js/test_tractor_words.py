"""Tractor's table in words: shapes, duties, refusals, the story of a game, headings."""

import pytest

from .tractor_table import NAMES

pytestmark = pytest.mark.browser

COMPANY = {"seats": 4, "teams": 2, "rules": "tractor/1", "names": NAMES, "team_names": ["", ""]}
HEARTS = {"rank": "7", "suit": "H"}
ORDER = "(await import('/static/live/tractor/order.js')).orderOf(a[0])"
SHAPE = f"(await import('/static/live/tractor/shapes.js')).shapeOf({ORDER}, a[1])"


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ("QS", "queen of spades"),
        ("RJ", "red joker"),
        ("9S 9S", "pair of 9s of spades"),
        ("BJ BJ", "pair of black jokers"),
        ("8S 8S 6S 6S", "tractor of 2 pairs, 8 of spades high"),
        ("AH AH 7S 7S 7H 7H", "tractor of 3 pairs, 7 of hearts high"),
        ("KS KS QS JS", "throw of 4 cards: 1 pair and 2 single cards"),
        ("KS KS QS QS 9S", "throw of 5 cards: tractor of 2 pairs and 1 single card"),
    ],
)
def test_shapes_have_names(js, cards, text):
    assert js("tractor/cards.js", f"m.shapeWords({SHAPE})", HEARTS, cards.split()) == text


def test_cards_are_listed_with_pairs_together(js):
    assert js("tractor/cards.js", "m.cardsWords(a[0])", ["KS", "KS", "5S", "RJ"]) == (
        "pair of kings of spades, 5 of spades and red joker"
    )
    assert js("tractor/cards.js", "['RJ', 'BJ', 'KS'].map(m.theCard)") == [
        "the red joker",
        "the black joker",
        "the king of spades",
    ]
    assert js("tractor/cards.js", "[m.trumpWords({rank: '7'}), m.trumpWords({rank: '7', suit: 'H'})]") == [
        "no trump",
        "trumps: hearts, rank 7",
    ]
    assert js("tractor/cards.js", "[m.rankWords('K'), m.rankWords('won')]") == ["rank K", "past the ace"]


@pytest.mark.parametrize(
    ("lead", "hand", "heading", "panel"),
    [
        ("9S", "AS KD", "Follow spades", "1 card of spades must be played."),
        ("9S 9S", "AS KS QS", "Follow spades: 2 cards", "2 cards of spades must be played."),
        ("9S 9S", "AS KS KS", "Follow spades: a pair", "1 pair must be among them."),
        ("9S 9S 8S 8S", "AS KS KS QS 2S", "Follow spades: 4 cards, with 1 pair", "1 pair must be among them."),
        ("9S 9S", "AS KD QD", "Follow spades: your only one, and others", "You hold only 1 card of spades"),
        ("9S 9S 8S 8S", "AS KS QD JD 2D", "Follow spades: all 2 you hold, and others", "The other 2 cards are of your"),
        ("9S 9S", "KD QD", "No spades left: play any 2 cards", "Trumps of the same shape win over it"),
        ("7S", "7D RJ", "Follow trumps", "1 card of trumps must be played."),
        ("7S", "KD", "No trumps left: play any card", "You hold no trumps."),
    ],
)
def test_what_is_owed_is_told(js, lead, hand, heading, panel):
    ask = f"""(async () => {{ const {{owedTo}} = await import('/static/live/tractor/follow.js');
        const owed = owedTo({ORDER}, a[1], a[2]); return [m.followHeading(owed), m.owedWords(owed).join(' ')]; }})()"""
    found = js("tractor/words.js", f"await {ask}", HEARTS, lead.split(), hand.split())
    assert found[0] == heading
    assert panel in found[1]


def test_every_refusal_of_the_engine_has_a_sentence_of_its_own(js):
    codes = [
        "WRONG_COUNT", "NOT_IN_HAND", "MIXED_SUITS", "MUST_FOLLOW_SUIT", "MUST_PLAY_PAIRS", "MUST_PLAY_TRACTOR", "NOT_A_SHOW",
        "SHOW_TOO_WEAK", "OWN_SHOW", "not_now", "already_passed", "not_your_turn", "over", "bad_notation",
    ]  # fmt: skip
    ask = "a[0].map((why) => m.refusalWords({code: 'illegal', why}, {phase: 'play', rank: '7'}))"
    said = js("tractor/words.js", ask, codes)
    assert len(set(said)) == len(codes)
    assert js("tractor/words.js", "m.refusalWords({code: 'stale_turn'})").startswith("Too late")
    bury = "m.refusalWords({code: 'illegal', why: 'WRONG_COUNT'}, {phase: 'bury', talon: 8})"
    assert js("tractor/words.js", bury) == "Exactly 8 cards are buried."


@pytest.mark.parametrize(
    ("text", "phase", "kind", "args"),
    [
        ("as as", "play", "play", {"play": "play AS AS"}),
        ("play 10H, BJ", "play", "play", {"play": "play 10H BJ"}),
        ("2S 3S", "bury", "bury", {"cards": "2S 3S"}),
        ("bury 2S 3S", "bury", "bury", {"cards": "2S 3S"}),
        ("show 2: 2h 2h", "show", "show", {"cards": "2H 2H"}),
        ("show RJ RJ", "draw", "show", {"cards": "RJ RJ"}),
        ("pass 2", "show", "pass", {}),
        ("pass", "show", "pass", {}),
    ],
)
def test_typed_lines(js, text, phase, kind, args):
    assert js("tractor/player.js", "m.typedCommand(a[0], a[1])", text, phase) == {"kind": kind, "args": args}


@pytest.mark.parametrize("text", ["", "hello", "1S", "show", "bury", "JK"])
def test_text_that_is_not_a_line_is_not_sent(js, text):
    assert js("tractor/player.js", "m.typedCommand(a[0], 'play')", text) is None


def told(js, events):
    ask = "(() => { const story = new m.Story(a[0], {}); return a[1].map((event) => story.tell(event)?.text ?? null); })()"
    return js("tractor/telling.js", ask, COMPANY, events)


def event(play, *fx, seat=1, seq=5):
    return {"seq": seq, "k": "play", "d": {"seat": seat, "play": play}, "fx": list(fx)}


def test_the_story_of_a_round_is_told_from_its_deck_on(js):
    assert told(
        js,
        [
            {"seq": 1, "k": "draw", "d": {"dealer": 2, "cards": []}},
            event("deck ??", ["deck", 2]),
            event("draw 4", ["drawn", 96]),
            event("show 1: 7H"),
            event("show 0: 7S 7S", ["overridden", 1, ["7H"]], seat=0),
            event("pass 2", ["trumps", "7", "S"], ["talon", 0], seat=2),
            event("bury ??", ["buried", 0, 8], seat=0),
            event("play KC KC QC", ["failed", 0, ["QC"], ["KC", "KC"], 20], seat=0),
            event("play AC"),
            event("play 3C", seat=2),
            event("play 4C", ["trick", 1, 10], seat=3),
            event("play 9D 9D"),
        ],
    ) == [
        "Thanh draws first.",
        "The cards are shuffled; Thanh draws first.",
        None,
        "Mei shows the 7 of hearts.",
        "Martine shows a pair of 7s of spades. Mei’s show counts no more.",
        "Thanh passes. Trumps: spades, rank 7. Martine takes the talon.",
        "Martine buries eight cards.",
        "Martine leads: throw of 3 cards: 1 pair and 1 single card. The throw fails: somebody can beat queen of clubs, which is "
        "led instead. 2 cards go back to the hand (pair of kings of clubs); 20 points pass to the other side.",
        "Mei plays: ace of clubs.",
        "Thanh plays: 3 of clubs.",
        "Pierre plays: 4 of clubs. Mei wins the trick, with 10 points.",
        "Mei leads: pair of 9s of diamonds.",
    ]  # fmt: skip


def test_the_end_of_a_round_is_told(js):
    (text,) = told(js, [event("play AS", ["trick", 1, 0], ["buried_were", ["KS", "5S"], 30], ["round", 120, [0, 1], ["7", "3"]],
                              ["starter", 1])])  # fmt: skip
    assert text == (
        "Mei plays: ace of spades. Mei wins the trick. Buried were: king of spades and 5 of spades. They bring the opponents "
        "30 points. The round is over: the opponents have 120 points. Mei – Pierre climb 1 rank, to 3. Mei starts the next round."
    )
    (text,) = told(js, [event("play AS", ["round", 80, [0, 0], ["7", "2"]], ["over", [0, 1]])])
    assert (
        text
        == "Mei plays: ace of spades. The round is over: the opponents have 80 points. Nobody climbs. The game is over."
    )
    assert told(js, [event("play AS", ["round", 0, [3, 0], ["won", "2"]])])[0].endswith("climb past the ace.")


def test_nobody_shows(js):
    deal = event("draw 4", ["drawn", 0], ["redeal"])
    turned = event("pass 3", ["turned", ["4C", "7C"]], ["trumps", "7", "C"], ["talon", 2], seat=3)
    assert told(js, [deal, turned]) == [
        "Nobody showed: all cards are shuffled and dealt again.",
        "Pierre passes. Nobody showed, so the talon is turned: 4 of clubs and 7 of clubs. "
        "Trumps: clubs, rank 7. Thanh takes the talon.",
    ]


@pytest.mark.parametrize(
    ("view", "seat", "text"),
    [
        ({"phase": "draw"}, 0, "The cards are drawn"),
        ({"phase": "show", "passed": [1]}, 0, "Show trumps, or pass"),
        ({"phase": "show", "passed": [0, 1]}, 0, "Trumps are chosen: waiting for Thanh and Pierre"),
        ({"phase": "bury"}, 1, "Bury eight cards"),
        ({"phase": "bury"}, 0, "Mei takes the talon and buries eight cards"),
        ({"phase": "play", "trick": []}, 1, "Your lead"),
        ({"phase": "play", "trick": []}, 0, "Mei leads"),
        ({"phase": "play", "trick": [["AS"]]}, None, "Mei’s turn"),
        ({"phase": "deck"}, 0, "A new deck is shuffled"),
        ({"phase": "deck", "last": {}, "previous": {"round": 3}}, 0, "Round 3 is over"),
        ({"phase": "over", "result": {"ranks": [1, 0]}}, 1, "Your team wins!"),
        ({"phase": "play", "frozen": {"by": "referee"}}, 1, "The clocks are stopped"),
    ],
)
def test_headings(js, view, seat, text):
    boot = {**COMPANY, "seat": seat}
    assert js("tractor/words.js", "m.heading(a[0], {turn: 1, ...a[1]}, null)", boot, view) == text


def test_points_so_far_count_penalties_both_ways(js):
    view = {"declarers": 0, "captured": [40, 35], "paid": [20, 10]}
    assert js("tractor/felt.js", "m.pointsOf(a[0])", view) == 45
    assert js("tractor/felt.js", "m.pointsOf({declarers: 0}) === undefined") is True
