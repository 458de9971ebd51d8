"""From the list of legal plays to the possible choices: cards, marbles, targets, legs of a seven, swaps, burns."""

import pytest

from . import presses
from .harness import VIEW

pytestmark = pytest.mark.browser


def view(legal, **more):
    return {**VIEW, "legal": legal, **more}


def choice(card="", laid=True, legs=(), marble=""):
    return {"decision": "0.412", "card": card, "laid": laid, "legs": list(legs), "marble": marble, "play": ""}


def leg(text):
    start, end = text.split("-")
    return {"from": start, "to": end}


def ways(targets):
    return [(t["from"], t["place"], t["kind"], t["play"]) for t in targets]


@pytest.mark.parametrize(
    ("text", "card", "kind", "legs"),
    [
        ("KS out", "KS", "out", [("r", "")]),
        ("9C t12-t21", "9C", "move", [("t12", "t21")]),
        ("5H t68-h3", "5H", "move", [("t68", "h3")]),
        ("7C t12-t15 t20-t24", "7C", "split", [("t12", "t15"), ("t20", "t24")]),
        ("JD t12xt40", "JD", "swap", [("t12", "t40")]),
        ("10S skip", "10S", "skip", []),
        ("JK t3-t21", "JK", "move", [("t3", "t21")]),
        ("burn 9C", "9C", "burn", []),
        ("blind 7D", "7D", "blind", []),
        ("give 10H", "10H", "give", []),
        ("give ??", "??", "give", []),
        ("throw", "", "throw", []),
        ("deck ??", "", "deck", []),
    ],
)
def test_notation(js, text, card, kind, legs):
    found = js("notation.js", "m.parsePlay(a[0])", text)
    assert (found["card"], found["kind"]) == (card, kind)
    assert [(one["from"], one["to"]) for one in found["legs"]] == legs


def test_cards_marbles_targets_of_a_plain_hand(js):
    assert js("choose.js", "m.asked(a[0])", VIEW) == "play"
    assert set(js("choose.js", "[...m.openCards(a[0])]", VIEW)) == {"10H", "4D", "9C", "KS"}
    marbles = js("choose.js", "m.marblesFor(a[0], 1, a[1])", VIEW, choice("9C"))
    assert marbles == [{"place": "t18", "owner": 1}, {"place": "t30", "owner": 1}]
    (target,) = js("choose.js", "m.targetsFor(a[0], 1, a[1])", VIEW, choice("9C", marble="t30"))
    assert (target["place"], target["kind"], target["eaten"], target["play"]) == ("t39", "eat", [2], "9C t30-t39")
    assert js("choose.js", "m.skipOf(a[0], a[1])", VIEW, choice("10H")) == "10H skip"
    assert js("choose.js", "m.skipOf(a[0], a[1])", VIEW, choice("9C")) == ""


def test_stages(js):
    ask = "m.stage(a[0], a[1])"
    assert js("choose.js", ask, view([]), choice()) == "wait"
    assert js("choose.js", ask, VIEW, choice(laid=False)) == "card"
    assert js("choose.js", ask, VIEW, choice("9C", laid=False)) == "lay"
    assert js("choose.js", ask, VIEW, choice("9C")) == "marble"
    assert js("choose.js", ask, VIEW, choice("9C", marble="t30")) == "target"
    assert js("choose.js", ask, VIEW, {**choice("9C"), "play": "9C t30-t39"}) == "confirm"


SEVENS = view(
    ["7C t18-t25", "7C t30-t37", "7C t18-t19 t30-t36", "7C t18-t20 t30-t35", "7C t18-t24 t30-t31"],
    hand=["7C"],
)


def test_a_seven_is_built_leg_by_leg_in_either_order(js):
    first = js("choose.js", "m.targetsFor(a[0], 1, a[1])", SEVENS, choice("7C", marble="t18"))
    assert ways(first) == [
        ("t18", "t25", "move", "7C t18-t25"),
        ("t18", "t19", "move", ""),
        ("t18", "t20", "move", ""),
        ("t18", "t24", "move", ""),
    ]
    assert [t["more"] for t in first] == [0, 6, 5, 1]
    # one leg is chosen: only the other marble remains, with the rest of the seven
    taken = js("choose.js", "m.take(a[0], a[1])", choice("7C", marble="t18"), first[2])
    assert (taken["legs"], taken["marble"], taken["play"]) == ([leg("t18-t20")], "", "")
    assert js("choose.js", "m.marblesFor(a[0], 1, a[1])", SEVENS, taken) == [{"place": "t30", "owner": 1}]
    last = js("choose.js", "m.targetsFor(a[0], 1, a[1])", SEVENS, {**taken, "marble": "t30"})
    assert ways(last) == [("t30", "t35", "move", "7C t18-t20 t30-t35")]
    assert js("choose.js", "m.take(a[0], a[1]).play", taken, last[0]) == "7C t18-t20 t30-t35"
    # the other marble first: the same play in the player's own order
    taken = js(
        "choose.js", "m.take(a[0], a[1])", choice("7C", marble="t30"), {"from": "t30", "place": "t35", "play": ""}
    )
    last = js("choose.js", "m.targetsFor(a[0], 1, a[1])", SEVENS, {**taken, "marble": "t18"})
    assert ways(last) == [("t18", "t20", "move", "7C t30-t35 t18-t20")]


def test_a_leg_that_eats_is_shown_on_the_board_of_the_next(js):
    seven = view(["7C t30-t33 t18-t22"], marbles={**VIEW["marbles"], "2": ["r", "r", "t33", "t54"]})
    laid = js("choose.js", "m.laidOut(a[0], 1, a[1])", seven, choice("7C", legs=[leg("t30-t33")]))
    assert laid["1"] == ["r", "r", "t18", "t33"]
    assert laid["2"] == ["r", "r", "r", "t54"]


def test_a_jack_takes_the_own_marble_then_the_other(js):
    jack = view(["JD t18xt39", "JD t18xt54", "JD t30xt39"], hand=["JD"])
    assert [m["place"] for m in js("choose.js", "m.marblesFor(a[0], 1, a[1])", jack, choice("JD"))] == ["t18", "t30"]
    targets = js("choose.js", "m.targetsFor(a[0], 1, a[1])", jack, choice("JD", marble="t18"))
    assert ways(targets) == [("t18", "t39", "swap", "JD t18xt39"), ("t18", "t54", "swap", "JD t18xt54")]
    assert [t["other"] for t in targets] == [2, 2]


def test_a_five_moves_anybodys_marble_into_its_owners_heaven(js):
    five = view(["5C t16-t21", "5C t30-t35", "5C t51-h3", "5C t51-t56"], hand=["5C"])
    marbles = js("choose.js", "m.marblesFor(a[0], 1, a[1])", five, choice("5C"))
    assert marbles == [{"place": "t16", "owner": 0}, {"place": "t30", "owner": 1}, {"place": "t51", "owner": 3}]
    targets = js("choose.js", "m.targetsFor(a[0], 1, a[1])", five, choice("5C", marble="t51"))
    assert [(t["place"], t["kind"], t["owner"]) for t in targets] == [("h3", "heaven", 3), ("t56", "move", 3)]


def test_coming_out_eats_what_stands_on_the_start(js):
    out = view(
        ["KS out"], marbles={**VIEW["marbles"], "1": ["r", "r", "t20", "t30"], "0": ["h4", "r", "t18", "t70"]}, fresh=[]
    )
    assert js("choose.js", "m.marblesFor(a[0], 1, a[1])", out, choice("KS")) == [{"place": "r", "owner": 1}]
    (target,) = js("choose.js", "m.targetsFor(a[0], 1, a[1])", out, choice("KS", marble="r"))
    assert (target["place"], target["kind"], target["eaten"], target["play"]) == ("t18", "eat", [0], "KS out")


def test_a_king_eats_on_its_way_but_not_on_a_case_8(js):
    marbles = {"0": ["t20", "t26", "r", "r"], "1": ["t18", "r", "r", "r"], "2": ["t31", "r", "r", "r"], "3": ["r"] * 4}
    king = view(["KS t18-t31"], marbles=marbles, fresh=[])
    (target,) = js("choose.js", "m.targetsFor(a[0], 1, a[1])", king, choice("KS", marble="t18"))
    assert target["eaten"] == [0, 2]


def test_a_jump_from_7_to_7_eats_at_both_ends(js):
    marbles = {"0": ["t25", "r", "r", "r"], "1": ["t22", "r", "r", "r"], "2": ["t61", "r", "r", "r"], "3": ["r"] * 4}
    three = view(["3C t22-t61"], marbles=marbles)
    (target,) = js("choose.js", "m.targetsFor(a[0], 1, a[1])", three, choice("3C", marble="t22"))
    assert (target["kind"], target["eaten"]) == ("eat", [0, 2])
    way = js("notation.js", "m.wayOf(a[0], 1, 't22', 't61')", three)
    assert way == {"path": ["t22", "t23", "t24", "t25"], "jump": "t61"}


def test_ways(js):
    way = "m.wayOf(a[0], a[1], a[2], a[3], a[4]).path"
    assert js("notation.js", way, VIEW, 1, "t2", "t70", True) == ["t2", "t1", "t0", "t71", "t70"]
    assert js("notation.js", way, VIEW, 0, "t69", "h2", False) == ["t69", "t70", "h1", "h2"]
    assert js("notation.js", way, VIEW, 0, "h1", "h3", False) == ["h1", "h2", "h3"]
    assert js("notation.js", way, VIEW, 0, "t71", "t1", False) == ["t71", "t0", "t1"]


def test_a_finished_seat_moves_its_partners_marbles(js):
    done = view(
        ["2C t54-t56", "KS out"], marbles={**VIEW["marbles"], "1": ["h1", "h2", "h3", "h4"]}, hand=["2C", "KS"], turn=1
    )
    done["marbles"]["3"] = ["r", "r", "r", "t54"]
    done["marbles"]["2"] = ["r", "r", "t39", "r"]
    assert js("notation.js", "m.sideOf(a[0], 1)", done) == 3
    assert js("choose.js", "m.marblesFor(a[0], 1, a[1])", done, choice("KS")) == [{"place": "r", "owner": 3}]
    (target,) = js("choose.js", "m.targetsFor(a[0], 1, a[1])", done, choice("KS", marble="r"))
    assert target["place"] == "t54"


@pytest.mark.parametrize(
    ("legal", "asked", "card", "handed"),
    [
        (["burn 3D", "burn 4C"], "burn", "4C", "burn 4C"),
        (["give 3D", "give 4C"], "give", "3D", "give 3D"),
        (["throw"], "throw", "", ""),
        (["9C t18-t27"], "play", "9C", ""),
    ],
)
def test_plays_that_are_only_a_card(js, legal, asked, card, handed):
    assert js("choose.js", "m.asked(a[0])", view(legal)) == asked
    assert js("choose.js", "m.handed(a[0], a[1])", view(legal), choice(card)) == handed


def test_a_jokers_replay_offers_the_followed_marble_alone(js):
    replay = view(["10H skip", "9C t36-t45", "JK t36-t54"], phase="joker", joker="t36", hand=["10H", "9C", "JK"])
    replay["marbles"] = {**VIEW["marbles"], "1": ["r", "r", "t18", "t36"]}
    assert js("choose.js", "m.marblesFor(a[0], 1, a[1])", replay, choice("9C")) == [{"place": "t36", "owner": 1}]
    assert js("choose.js", "m.skipOf(a[0], a[1])", replay, choice("10H")) == "10H skip"


EIGHT = {
    "rules": "tock/1",
    "seats": 8,
    "teams": 4,
    "fresh": [1],
    "count": [2, 1, 0, 1, 1, 1, 1, 1],
    "turn": 0,
    "decision": "0.412",
    "marbles": {
        "0": ["t7", "x115", "x43", "r"],
        "1": ["r", "r", "t18", "t25"],
        **{str(seat): ["r"] * 4 for seat in range(2, 8)},
    },
}


def test_a_king_goes_into_the_centre_and_out_of_it(js):
    king = {**EIGHT, "legal": ["KD out", "KD t7-t20", "KD t7-x7", "KD x115-t25", "KD x115-t61", "KD x43-t25"]}
    marbles = js("choose.js", "m.marblesFor(a[0], 0, a[1])", king, choice("KD"))
    assert [m["place"] for m in marbles] == ["r", "t7", "x115", "x43"]
    into = js("choose.js", "m.targetsFor(a[0], 0, a[1])", king, choice("KD", marble="t7"))
    assert ways(into) == [("t7", "t20", "move", "KD t7-t20"), ("t7", "x7", "move", "KD t7-x7")]
    out = js("choose.js", "m.targetsFor(a[0], 0, a[1])", king, choice("KD", marble="x115"))
    assert ways(out) == [("x115", "t25", "eat", "KD x115-t25"), ("x115", "t61", "move", "KD x115-t61")]
    assert [t["eaten"] for t in out] == [[1], []]
    assert js("notation.js", "m.wayOf(a[0], 0, 'x115', 't25').path", king) == ["x115", "t25"]


def test_two_own_marbles_change_places_whichever_is_picked_up_first(js):
    jack = {**EIGHT, "rules": "toc/1", "seats": 4, "teams": 2, "fresh": []}
    jack |= {"marbles": {"0": ["t7", "t40", "r", "r"], "1": ["t12", "r", "r", "r"], "2": ["r"] * 4, "3": ["r"] * 4}}
    jack["legal"] = ["JD t40xt12", "JD t7xt12", "JD t7xt40"]
    marbles = js("choose.js", "m.marblesFor(a[0], 0, a[1])", jack, choice("JD"))
    assert [m["place"] for m in marbles] == ["t40", "t7"]
    for place, other in (("t7", "t40"), ("t40", "t7")):
        targets = js("choose.js", "m.targetsFor(a[0], 0, a[1])", jack, choice("JD", marble=place))
        assert (place, other, "swap", "JD t7xt40") in ways(targets)
        assert (place, "t12", "swap", f"JD {place}xt12") in ways(targets)
    touched = {**jack, "legal": ["JD t7xt40"], "touched": {"card": "JD", "marble": "t40"}}
    assert js("choose.js", "m.settle(a[0], a[1]).marble", choice("JD"), touched) == "t40"


def test_an_ace_goes_one_or_eleven_or_comes_out(js):
    ace = {**EIGHT, "rules": "tock-air/1", "seats": 4, "teams": 2, "fresh": []}
    ace |= {"marbles": {"0": ["t7", "r", "r", "r"], "1": ["r"] * 4, "2": ["r"] * 4, "3": ["r"] * 4}}
    ace["legal"] = ["AH out", "AH t7-t18", "AH t7-t8"]
    targets = js("choose.js", "m.targetsFor(a[0], 0, a[1])", ace, choice("AH", marble="t7"))
    assert [t["place"] for t in targets] == ["t18", "t8"]


def test_a_leg_of_a_seven_eats_what_it_passes_where_the_sheet_says_so(js):
    marbles = {"0": ["t2", "t20", "r", "r"], "1": ["t4", "t21", "r", "r"], "2": ["t5", "r", "r", "r"], "3": ["r"] * 4}
    seven = {**EIGHT, "rules": "tock-air/1", "seats": 4, "teams": 2, "fresh": [], "marbles": marbles}
    seven["legal"] = ["7C t2-t9", "7C t2-t5 t20-t24", "7C t2-t3 t20-t26"]
    targets = js("choose.js", "m.targetsFor(a[0], 0, a[1])", seven, choice("7C", marble="t2"))
    assert {t["place"]: t["eaten"] for t in targets} == {"t9": [1, 2], "t5": [1, 2], "t3": []}
    laid = js("choose.js", "m.laidOut(a[0], 0, a[1])", seven, choice("7C", legs=[leg("t2-t5")]))
    assert laid == {"0": ["t5", "t20", "r", "r"], "1": ["r", "t21", "r", "r"], "2": ["r"] * 4, "3": ["r"] * 4}
    assert js("choose.js", "m.leftOver(a[0], 0, a[1])", seven, choice("7C", legs=[leg("t2-t5")])) == 4


def test_a_shared_seven_waits_for_its_release_and_is_undone_leg_by_leg(js):
    last = {"from": "t30", "place": "t35", "play": "7C t18-t20 t30-t35"}
    taken = js("choose.js", "m.take(a[0], a[1])", choice("7C", legs=[leg("t18-t20")]), last)
    assert (taken["play"], taken["legs"]) == ("7C t18-t20 t30-t35", [leg("t18-t20"), leg("t30-t35")])
    assert js("choose.js", "m.stage(a[0], a[1])", SEVENS, taken) == "confirm"
    undone = js("choose.js", "m.back(a[0], true)", taken)
    assert (undone["play"], undone["legs"]) == ("", [leg("t18-t20")])
    assert js("choose.js", "m.back(m.back(a[0], true), true)", undone) is None  # the touched card stays
    assert js("choose.js", "m.back(m.back(a[0], false), false).card", undone) == ""


def test_a_hand_that_must_be_thrown_in_is_one_step(js):
    thrown = {**EIGHT, "legal": ["throw"], "hand": ["3C", "JD"]}
    assert js("choose.js", "m.stage(a[0], a[1])", thrown, choice("", laid=False)) == "throw"
    assert js("choose.js", "m.typed(a[0], ' Throw ')", thrown) == "throw"


@pytest.mark.parametrize(("finished", "nexts"), [([], [1, 2, 0]), ([1, 2], [3, 3, 0])])
def test_a_ten_hits_the_next_seat_that_still_plays(js, finished, nexts):
    found = js("notation.js", "[0, 1, 7].map((seat) => m.nextSeat(a[0], seat))", {**EIGHT, "finished": finished})
    assert found == nexts


@pytest.mark.parametrize(
    ("teams", "home", "sides"),
    [(2, [0], [2, 1, 2]), (2, [0, 2], [4, 1, 4]), (4, [0], [4, 1, 2]), (8, [0], [0, 1, 2])],
)
def test_a_finished_seat_moves_the_next_teammates_marbles(js, teams, home, sides):
    marbles = {str(seat): ["h1", "h2", "h3", "h4"] if seat in home else ["r"] * 4 for seat in range(8)}
    view_ = {**EIGHT, "teams": teams, "marbles": marbles}
    assert js("notation.js", "[0, 1, 2].map((seat) => m.sideOf(a[0], seat))", view_) == sides


def test_the_pile_shows_two_cards_or_a_whole_hand_laid_down(js):
    grow = "m.grow(a[0], {pile: a[1]}, a[2])"
    play = {"set": {"pile": "9C"}, "fx": []}
    assert js("pile.js", grow, [], "9C", play) == ["9C"]
    assert js("pile.js", grow, ["3C", "4C"], "9C", play) == ["4C", "9C"]
    thrown = {"set": {"pile": "JD"}, "fx": [["threw", 1, ["3C", "9S", "JD"]]]}
    assert js("pile.js", grow, ["4C"], "JD", thrown) == [["3C", "9S", "JD"]]
    assert js("pile.js", grow, [["3C", "9S", "JD"]], "9C", play) == ["JD", "9C"]
    assert js("pile.js", "m.grow(a[0], {pile: 'JD'})", [["3C", "JD"]]) == [["3C", "JD"]]  # the same view again
    assert js("pile.js", "m.grow(a[0], {})", ["4C"]) == []


def test_what_a_touch_binds_is_taken_over_and_the_rest_forgotten(js):
    settle = "m.settle(a[0], a[1])"
    bound = view(["9C t30-t39"], touched={"card": "9C", "marble": "t30"})
    assert js("choose.js", settle, choice("", laid=False), bound) == choice("9C", marble="t30")
    # another decision: no choice is kept
    assert js("choose.js", settle, choice("KS"), {**VIEW, "decision": "0.500"}) == {
        **choice("", laid=False),
        "decision": "0.500",
    }
    # not my turn
    waiting = {key: value for key, value in VIEW.items() if key != "legal"}
    assert js("choose.js", settle, choice("KS"), waiting) == choice("", laid=False)
    # a seven: the marble of a chosen leg cannot be picked up again, the second touched one can
    seven = {**SEVENS, "touched": {"card": "7C", "marble": "t18", "marbles": ["t18", "t30"]}}
    assert js("choose.js", settle, choice("7C", legs=[leg("t18-t20")]), seven)["marble"] == "t30"


@pytest.mark.parametrize(
    ("text", "play"),
    [
        ("9C t30-t39", "9C t30-t39"),
        ("  9c   T30-T39 ", "9C t30-t39"),
        ("10h SKIP", "10H skip"),
        ("9C t30-t40", ""),
        ("", ""),
        ("hello", ""),
    ],
)
def test_typed_plays(js, text, play):
    assert js("choose.js", "m.typed(a[0], a[1])", VIEW, text) == play


def test_a_typed_seven_may_have_its_legs_the_other_way(js):
    assert js("choose.js", "m.typed(a[0], a[1])", SEVENS, "7c t30-t35 t18-t20") == "7C t30-t35 t18-t20"


def direct(js, view_, card, seat=1):
    return [(t["from"], t["place"]) for t in js("ways.js", f"m.direct(a[0], {seat}, a[1])", view_, choice(card))]


def test_a_place_is_pressed_at_once_where_one_marble_alone_goes(js):
    assert direct(js, VIEW, "9C") == [("t18", "t27"), ("t30", "t39")]
    # two marbles go there, or a marble stands there that could be meant
    five = view(["5C t16-t21", "5C t18-t23", "5C t23-t28", "5C t30-t35"], hand=["5C"])
    five["marbles"] = VIEW["marbles"] | {"0": ["h4", "r", "t16", "t23"]}
    assert direct(js, five, "5C") == [("t16", "t21"), ("t23", "t28"), ("t30", "t35")]
    jack = view(["JD t18xt39", "JD t30xt39", "JD t18xt54"], hand=["JD"])
    assert direct(js, jack, "JD") == [("t18", "t54")]
    assert direct(js, SEVENS, "7C") == []  # its marbles are picked up first
    heavens = view(["5C t49-h3", "5C t66-h3"], hand=["5C"])
    heavens["marbles"] = {"0": ["t66", "r", "r", "r"], "3": ["t49", "r", "r", "r"], "1": ["r"] * 4, "2": ["r"] * 4}
    assert direct(js, heavens, "5C") == [("t49", "h3"), ("t66", "h3")]  # not the same place


def test_a_card_of_many_plays_has_a_button_for_each_marble(js):
    def buttons(view_, chosen):
        found = js("ways.js", "m.ways(a[0], 1, a[1])", view_, chosen)
        return [f["target"]["play"] if "target" in f else (f["marble"]["place"], f["count"]) for f in found]

    assert buttons(VIEW, choice("9C")) == ["9C t18-t27", "9C t30-t39"]
    assert sorted(buttons(SEVENS, choice("7C"))) == [("t18", 4), ("t30", 4)]
    jacks = view([f"JD t18xt{at}" for at in (16, 39, 51, 54)] + ["JD t30xt16"], hand=["JD"])
    assert buttons(jacks, choice("JD")) == [("t18", 4), "JD t30xt16"]
    assert len(buttons(jacks, choice("JD", marble="t18"))) == 4


@pytest.mark.parametrize(
    ("legal", "marble", "play"),
    [
        (["9C t30-t39"], "", "9C t30-t39"),
        (["9C t30-t39", "9C t18-t27"], "", ""),
        (["9C t30-t39", "9C t18-t27"], "t18", "9C t18-t27"),
        (["9C t30-t35 t18-t22"], "", ""),
        (["burn 9C"], "", ""),
    ],
)
def test_the_only_play_of_a_card(js, legal, marble, play):
    assert js("ways.js", "m.onlyPlay(a[0], 1, a[1])", view(legal), choice("9C", marble=marble)) == play


def test_a_marble_names_the_cards_that_move_it(js):
    ask = "m.movable(a[0], 1).map(({ place, cards }) => [place, [...cards]])"
    mixed = view(["9C t18-t27", "KS t30-t7", "7C t18-t20 t30-t35", "burn 3D", "10H skip"])
    assert js("ways.js", ask, mixed) == [["t18", ["9C", "7C"]], ["t30", ["KS", "7C"]]]


def test_a_game_takes_little_more_than_two_presses_a_play(blank):
    """The whole-game figures are those of benchmarks/presses.py; here the choices of one game."""
    choices = list(presses.game("shawinigan/1", 4, 2, seed=1))
    old = [presses.before(line) for _, _, line in choices]
    free = presses.counted(blank.evaluate, choices)
    strict = presses.counted(blank.evaluate, choices, careful=True)
    assert len(choices) > 100
    assert min(free) >= 1
    assert sum(free) / len(free) <= 2.3
    assert sum(strict) / len(strict) <= 3
    assert all(new <= was for new, was in zip(free, old, strict=True))
