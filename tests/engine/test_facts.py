"""Facts: the effects of a play, in order, as the table animates them."""

from games.engine.tock import facts
from games.engine.tock.game import GAME
from tests.boards import after, at, new
from tests.engine.test_2_deals import DECK


def fx(p, line: str):  # type: ignore[no-untyped-def]
    return GAME.fx(p, GAME.parse_play(p, line))


def test_out_forward_back_home_and_swap() -> None:
    p = at(marbles="0: t70 h2 / 1: t0 / 2: t30", hands="0: KS AS 4C JD 2H")
    assert fx(p, "KS out") == [["out", 0, "t0"], ["eaten", 1, "t0"]]
    assert fx(p, "4C t70-t66") == [["move", 0, "t70", "t66"]]
    assert fx(p, "AS t70-h1") == [["move", 0, "t70", "h1"]]
    assert fx(p, "2H h2-h4") == [["move", 0, "h2", "h4"]]
    assert fx(p, "JD t70xt30") == [["swap", 0, "t70", 2, "t30"]]


def test_each_leg_of_a_seven_with_its_own_effects() -> None:
    p = at(marbles="0: t4 t30 / 1: t7 / 2: t34 / 3: t43", hands="0: 7C")
    assert fx(p, "7C t4-t43 t30-t34") == [
        ["move", 0, "t4", "t7"], ["eaten", 1, "t7"], ["jump", 0, "t7", "t43"], ["eaten", 3, "t43"],
        ["move", 0, "t30", "t34"], ["eaten", 2, "t34"],
    ]  # fmt: skip


def test_a_five_names_the_owner_of_the_marble() -> None:
    assert fx(at(marbles="3: t50", hands="0: 5S"), "5S t50-h3") == [["move", 3, "t50", "h3"]]


def test_a_partners_marble_is_moved_in_the_partners_name() -> None:
    p = at(marbles="0: h1 h2 h3 h4 / 2: t40", hands="0: 9C KS")
    assert fx(p, "9C t40-t49") == [["move", 2, "t40", "t49"]]
    assert fx(p, "KS out") == [["out", 2, "t36"]]


def test_deck_exchange_and_the_next_deal() -> None:
    assert fx(new(dealer=2), DECK) == [["deck", 2], ["dealt", 5]]
    p = after(new(), DECK)
    for seat in range(3):
        line = GAME.legal_plays(p)[0].text
        assert fx(p, line) == []
        p = after(p, line)
        assert p.turn == seat + 1
    assert fx(p, GAME.legal_plays(p)[0].text) == [["exchanged"]]
    last = at(hands="0: 9C / 1: / 2: / 3:", deal=1)
    assert fx(last, "burn 9C") == [["dealt", 4]]
    assert fx(at(hands="0: 9C / 1: / 2: / 3:", deal=2), "burn 9C") == []


def test_burns_are_facts_that_the_line_already_tells() -> None:
    p = at(hands="0: 9C")
    play = GAME.parse_play(p, "burn 9C")
    assert GAME.facts(p, play) == (facts.CardBurned(0, "9C"),)
    assert GAME.fx(p, play) == []


def test_computing_facts_changes_nothing() -> None:
    p = at(marbles="0: t30 / 1: t39", hands="0: 9C")
    before = GAME.to_json(p)
    fx(p, "9C t30-t39")
    assert GAME.to_json(p) == before
