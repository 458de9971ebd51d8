"""Rulebook T8: the two house rules, off in `tractor/1`, each switched on by one field in a rule set of its own."""

import pytest

from games.engine import registry
from games.engine.errors import IllegalPlay
from games.engine.tractor.game import GAME
from games.engine.tractor.rules import Band, TractorRules

from .tables import DRAWN, RULES, after, at, deck, new, refused

STRICT = TractorRules(id="tractor-strict/1", tractor_duty=True)
KEEPS = TractorRules(id="tractor-keeps/1", no_trump_keeps_rank=True)


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the house variants like files of the folder."""
    known = registry.entries()
    found = dict(known) | {rules.id: registry.Entry(rules, GAME) for rules in (STRICT, KEEPS)}
    monkeypatch.setattr(registry, "entries", lambda: found)


def test_both_are_off_in_the_rule_set_of_the_sheet() -> None:
    assert (RULES.tractor_duty, RULES.no_trump_keeps_rank) == (False, False)


# --- a tractor for a tractor -----------------------------------------------------------------------------------------

LED = ("2x9S 2x8S 3C 3D", "2xKS 2xQS 2x5S", "AS JS 10S 7D 8D 9D", "3H 4D 6D 7D 8C 9C")


def test_a_tractor_led_is_answered_with_a_tractor_where_one_is_held() -> None:
    strict = after(at("2H", *LED, rules=STRICT), "play 9S 9S 8S 8S")
    assert refused(strict, "play KS KS 5S 5S") == "MUST_PLAY_TRACTOR"
    with pytest.raises(IllegalPlay, match="play: a tractor of 2 pairs of spades owed"):
        GAME.apply(strict, GAME.parse_play(strict, "play KS KS 5S 5S"))
    assert after(strict, "play KS KS QS QS").turn == 2
    assert after(after(at("2H", *LED), "play 9S 9S 8S 8S"), "play KS KS 5S 5S").turn == 2


def test_without_a_tractor_pairs_are_owed_and_no_more() -> None:
    p = at("2H", "2x9S 2x8S", "2xKS 2x5S", "AS JS 10S 7D", "3H 4D 6D 7D", rules=STRICT)
    assert after(p, "play 9S 9S 8S 8S", "play KS KS 5S 5S").turn == 2


def test_a_shorter_tractor_is_owed_to_a_longer_one() -> None:
    hands = ("2x9S 2x8S 2x7S", "2xKS 2xQS 2x5S 2x3S", "AS JS 10S 7D 8D 9D", "3H 4D 6D 7D 8C 9C")
    p = at("2H", hands[0] + " 3C 4C", hands[1], hands[2] + " 3C 4C", hands[3] + " 5C 6C", rules=STRICT)
    p = after(p, "play 9S 9S 8S 8S 7S 7S")
    assert refused(p, "play KS KS 5S 5S 3S 3S") == "MUST_PLAY_TRACTOR"
    assert after(p, "play KS KS QS QS 3S 3S").turn == 2


def test_a_tractor_may_be_cut_out_of_a_longer_one_and_nothing_is_owed_to_a_pair() -> None:
    hands = ("2x9S 2x8S", "2xKS 2xQS 2xJS", "AS 10S 7D 8D 9D 10D", "3H 4D 6D 7D 8C 9C")
    p = at("2H", hands[0] + " 3C 4C", hands[1], hands[2], hands[3], rules=STRICT)
    assert after(p, "play 9S 9S 8S 8S", "play QS QS JS JS").turn == 2
    assert after(p, "play 9S 9S", "play QS QS").turn == 2
    assert refused(after(p, "play 9S 9S 8S 8S"), "play KS KS JS JS") == "MUST_PLAY_TRACTOR"


def test_a_hand_with_fewer_cards_of_the_suit_owes_no_tractor() -> None:
    hands = ("2x9S 2x8S 2x7S", "2xKS QS 5D 6D 7C", "AS 10S 7D 8D 9D 10D", "3H 4D 6D 7D 8C 9C")
    p = after(at("2H", *hands, rules=STRICT), "play 9S 9S 8S 8S 7S 7S")
    assert after(p, "play KS KS QS 5D 6D 7C").turn == 2


def test_candidates_keep_the_duty() -> None:
    p = after(at("2H", *LED, rules=STRICT), "play 9S 9S 8S 8S")
    plays = list(GAME.legal_plays(p))
    assert [play.text for play in plays] == ["play KS KS QS QS"]
    assert all(GAME.is_legal(p, play) for play in plays)


# --- the rank in a no-trump round ------------------------------------------------------------------------------------


def test_in_a_no_trump_round_the_rank_cards_stay_trumps() -> None:
    hands = ("AS", "7S", "KS", "3S")
    assert after(at("7", *hands, rules=KEEPS), *[f"play {card}" for card in hands]).last.winner == 1  # type: ignore[union-attr]
    assert after(at("7", *hands), *[f"play {card}" for card in hands]).last.winner == 0  # type: ignore[union-attr]


def test_rank_cards_are_equal_and_rank_below_the_jokers() -> None:
    hands = ("7S", "7H", "BJ", "RJ")
    assert after(at("7", *hands, rules=KEEPS), *[f"play {card}" for card in hands]).last.winner == 3  # type: ignore[union-attr]
    hands = ("7S", "7H", "7D", "7C")
    assert after(at("7", *hands, rules=KEEPS), *[f"play {card}" for card in hands]).last.winner == 0  # type: ignore[union-attr]


def test_rank_cards_are_followed_as_trumps_and_leave_their_suit() -> None:
    p = after(at("7", "7S", "7H", "KS", "3S", rules=KEEPS), "play 7S")
    assert after(p, "play 7H").turn == 2
    q = after(at("7", "AS 4C", "7S 3D", "KS 6C", "3S 8C", rules=KEEPS), "play AS")
    assert after(q, "play 3D").turn == 2
    plain = after(at("7", "AS 4C", "7S 3D", "KS 6C", "3S 8C"), "play AS")
    assert refused(plain, "play 3D") == "MUST_FOLLOW_SUIT"


def test_rank_cards_are_consecutive_with_black_jokers_and_side_suits_have_no_gap() -> None:
    hands = ("2x7S 2xBJ 2x8D 2x6D", "2x3C 2x4C 2x5C 2x9C", "2x3S 2x4S 2x5S 2x9S", "2x3H 2x4H 2x5H 2x9H")
    tractors = {"play 7S 7S BJ BJ", "play 6D 6D 8D 8D"}
    assert tractors <= {play.text for play in GAME.legal_plays(at("7", *hands, rules=KEEPS))}
    assert not tractors & {play.text for play in GAME.legal_plays(at("7", *hands))}


def test_a_round_without_trumps_is_played_so_from_the_show_on() -> None:
    line = deck("2xRJ 2S")
    p = after(new(KEEPS), line, *DRAWN, "show 0: RJ RJ")
    assert p.order is not None
    assert (p.suit, p.order.rank) == (-1, 0)
    q = after(new(), line, *DRAWN, "show 0: RJ RJ")
    assert q.order is not None
    assert q.order.rank is None


# --- a file of data --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"talon": 7}, "a talon"),
        ({"talon": 108}, "a talon"),
        ({"bands": ()}, "bands"),
        ({"bands": (Band(35, 2), Band(0, 3))}, "bands"),
        ({"bands": (Band(0, 3), Band(120, 2))}, "bands"),
        ({"step": 0}, "negative"),
        ({"withdrawn": -10}, "negative"),
    ],
)
def test_unplayable_rule_data_is_refused(data: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=f"house/1: .*{named}"):
        TractorRules(id="house/1", **data)  # type: ignore[arg-type]


def test_a_house_may_pay_other_points_for_a_failed_throw() -> None:
    dear = TractorRules(id="tractor-dear/1", withdrawn=20)
    p = at("2H", "AS KS", "AS 3S", "4S 5S", "6S 7S")
    p.rules = dear
    assert after(p, "play AS KS").paid == [20, 0]
