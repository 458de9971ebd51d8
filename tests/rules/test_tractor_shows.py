"""Tractor's rules page: drawing, showing, the talon, burying."""

from games.engine.game import SPECTATOR, Chance
from games.engine.tractor.game import GAME
from games.engine.tractor.round import Position
from tests.engine.tractor.tables import DRAWN, PASSED, after, at, cards, deck, refused
from tests.rules.sheets import sentence
from tests.rules.tractor import buried, drawn, later, new, played

HANDS = ("2xRJ 2H 2D", "2xBJ 2x2S", "2C 2H", "2C 2D")
TALON = "3C 4C 6C 7C 8C 9C JC QC"


def dealt(rules: str) -> Position:
    """Return round one, all drawn: red jokers and two singles, black jokers and a pair, singles, singles."""
    return drawn(rules, *HANDS, talon=TALON)


@sentence
def test_drawn_one_by_one(rules: str) -> None:
    p = after(new(rules), deck(*HANDS))
    for held in range(26):
        assert [p.count(seat) for seat in range(4)] == [held] * 4
        assert GAME.to_act(p) == (Chance("draw") if held < 25 else frozenset(range(4)))
        p = after(p, "draw 4") if held < 25 else p


@sentence
def test_eight_stay_in_the_talon(rules: str) -> None:
    p = dealt(rules)
    assert GAME.to_json(p)["talon"] == cards(TALON)
    for viewer in (0, 1, 2, 3, SPECTATOR):
        assert "talon" not in GAME.view(p, viewer)


@sentence
def test_who_draws_first(rules: str) -> None:
    for seat in range(4):
        p = new(rules, dealer=seat)
        assert after(p, deck("AS", drawer=seat), "draw 4").hand(0) == ["AS"]
        assert p.drawer == seat
    q = played(at("2H", "AS", "KS", "10S", "3S", captured=40, starter=2))
    assert (q.phase, q.starter, q.drawer) == ("deck", 0, 0)


@sentence
def test_show_from_the_first_card(rules: str) -> None:
    p = after(new(rules), deck("3C", "4C", "5C", "2D"))
    assert refused(p, "show 3: 2D") == "not_now"
    p = after(p, "draw 4", "show 3: 2D")
    assert (p.phase, GAME.to_json(p)["show"]) == ("draw", {"seat": 3, "cards": ["2D"]})
    assert refused(p, "show 0: 2C") == "NOT_IN_HAND"


@sentence
def test_a_single_of_the_rank(rules: str) -> None:
    for show, suit in (("show 0: 2H", "H"), ("show 0: 2D", "D"), ("show 2: 2C", "C")):
        assert GAME.to_json(after(dealt(rules), show, *PASSED))["trump"] == {"rank": "2", "suit": suit}
    assert refused(dealt(rules), "show 2: 3C") in ("NOT_A_SHOW", "NOT_IN_HAND")


@sentence
def test_a_pair_of_the_rank(rules: str) -> None:
    assert GAME.to_json(after(dealt(rules), "show 1: 2S 2S", *PASSED))["trump"] == {"rank": "2", "suit": "S"}
    assert refused(dealt(rules), "show 0: 2H 2D") == "NOT_A_SHOW"


@sentence
def test_a_pair_of_jokers(rules: str) -> None:
    for show in ("show 0: RJ RJ", "show 1: BJ BJ"):
        assert GAME.to_json(after(dealt(rules), show))["trump"] == {"rank": "2"}
    assert refused(drawn(rules, "RJ BJ"), "show 0: BJ RJ") == "NOT_A_SHOW"
    assert refused(dealt(rules), "show 0: RJ") == "NOT_A_SHOW"


@sentence
def test_a_show_must_be_stronger(rules: str) -> None:
    p = after(dealt(rules), "show 0: 2H")
    assert refused(p, "show 2: 2C") == "SHOW_TOO_WEAK"
    p = after(p, "show 1: 2S 2S")
    assert refused(p, "show 2: 2C") == "SHOW_TOO_WEAK"
    assert after(p, "show 0: RJ RJ").starter == 0


@sentence
def test_a_partner_may_override(rules: str) -> None:
    p = drawn(rules, "2H", "3C", "2x2S")
    assert after(p, "show 0: 2H", "show 2: 2S 2S", *PASSED).starter == 2
    assert after(drawn(rules, "2H", "2x2S"), "show 0: 2H", "show 1: 2S 2S", *PASSED).starter == 1


@sentence
def test_the_own_single_becomes_a_pair(rules: str) -> None:
    p = after(dealt(rules), "show 1: 2S", "show 1: 2S 2S")
    assert GAME.to_json(p)["show"] == {"seat": 1, "cards": ["2S", "2S"]}


@sentence
def test_the_own_show_stays_otherwise(rules: str) -> None:
    assert refused(after(dealt(rules), "show 1: 2S"), "show 1: BJ BJ") == "OWN_SHOW"
    assert refused(after(drawn(rules, "2H 2x2S"), "show 0: 2H"), "show 0: 2S 2S") == "OWN_SHOW"


@sentence
def test_jokers_are_the_last_word(rules: str) -> None:
    p = after(after(new(rules), deck(*HANDS)), *DRAWN[:4], "show 0: RJ RJ")
    assert refused(p, "show 1: BJ BJ") == "SHOW_TOO_WEAK"
    assert after(p, *DRAWN[4:]).phase == "bury"


@sentence
def test_the_window_closes(rules: str) -> None:
    p = after(dealt(rules), "show 0: 2H", "pass 3", "pass 1")
    # The seats for which the table passes when the time is up: those that may still act.
    assert GAME.to_act(p) == frozenset((0, 2))
    p = after(p, *(f"pass {seat}" for seat in sorted(GAME.to_act(p))))  # type: ignore[arg-type]
    assert p.phase == "bury"
    assert refused(p, "show 1: 2S 2S") == "not_now"
    early = after(after(new(rules), deck("2H")), "draw 4", "show 0: 2H", *PASSED)
    assert early.phase == "draw"


@sentence
def test_a_pass_is_no_promise(rules: str) -> None:
    p = after(dealt(rules), "pass 1", "show 1: 2S 2S")
    assert GAME.to_json(p)["show"]["seat"] == 1


@sentence
def test_a_show_takes_passes_back(rules: str) -> None:
    p = after(dealt(rules), "pass 1", "pass 2", "show 0: 2H")
    assert GAME.to_act(p) == frozenset(range(4))


@sentence
def test_the_last_show_makes_the_starter(rules: str) -> None:
    p = after(dealt(rules), "show 0: 2H", "show 1: 2S 2S", *PASSED)
    assert (p.starter, p.declarers, p.turn) == (1, 1, 1)


@sentence
def test_later_shows_only_name_the_suit(rules: str) -> None:
    p = after(later(rules, "9D", "3C", starter=1), "show 0: 9D", *PASSED)
    assert (p.starter, p.declarers, p.turn) == (1, 1, 1)
    assert GAME.to_json(p)["trump"] == {"rank": "9", "suit": "D"}


# --- nobody shows ----------------------------------------------------------------------------------------------------


@sentence
def test_no_show_in_round_one(rules: str) -> None:
    p = after(drawn(rules, drawer=3), *PASSED)
    assert p == new(rules, dealer=3)
    assert (GAME.to_act(p), p.drawer) == (Chance("deck"), 3)


@sentence
def test_no_show_later(rules: str) -> None:
    p = after(later(rules, talon="KD 2S 9C 9H 4S 5S 6S 7S"), *PASSED)
    assert GAME.to_json(p)["trump"] == {"rank": "9", "suit": "C"}
    assert GAME.to_json(p)["turned"] == ["KD", "2S", "9C"]


@sentence
def test_no_rank_in_the_talon(rules: str) -> None:
    p = after(later(rules, talon="QD RJ KS KH BJ 5S 6S 7S"), *PASSED)
    assert GAME.to_json(p)["trump"] == {"rank": "9", "suit": "S"}
    q = after(later(rules, talon="QD AC KS KH BJ 5S 6S 7S"), *PASSED)
    assert GAME.to_json(q)["trump"] == {"rank": "9", "suit": "C"}


# --- the talon -------------------------------------------------------------------------------------------------------


@sentence
def test_the_starter_takes_the_talon(rules: str) -> None:
    p = after(dealt(rules), "show 2: 2C", *PASSED)
    assert [p.count(seat) for seat in range(4)] == [25, 25, 33, 25]
    assert set(cards(TALON)) <= set(p.hand(2))


@sentence
def test_any_eight_go_down(rules: str) -> None:
    p = after(dealt(rules), "show 2: 2C", *PASSED)
    hand = p.hand(2)
    for first in (0, 9, 25):
        q = after(p, "bury " + " ".join(hand[first : first + 8]))
        assert q.hand(2) == hand[:first] + hand[first + 8 :]
    assert refused(p, "bury " + " ".join(hand[:7])) == "WRONG_COUNT"


@sentence
def test_what_is_buried_stays_hidden(rules: str) -> None:
    p = buried(after(dealt(rules), "show 2: 2C", *PASSED))
    assert len(GAME.view(p, 2)["buried"]) == 8
    for viewer in (0, 1, 3, SPECTATOR):
        assert "buried" not in GAME.view(p, viewer)
    q = played(at("2H", "9S", "KS", "10S", "3S", buried="5C KC"))
    for viewer in (0, 1, 2, 3, SPECTATOR):
        assert {"5C", "KC"} < set(GAME.view(q, viewer)["previous"]["buried"])


@sentence
def test_the_starter_leads(rules: str) -> None:
    p = buried(after(dealt(rules), "show 2: 2C", *PASSED))
    assert (p.phase, p.turn, p.leader) == ("play", 2, 2)
    assert refused(p, f"play {p.hand(3)[0]}", seat=3) == "not_your_turn"


# --- at the table, and in writing ------------------------------------------------------------------------------------


@sentence
def test_choosing_cards_does_not_bind(rules: str) -> None:
    p = at("2H", "AS KS 3D", "3S 4S 5S", "6S 8S 9S", "6D 8D 9D")
    assert list(GAME.narrow(p, card="AS")) == list(GAME.legal_plays(p))
    GAME.check(p, GAME.parse_play(p, "play 3D"))


@sentence
def test_house_rules_are_off(rules: str) -> None:
    p = at("2H", "2x9S 2x8S 3C 3D", "2xKS 2xQS 2x5S", "AS JS 10S 7D 8D 9D", "3H 4D 6D 7D 8C 9C")
    assert after(p, "play 9S 9S 8S 8S", "play KS KS 5S 5S").turn == 2
    q = after(at("7", "AS", "7S", "KS", "3S"), "play AS", "play 7S", "play KS", "play 3S")
    assert q.last is not None
    assert q.last.winner == 0


@sentence
def test_line_of_a_draw(rules: str) -> None:
    p = after(new(rules), deck())
    assert GAME.play_text(GAME.parse_play(p, "draw 4")) == "draw 4"
    assert sum(after(p, "draw 4").count(seat) for seat in range(4)) == 4


@sentence
def test_line_of_a_show(rules: str) -> None:
    p = drawn(rules, "3C", "3D", "2x2H")
    assert "show 2: 2H 2H" in [play.text for play in GAME.legal_plays(p, 2)]
    assert GAME.to_json(after(p, "show 2: 2H 2H"))["show"] == {"seat": 2, "cards": ["2H", "2H"]}


@sentence
def test_line_of_a_pass(rules: str) -> None:
    p = after(drawn(rules), "pass 2")
    assert GAME.to_act(p) == frozenset((0, 1, 3))


@sentence
def test_line_of_burying(rules: str) -> None:
    line = "bury 3C 4C 4D 6D 7S 8S 9H JH"
    p = after(drawn(rules, "2H 3C 4C 4D 6D 7S 8S 9H JH"), "show 0: 2H", *PASSED)
    assert GAME.to_json(after(p, line))["buried"] == cards(line.removeprefix("bury "))


@sentence
def test_line_of_a_play(rules: str) -> None:
    p = at("2H", "AS AS KS", "3S 4S 5S", "6S 8S 9S", "6D 8D 9D")
    assert GAME.to_json(after(p, "play AS AS KS"))["trick"] == [["AS", "AS", "KS"]]


@sentence
def test_letters_of_the_cards(rules: str) -> None:
    ranks = ("A", *map(str, range(2, 11)), "J", "Q", "K")
    assert set(deck().split()[1:]) == {rank + suit for rank in ranks for suit in "SHDC"} | {"RJ", "BJ"}
    assert after(drawn(rules, "2x2S"), "show 0: 2S 2S", *PASSED).suit == "CDHS".index("S")
