"""Plays, places, refusals and headings in words (English, as no catalogue is loaded)."""

import pytest

from .harness import NAMES, VIEW

pytestmark = pytest.mark.browser

COMPANY = {"seats": 4, "teams": 2, "rules": "shawinigan/1", "names": NAMES, "me": 1}
BOOT = {"seats": 4, "teams": 2, "names": NAMES, "team_names": ["Les Draveurs", "Les Vieux Pieux"], "seat": 1}


def said(js, play, fx=(), seat=1, k="play", **detail):
    event = {"seq": 9, "k": k, "d": {"seat": seat, **({"play": play} if play else {}), **detail}, "fx": list(fx)}
    words = js("telling.js", "m.eventWords(a[0], a[1])", COMPANY, event)
    return words and words["text"]


@pytest.mark.parametrize(
    ("play", "fx", "text"),
    [
        ("KS out", [["out", 1, "t18"]], "Réjean brings a marble out."),
        ("KS out", [["out", 1, "t18"], ["eaten", 0, "t18"]], "Réjean brings a marble out. Martine’s marble is eaten."),
        ("KS out", [["out", 3, "t54"]], "Réjean brings out a marble of Yvon."),
        ("9C t30-t39", [["move", 1, "t30", "t39"], ["eaten", 2, "t39"]], "Réjean moves forward 9. Océane’s marble is eaten."),
        ("9C t3-t12", [["move", 1, "t3", "t12"], ["eaten", 1, "t12"]], "Réjean moves forward 9. It eats a marble of its own seat."),  # noqa: E501
        ("5C t24-t29", [["move", 2, "t24", "t29"]], "Réjean moves Océane’s marble forward 5."),
        ("4D t4-t0", [["move", 1, "t4", "t0"]], "Réjean moves back 4."),
        ("3C t13-h3", [["move", 1, "t14", "h3"]], "Réjean moves forward 6, into heaven."),
        ("3D t4-t43", [["move", 1, "t4", "t7"], ["jump", 1, "t7", "t43"]], "Réjean moves forward 3. It jumps to the opposite 7."),
        ("7S t57-t62 t21-t23", [["move", 1, "t57", "t62"], ["move", 1, "t21", "t23"]], "Réjean splits the 7: 5 and 2."),
        ("JD t29xt47", [["swap", 1, "t29", 3, "t47"]], "Réjean swaps a marble with Yvon."),
        ("10S skip", [["forced", 2]], "Réjean sacrifices the 10. Océane must burn a card."),
        ("burn 4C", [], "Réjean burns a card."),
        ("blind 7D", [], "Réjean burns a card at random: a penalty."),
        ("give ??", [], "Réjean gives a card."),
        ("give 9C", [["exchanged"]], "Réjean gives the 9 of clubs. The cards change hands."),
        ("JK t3-t21", [["move", 1, "t3", "t21"], ["drawn", 1]], "Réjean moves forward 18. Réjean draws a card and plays again."),
        ("deck ??", [["deck", 2], ["dealt", 5]], "A new deck is shuffled. Océane deals. New deal: 5 cards each."),
        ("2C h1-h3", [["move", 1, "h1", "h3"], ["home", 1], ["over", [1, 0]]],
         "Réjean moves forward 2, into heaven. Réjean has all four marbles in heaven! The game is over."),
    ],
)  # fmt: skip
def test_plays(js, play, fx, text):
    assert said(js, play, fx) == text


NAMES8 = ["Line", "Marcel", "Aline", "Rémi", "Jade", "Yves", "Carole", "Benoît"]
EIGHT = {"seats": 8, "teams": 4, "rules": "tock/1", "names": NAMES8, "me": 0}


@pytest.mark.parametrize(
    ("play", "fx", "text"),
    [
        ("KD t25-x25", [["move", 1, "t25", "x25"]], "Marcel goes into the centre by Marcel’s case 7."),
        ("KD x25-t7", [["move", 1, "x25", "t7"], ["eaten", 4, "t7"]],
         "Marcel comes out of the centre by Line’s case 7. Jade’s marble is eaten."),
        ("KD t25-x25", [["move", 5, "t25", "x25"]], "Marcel moves Yves’s marble into the centre by Marcel’s case 7."),
        ("KD x25-t7", [["move", 5, "x25", "t7"]], "Marcel moves Yves’s marble out of the centre by Line’s case 7."),
        ("throw", [["threw", 1, ["3C", "JD", "9S"]]],
         "Marcel throws in the whole hand: 3 of clubs, jack of diamonds and 9 of spades."),
        ("7C t20-t22 t30-t33 h1-h3", [["move", 1, "t20", "t22"], ["move", 1, "t30", "t33"], ["move", 1, "h1", "h3"]],
         "Marcel splits the 7: 2, 3 and 2 into heaven."),
        ("7C t20-t22 t30-t35", [["move", 5, "t20", "t22"], ["eaten", 1, "t21"], ["move", 5, "t30", "t35"]],
         "Marcel splits the 7 among Yves’s marbles: 2 and 5. It eats a marble of its own seat."),
        ("JD t20xt40", [["swap", 1, "t20", 1, "t40"]], "Marcel swaps two marbles of the same seat."),
        ("JD t20xt40", [["swap", 5, "t20", 5, "t40"]], "Marcel swaps two marbles of Yves."),
        ("10C t20-t30", [["move", 1, "t20", "t30"], ["forced", 2]], "Marcel moves forward 10. Aline must burn a card."),
        ("2C h1-h3", [["move", 1, "h1", "h3"], ["home", 1], ["left", 1]],
         "Marcel moves forward 2, into heaven. Marcel has all four marbles in heaven! Marcel’s cards go to the pile."),
    ],
)  # fmt: skip
def test_plays_of_the_larger_tables(js, play, fx, text):
    event = {"seq": 9, "k": "play", "d": {"seat": 1, "play": play}, "fx": fx}
    assert js("telling.js", "m.eventWords(a[0], a[1]).text", EIGHT, event) == text


@pytest.mark.parametrize(
    ("k", "detail", "text"),
    [
        ("resign", {}, "Marcel resigns; the site plays on for that seat."),
        ("resign", {"ranks": [0, 1, 1, 1]}, "Marcel resigns."),
        ("forfeit", {"teams": [1], "reason": "no_show"}, "Marcel – Yves are out of the game by forfeit."),
        ("forfeit", {"teams": [1], "reason": "no_show", "ranks": [0, 1, 0, 0]}, "The game is forfeited."),
        ("touch", {"marble": "x25"}, "Marcel touches a marble in the centre."),
        ("touch", {"marble": "r"}, "Marcel takes a marble of the reserve."),
    ],
)
def test_acts_of_the_larger_tables(js, k, detail, text):
    event = {"seq": 9, "k": k, "d": {"seat": 1, **detail}}
    assert js("telling.js", "m.eventWords(a[0], a[1]).text", EIGHT, event) == text


def test_a_play_without_facts_is_still_said(js):
    assert said(js, "9C t30-t39") == "Réjean moves forward 9."
    assert said(js, "JD t29xt47") == "Réjean swaps two marbles."


@pytest.mark.parametrize(
    ("k", "detail", "text"),
    [
        ("touch", {"card": "10S"}, "Réjean lays the 10 of spades."),
        ("touch", {"marble": "t26"}, "Réjean touches the marble on Réjean’s case 8."),
        ("ready", {}, None),
        ("give_sealed", {}, None),
        ("draw", {"dealer": 3}, "Yvon deals first."),
        ("timeout", {"n": 1}, "Réjean is out of time: the site plays."),
        ("credit", {"ms": 80_400, "why": "outage"}, "The site was down for 80 seconds: no clock ran meanwhile."),
        ("credit", {"ms": 1_000, "why": "outage"}, "The site was down for 1 second: no clock ran meanwhile."),
        ("credit", {"ms": 4_000, "why": "late"}, "The site was late: at least 20 seconds are left."),
        ("resign", {}, "Réjean resigns."),
        ("commit", {"root": "00"}, None),
        ("dispute", {}, "Réjean calls the referee."),
        ("freeze", {"by": "call"}, None),
        ("freeze", {"by": "referee"}, "A referee stops the game."),
        ("hold", {"until": 5}, "A referee takes the case."),
        ("hold", {"until": 5, "again": True}, None),
        ("free", {"until": 5}, "The referee no longer has the case: another one may take it."),
        ("mark", {"why": "no_referee"}, "No referee is on duty: the call is marked and play goes on."),
        ("mark", {"why": "unanswered"}, "Nobody came in time: play goes on, the case goes on after the game."),
        ("mark", {"why": "lapsed"}, "Nobody ruled in time: play goes on, the case goes on after the game."),
        ("resume", {"by": "referee"}, "Play goes on."),
        ("resume", {"by": "clock"}, None),
        ("penalty", {"penalty": "talk", "at": 3},
         "The referee rules: Réjean loses the next turn for talking, one card is burned blind."),
        ("touch", {"card": "10S", "by": "referee"}, "The referee rules: Réjean must play the 10 of spades."),
        ("touch", {"marble": "t26", "by": "referee"},
         "The referee rules: Réjean must play the marble on Réjean’s case 8."),
        ("warning", {"by": "referee"}, "The referee warns Réjean."),
        ("adjust", {"ms": 30_000, "by": "referee"}, "The referee gives 30 seconds to Réjean."),
        ("adjust", {"ms": -1_000, "by": "referee"}, "The referee takes 1 second from Réjean."),
        ("rewind", {"to": 7}, "The referee takes play back: the table stands as it stood before."),
        ("rewind", {"to": 7, "by": "seat", "plays": [4, 4]}, "Réjean takes the last play back."),
        ("rewind", {"to": 7, "by": "seat", "plays": [4, 7]}, "Réjean takes back: plays 4 to 7 do not count."),
        ("forfeit", {"teams": [1], "reason": "forfeit_ruling"}, "The referee rules: the game is forfeited."),
        ("forfeit", {"teams": [1], "reason": "no_show"}, "The game is forfeited."),
        ("seat_view", {}, "Réjean’s hand is opened to the referee."),
    ],
)  # fmt: skip
def test_acts(js, k, detail, text):
    assert said(js, "", k=k, **detail) == text


def test_a_hand_opened_to_the_referee_is_named_to_its_seat_only(js):
    words = js("telling.js", "m.eventWords(a[0], a[1])", COMPANY, {"seq": 9, "k": "seat_view", "d": {}})
    assert words["text"] == "A hand is opened to the referee."


@pytest.mark.parametrize(
    ("place", "owner", "text"),
    [
        ("t18", 1, "your case 18"),
        ("t26", 1, "your case 8"),
        ("t16", 1, "your pieu"),
        ("t34", 1, "Océane’s pieu"),
        ("t39", 2, "Océane’s case 3"),
        ("t0", 2, "Martine’s case 18"),
        ("h2", 1, "heaven, place 2"),
        ("h2", 3, "Yvon’s heaven, place 2"),
        ("r", 1, "your reserve"),
        ("r", 0, "Martine’s reserve"),
    ],
)
def test_places(js, place, owner, text):
    assert js("places.js", "m.placeWords(a[0], a[1], a[2])", COMPANY, place, owner) == text


def test_shared_first_names_are_given_in_full(js):
    names = ["Jean Roy", "Jean Cyr", "Lise Roy", "Guy"]
    assert js("names.js", "m.shortNames(a[0])", names) == ["Jean Roy", "Jean Cyr", "Lise", "Guy"]
    assert js("names.js", "[m.listed(['A']), m.listed(['A', 'B']), m.listed(['A', 'B', 'C'])]") == [
        "A",
        "A and B",
        "A, B and C",
    ]


def test_a_target_says_what_it_costs(js):
    def words(card, **target):
        full = {"eaten": [], "play": "x", "more": 0, "owner": 1, **target}
        return js("targets.js", "m.targetWords(a[0], a[1], a[2])", COMPANY, full, card)

    eat = words("9C", **{"from": "t30", "place": "t39", "kind": "eat", "eaten": [2]})
    assert eat == {"title": "Océane’s case 3", "detail": "9 steps, eats Océane"}
    heaven = words("10S", **{"from": "t10", "place": "h4", "kind": "heaven"})
    assert heaven == {"title": "Heaven, place 4", "detail": "10 steps, safe"}
    eight = words("8S", **{"from": "t18", "place": "t26", "kind": "move"})
    assert eight == {"title": "Your case 8", "detail": "8 steps, protected"}
    own = words("9C", **{"from": "t30", "place": "t39", "kind": "eat", "eaten": [1, 3]})
    assert own["detail"] == "9 steps, eats Yvon, eats your own marble"
    leg = words("7C", **{"from": "t30", "place": "t33", "kind": "move", "more": 4})
    assert leg["detail"] == "3 steps, then 4 more"
    back = words("4C", **{"from": "t30", "place": "t26", "kind": "move"})
    assert back["detail"] == "4 steps back, protected"
    swap = words("JC", **{"from": "t30", "place": "t39", "kind": "swap", "other": 2})
    assert swap == {"title": "Océane’s case 3", "detail": "changes places with Océane’s marble"}


def test_targets_of_the_centre_and_of_a_ten_that_moves_and_hits(js):
    def words(card, **target):
        full = {"eaten": [], "play": "x", "more": 0, "owner": 0, "kind": "move", **target}
        view = {"seats": 8, "count": [3, 0, 2, 2, 2, 2, 2, 2], "finished": []}
        if card == "10C":
            view["count"][1] = 2
        return js("targets.js", "m.targetWords(a[0], a[1], a[2], a[3])", EIGHT, full, card, view)

    into = words("KD", **{"from": "t7", "place": "x7"})
    assert into == {"title": "The centre", "detail": "a king brings it out again"}
    out = words("KD", **{"from": "x115", "place": "t25", "kind": "eat", "eaten": [3, 3]})
    assert out == {"title": "Marcel’s case 7", "detail": "out of the centre, eats Rémi"}
    assert words("10C", **{"from": "t7", "place": "t17"})["detail"] == "10 steps, Marcel burns a card"
    assert words("10D", **{"from": "t7", "place": "t17"})["detail"] == "10 steps"  # no cards left in that hand
    swap = words("JD", **{"from": "t7", "place": "t17", "kind": "swap", "other": 0})
    assert swap["detail"] == "changes places with the other marble"
    passing = words("7C", **{"from": "t138", "place": "h2", "kind": "heaven", "eaten": [2, 0], "more": 1})
    assert passing["detail"] == "6 steps, eats Aline, eats your own marble, safe, then 1 more"
    assert js("places.js", "m.whereWords(a[0], 'x25', 0)", EIGHT) == "the centre, in by Marcel’s case 7"


def test_whose_marbles_a_player_moves_is_said(js):
    marbles = {str(seat): ["r"] * 4 for seat in range(8)} | {"0": ["h1", "h2", "h3", "h4"]}
    view = {"seats": 8, "teams": 4, "phase": "play", "marbles": marbles}
    assert js("places.js", "m.sideWords(a[0], a[1])", EIGHT, view) == "Your four marbles are home: you move Jade’s."
    assert js("places.js", "m.sideWords(a[0], a[1])", {**EIGHT, "me": 1}, view) == ""
    assert js("places.js", "m.sideWords(a[0], a[1])", {**EIGHT, "teams": 8}, view) == ""


@pytest.mark.parametrize(
    ("teams", "seat", "ranks", "title"),
    [
        (4, 0, [0, 1, 2, 3], "Your team wins!"),
        (4, 0, [1, 0, 2, 3], "Marcel – Yves win"),
        (8, 0, [0, 1, 2, 3, 4, 5, 6, 7], "You win!"),
        (8, 0, [1, 0, 2, 3, 4, 5, 6, 7], "Marcel wins"),
        (2, 0, [1, 0], "The other team wins"),
        (8, None, [1, 0, 1, 1, 1, 1, 1, 1], "Marcel wins"),
    ],
)
def test_who_won_among_many(js, teams, seat, ranks, title):
    boot_ = {"seats": 8, "teams": teams, "names": NAMES8, "seat": seat}
    assert js("results.js", "m.outcome(a[0], a[1])", boot_, {"result": {"ranks": ranks}}) == title


def test_every_refusal_has_words(js):
    codes = [
        "stale_turn",
        "not_your_turn",
        "illegal",
        "frozen",
        "seat_lost",
        "rate",
        "too_late",
        "auth",
        "id_reused",
        "internal",
    ]
    texts = js("refusals.js", "a[0].map((code) => m.refusalWords({code}))", codes)
    assert all(texts)
    assert len(set(texts)) == len(codes)
    assert (
        js("refusals.js", "m.refusalWords({code: 'illegal', why: 'touched_marble'})")
        == "The marble you touched must be played."
    )
    assert js("refusals.js", "m.refusalWords({code: 'illegal', why: 'out'})") == "Your team is out of the game."
    assert js("refusals.js", "m.refusalWords({code: 'illegal', why: 'new_reason'})") == texts[2]


def test_headings(js):
    def title(view, stage="wait", seat=1, card="9C"):
        boot = {**BOOT, "seat": seat}
        return js("headings.js", "m.heading(a[0], a[1], a[2], {legs: [], card: a[3]})", boot, view, stage, card)

    assert title(VIEW, "card") == "Your turn: choose a card"
    assert title(VIEW, "target") == "Your turn: where do you release the marble?"
    assert title(VIEW, "target", card="JD") == "Your turn: swap it with which marble?"
    assert title(VIEW, seat=None) == "Réjean’s turn"
    assert title({**VIEW, "turn": 2}) == "Océane’s turn"
    assert title({**VIEW, "phase": "forced", "turn": 2}) == "Océane must burn a card"
    assert title({**VIEW, "phase": "forced", "legal": ["burn 9C"]}, "card") == "Your turn: you must burn a card"
    assert title({**VIEW, "phase": "joker"}, "card") == "Your turn again: play on with the same marble"
    assert title({**VIEW, "phase": "give", "legal": ["give 9C"]}, "card") == "Give a card to Yvon"
    assert title({**VIEW, "phase": "seating", "ready": [True, False, True, True]}) == "Are you ready?"
    assert title({**VIEW, "phase": "seating", "ready": [True, True, False, True]}) == "3 of 4 seats are ready"
    over = {**VIEW, "phase": "over", "result": {"ranks": [1, 0], "reason": "played"}}
    assert title(over) == "Your team wins!"
    assert title(over, seat=0) == "The other team wins"
    assert title(over, seat=None) == "Les Vieux Pieux win"


def test_why_a_game_ended_from_where_the_reader_sits(js):
    def said(reason, *, seat, ranks=(0, 1), teams=2):
        result = {"ranks": list(ranks), "reason": reason}
        return js("results.js", "m.reasonWords(a[0], a[1])", BOOT | {"seat": seat, "teams": teams}, {"result": result})

    assert said("played", seat=0) == ""
    for reason, own, other, seen in (
        ("resigned", "Your team resigned.", "The other team resigned.", "Les Vieux Pieux resigned."),
        (
            "no_show",
            "Your team forfeits: it was not complete in time.",
            "The other team forfeits: it was not complete in time.",
            "Les Vieux Pieux: forfeit, the team was not complete in time.",
        ),
        (
            "forfeit_ruling",
            "Your team forfeits by a ruling of the referee.",
            "The other team forfeits by a ruling of the referee.",
            "Les Vieux Pieux: forfeit by a ruling of the referee.",
        ),
        (
            "forfeit_timeouts",
            "Your team forfeits: too many time-outs.",
            "The other team forfeits: too many time-outs.",
            "Les Vieux Pieux: forfeit, too many time-outs.",
        ),
    ):
        assert (said(reason, seat=1), said(reason, seat=0), said(reason, seat=None)) == (own, other, seen)
        assert said(reason, seat=3, ranks=(1, 0)) == other
    assert said("annulled", seat=0) == "The game was annulled."
    # Nobody can tell from the result which of several teams ended it, or whether both stayed away.
    assert said("resigned", seat=0, ranks=(0, 1, 2, 3), teams=4) == "The game ended by a resignation."
    assert said("no_show", seat=0, ranks=(1, 1)) == "Forfeit: a team did not come."


def test_cards(js):
    assert js("cards.js", "['KS','10H','JK','AC'].map(m.cardWords)") == [
        "king of spades",
        "10 of hearts",
        "joker",
        "ace of clubs",
    ]


@pytest.mark.parametrize(
    ("rules", "seats", "effects"),
    [
        ("shawinigan/1", 4, "out · 1, any marble, can be split, 10 · burns, swaps, out · 13, out · 18"),
        ("tock-air/1", 4, "out · 1 · 11, forward 5, can be split, forward 10, swaps, out · 13, "),
        ("toc/1", 4, "out · 1 · 11, forward 5, can be split, 10 + burns, swaps, out · 13, "),
        ("tock/1", 4, "out · 1, forward 5, can be split, 10 + burns, swaps, out · 13, "),
        ("tock/1", 6, "out · 1, 5 · passes, can be split, 10 + burns, swaps, out · 13, out · 18"),
        ("tock/1", 8, "out · 1, 5 · passes, can be split, 10 + burns, swaps, out · 13\ncentre, out · 18"),
    ],
)
def test_a_card_says_what_it_does_under_each_rule_set(js, rules, seats, effects):
    words = "['AS', '5D', '7C', '10H', 'JS', 'KS', 'JK'].map((card) => m.effectWords(a[0], card)).join(', ')"
    assert js("cards.js", words, {"rules": rules, "seats": seats}) == effects.replace("\\n", "\n")
    assert js("cards.js", "m.effectWords(a[0], '9C')", {"rules": rules, "seats": seats}) == "forward 9"


def test_cards_with_their_article(js):
    assert js("cards.js", "['KS','10H','JK','AC'].map(m.theCard)") == [
        "the king of spades",
        "the 10 of hearts",
        "the joker",
        "the ace of clubs",
    ]


def test_french_drops_its_e_before_a_vowel(js):
    text = """(() => { const page = document.documentElement; page.lang = a[2];
        try { return m.fill(a[0], a[1]); } finally { page.lang = ''; } })()"""

    def fill(message, name, language="fr-ca"):
        return js("i18n.js", text, message, {"name": name}, language)

    assert fill("Au tour de %(name)s", "Océane") == "Au tour d’Océane"
    assert fill("Au tour de %(name)s", "Yvon") == "Au tour d’Yvon"
    assert fill("Au tour de %(name)s", "Martine") == "Au tour de Martine"
    assert fill("recule de %(name)s", "4") == "recule de 4"
    assert fill("Au tour de %(name)s", "Océane", "en") == "Au tour de Océane"
    assert fill("%(name)s joue, %(autre)s", "Yvon") == "Yvon joue, %(autre)s"
