"""Rulebook T4: the four ways to lead, components, throws."""

import pytest

from games.engine.cards import JOKER, NUMBER
from games.engine.tractor.game import GAME
from games.engine.tractor.order import order
from games.engine.tractor.rules import RANKS, SUITS
from games.engine.tractor.shapes import components, of_component, shape

from .asking import ask, trump
from .tables import after, at, cards, refused


def parts(trumps: str, text: str) -> list[list[str]]:
    return sorted(
        (sorted(part) for part in ask("components", trump=trump(trumps), cards=cards(text))["components"]),
        key=lambda part: (-len(part), part),
    )


def throw(trumps: str, lead: str, *others: str) -> dict[str, object]:
    return ask("throw", trump=trump(trumps), lead=cards(lead), others=[cards(hand) for hand in others])


# --- shapes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lead", ["AS", "AS AS", "AS AS KS KS", "9S 9S 8S 8S 7S 7S"])
def test_a_single_a_pair_and_a_tractor_are_one_component(lead: str) -> None:
    assert parts("2H", lead) == [sorted(lead.split())]


@pytest.mark.parametrize(
    ("lead", "components"),
    [
        ("AS KS", ["AS", "KS"]),
        ("AS AS KS", ["AS AS", "KS"]),
        ("AS AS QS QS", ["AS AS", "QS QS"]),
        ("AS AS KS KS 9S 9S", ["AS AS KS KS", "9S 9S"]),
        ("AS AS KS KS 9S 9S 8S 8S 7S 7S 3S", ["9S 9S 8S 8S 7S 7S", "AS AS KS KS", "3S"]),
        ("KS KS QS JS JS", ["KS KS", "JS JS", "QS"]),
    ],
)
def test_pairs_form_maximal_runs_and_what_is_left_stays_pairs_and_singles(lead: str, components: list[str]) -> None:
    assert parts("2H", lead) == sorted((sorted(part.split()) for part in components), key=lambda p: (-len(p), p))


@pytest.mark.parametrize("trumps", ["2H", "7", "AC"])
def test_the_shape_of_one_card_or_pair_is_that_of_its_only_component(trumps: str) -> None:
    held = order(*(RANKS.index(trumps[0]), SUITS.index(trumps[1]) if trumps[1:] else None))
    for number in (number for text, number in NUMBER.items() if text != JOKER):
        one = 1 << number
        for two in (0, one):
            parts = components(held, one, two)
            whole = shape(held, one, two)
            assert whole == of_component(held.suits[number], parts[0])
            assert (whole.size, whole.pairs, whole.runs, whole.couples, whole.parts) == (
                2 if two else 1, 1 if two else 0, (), 1 if two else 0, parts,
            )  # fmt: skip


def test_the_first_suit_in_the_order_c_d_h_s_joins_the_run_on_a_shared_level() -> None:
    assert parts("2D", "AD AD 2C 2C 2H 2H 2S 2S 2D 2D BJ BJ") == [
        sorted(cards("AD AD 2C 2C 2D 2D BJ BJ")), ["2H", "2H"], ["2S", "2S"],
    ]  # fmt: skip
    assert parts("2C", "2S 2S 2H 2H 2C 2C") == [["2C", "2C", "2H", "2H"], ["2S", "2S"]]


def test_longest_runs_stand_first_in_the_answer() -> None:
    answer = ask("components", trump=trump("2H"), cards=cards("2xAS 2xKS 2x9S 2x8S 2x7S 5S 2x3S"))
    assert [len(part) for part in answer["components"]] == [6, 4, 2, 1]


def test_cards_of_different_effective_suits_are_no_lead() -> None:
    p = at("2H", "AS AD 2S KH", "3S 4S 5S 6S", "7S 8S 9S 10S", "3D 4D 6D 7D")
    for lead in ("AS AD", "AS 2S", "AD KH"):
        assert refused(p, f"play {lead}") == "MIXED_SUITS"
    assert GAME.to_json(after(p, "play 2S KH"))["paid"] == [0, 0]


def test_a_lead_of_cards_that_are_not_held_is_refused() -> None:
    p = at("2H", "AS AD", "3S 4S", "7S 8S", "3D 4D")
    assert refused(p, "play KS") == "NOT_IN_HAND"
    assert refused(p, "play AS AS") == "NOT_IN_HAND"


def test_a_plain_lead_is_never_challenged() -> None:
    p = at("2H", "2x3S 2x4S 5C", "2xAS 2xKS 9S", "2xQS 2xJS KC", "9C 8C 7C 6C AC")
    q = after(p, "play 3S 3S 4S 4S")
    assert (q.trick[0][0].bit_count(), q.failed) == (2, None)
    assert throw("2H", "3S", "AS", "", "") == {"valid": True}


# --- throws that can be beaten ---------------------------------------------------------------------------------------


def test_a_throw_that_nobody_can_beat_stands() -> None:
    assert throw("2H", "AS KS KS", "QS QS AS", "10S", "9S")["valid"] is True


@pytest.mark.parametrize(
    ("lead", "hand"),
    [
        ("KS JS", "QS"),
        ("AS QS QS", "KS KS"),
        ("AS 9S 9S 8S 8S", "10S 10S 9S 9S"),
        ("AS 9S 9S 8S 8S", "JS JS 10S 10S 9S 9S"),
    ],
)
def test_a_higher_single_pair_or_tractor_of_as_many_pairs_beats_a_component_also_inside_a_longer_one(
    lead: str, hand: str
) -> None:
    assert throw("2H", lead, "", hand, "")["valid"] is False


@pytest.mark.parametrize(
    ("lead", "hand"),
    [
        ("AS KS KS", "AS"),
        ("AS 9S 9S 8S 8S", "AS KS KS 10S 10S"),
        ("AS 9S 9S 8S 8S 7S 7S", "JS JS 10S 10S"),
        ("AS AS KS", "QS QS"),
    ],
)
def test_fewer_or_lower_cards_do_not_beat_it(lead: str, hand: str) -> None:
    assert throw("2H", lead, hand, "", "")["valid"] is True


def test_an_equal_card_does_not_beat_it() -> None:
    assert throw("7H", "7S RJ RJ BJ BJ", "7C", "7D", "7C 7D")["valid"] is True
    assert throw("7H", "7S RJ RJ BJ BJ", "7H", "", "")["valid"] is False


def test_one_hand_alone_must_hold_the_pair() -> None:
    assert throw("2H", "AS QS QS", "KS", "KS", "")["valid"] is True


def test_trumps_over_a_side_suit_do_not_count() -> None:
    assert throw("2H", "KS KS QS", "RJ RJ 2S 2S", "3H", "AH AH")["valid"] is True


def test_buried_cards_do_not_count() -> None:
    p = at("2H", "KS QS", "3S 4S", "7S 8S", "3D 4D", buried="AS AS KS QS")
    assert after(p, "play KS QS").failed is None


def test_the_partners_hand_counts_too() -> None:
    p = at("2H", "KS QS", "3S 4S", "AS 8S", "3D 4D")
    q = after(p, "play KS QS")
    assert GAME.to_json(q)["failed"] == {"seat": 0, "thrown": ["KS", "QS"], "back": ["KS"], "paid": 10}


# --- a throw that fails ----------------------------------------------------------------------------------------------


def test_the_beatable_component_with_fewest_cards_is_led_instead() -> None:
    assert throw("2H", "AS QS QS 9S", "KS KS 10S", "", "") == {
        "valid": False, "must_lead": ["9S"], "withdrawn": 3, "penalty": 30,
    }  # fmt: skip


def test_of_as_many_cards_the_lowest_level_is_led() -> None:
    assert throw("2H", "KS QS JS", "AS", "", "")["must_lead"] == ["JS"]
    assert throw("2H", "KS KS JS JS", "AS AS", "", "")["must_lead"] == ["JS", "JS"]


def test_on_one_level_the_first_suit_letter_is_led() -> None:
    assert throw("2H", "2S 2D", "2H", "", "")["must_lead"] == ["2D"]
    assert throw("2H", "2S 2S 2D 2D", "BJ BJ", "", "")["must_lead"] == ["2D", "2D"]


def test_a_component_that_nobody_beats_is_not_led_instead() -> None:
    assert throw("2H", "AS QS QS", "KS KS", "", "")["must_lead"] == ["QS", "QS"]


def test_the_other_cards_go_back_and_ten_points_a_card_pass_to_the_other_side() -> None:
    p = at("2H", "AS AS JS JS 9S", "10S QS QS 3D 4D", "3S 4S 5S 6S 7S", "3C 4C 6C 7C 8C", captured=0)
    q = after(p, "play AS AS JS JS 9S")
    assert q.hand(0) == ["AS", "AS", "JS", "JS"]
    assert GAME.to_json(q)["trick"] == [["9S"]]
    assert GAME.to_json(q)["paid"] == [40, 0]
    facts = GAME.fx(p, GAME.parse_play(p, "play AS AS JS JS 9S"))
    assert facts == [["failed", 0, ["9S"], ["AS", "AS", "JS", "JS"], 40]]


def test_the_component_led_instead_counts_as_a_plain_lead() -> None:
    p = at("7C", "AS 2x8S 2x6S", "2x10S 2x9S 3D", "3S 4S 5S 2S QS", "3C 4C 6C 8C 10C")
    q = after(p, "play AS 8S 8S 6S 6S")
    assert refused(q, "play 10S 10S 9S 3D") == "MUST_FOLLOW_SUIT"
    # A plain tractor can be beaten in its own suit.
    assert after(q, "play 10S 10S 9S 9S").best == 1


def test_a_throw_of_trumps_is_looked_at_among_trumps() -> None:
    p = at("2H", "2S RJ", "2H 3S", "BJ 4S", "3H 5S")
    assert GAME.to_json(after(p, "play 2S RJ"))["trick"] == [["2S"]]


def test_a_later_throw_that_stands_forgets_the_failed_one() -> None:
    p = at("2H", "KS QS AD KD", "AS 3S 3D 4D", "4S 6S 5D 6D", "7S 8S 7D 8D")
    q = after(p, "play KS QS", "play AS", "play 4S", "play 7S")
    assert (q.failed, q.turn, q.paid) == (None, 1, [10, 0])
