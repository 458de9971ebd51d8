"""Rulebook section 2, and points 1 to 8 of section 14: decks, deals, dealer, exchange, whose turn."""

import pytest

from games.engine.cards import TEXTS, pack
from games.engine.errors import IllegalPlay
from games.engine.game import Chance
from games.engine.tock.game import GAME
from tests.boards import after, at, lines, new

CARDS = list(pack(1, ("JK", "JK")))
DECK = "deck " + " ".join(CARDS)


def hand(p, seat: int) -> list[str]:  # type: ignore[no-untyped-def]
    return [TEXTS[card] for card in p.hands[seat]]


def test_a_deck_is_dealt_one_card_at_a_time_from_the_dealers_left() -> None:
    p = after(new(dealer=1), DECK)
    assert hand(p, 2) == sorted(CARDS[0:20:4])
    assert hand(p, 3) == sorted(CARDS[1:20:4])
    assert hand(p, 1) == sorted(CARDS[3:20:4])
    assert p.to_json()["stock"] == CARDS[20:]


def test_a_deck_must_hold_every_card_as_often_as_it_is_there() -> None:
    for wrong in (CARDS[:-1], [*CARDS[:-1], "AS"], [*CARDS, "JK"]):
        with pytest.raises(IllegalPlay) as refusal:
            after(new(), "deck " + " ".join(wrong))
        assert refusal.value.code == "wrong_deck"


def test_a_deck_is_due_only_in_phase_deck_and_nothing_else_is() -> None:
    assert GAME.to_act(new()) == Chance("deck")
    with pytest.raises(IllegalPlay) as refusal:
        after(at(hands="0: 9C", marbles="0: t0"), DECK)
    assert refusal.value.code == "not_now"
    with pytest.raises(IllegalPlay) as refusal:
        GAME.apply(new(), GAME.parse_play(new(), "burn 9C"))
    assert refusal.value.code == "deck_due"


def test_the_first_deal_opens_with_the_exchange_and_all_seats_may_give() -> None:
    p = after(new(dealer=1), DECK)
    assert (p.phase, p.turn) == ("give", 0)
    assert GAME.to_act(p) == frozenset({0, 1, 2, 3})
    assert lines(p) == [f"give {card}" for card in hand(p, 0)]


def test_cards_are_handed_to_the_partner_all_at_once_and_the_dealers_left_begins() -> None:
    p = after(new(dealer=1), DECK)
    given = [hand(p, seat)[0] for seat in range(4)]
    for seat in (2, 0, 3):
        p = GAME.apply(p, GAME.parse_play(p, f"give {given[seat]}", seat), seat)
        assert given[seat] not in hand(p, (seat + 2) % 4)
    assert p.turn == 1
    assert p.to_json()["given"] == [given[0], None, given[2], given[3]]
    assert GAME.to_act(p) == frozenset({1})
    p = after(p, f"give {given[1]}")
    assert all(given[seat] in hand(p, (seat + 2) % 4) for seat in range(4))
    assert (p.phase, p.turn, p.first) == ("play", 2, False)
    assert "given" not in p.to_json()


def test_a_seat_gives_once_and_only_what_it_holds() -> None:
    p = after(new(), DECK)
    card = hand(p, 3)[0]
    p = GAME.apply(p, GAME.parse_play(p, f"give {card}", 3), 3)
    assert list(GAME.legal_plays(p, 3)) == []
    with pytest.raises(IllegalPlay) as refusal:
        GAME.apply(p, GAME.parse_play(p, f"give {hand(p, 3)[0]}", 3), 3)
    assert refusal.value.code == "not_your_turn"
    with pytest.raises(IllegalPlay) as refusal:
        after(p, f"give {card}")
    assert refusal.value.code == "no_such_card"


def play_out(p):  # type: ignore[no-untyped-def]
    """Play the first line listed until the next deal or deck."""
    deal = p.deal
    while p.deal == deal and p.phase not in ("deck", "over"):
        p = after(p, lines(p)[0])
    return p


def test_deals_of_five_four_and_four_follow_from_one_deck_and_then_the_dealer_moves() -> None:
    p = after(new(dealer=1), DECK)
    sizes = [[len(h) for h in p.hands]]
    p = play_out(p)
    sizes.append([len(h) for h in p.hands])
    assert (p.deal, p.dealer, p.turn, p.phase) == (1, 1, 2, "play")
    p = play_out(p)
    sizes.append([len(h) for h in p.hands])
    assert (p.deal, p.dealer, p.turn) == (2, 1, 2)
    p = play_out(p)
    assert sizes == [[5] * 4, [4] * 4, [4] * 4]
    assert (p.phase, p.deal, p.dealer, p.turn, p.stock) == ("deck", 0, 2, 3, [])


def test_only_the_first_deal_of_the_game_has_an_exchange() -> None:
    p = play_out(play_out(play_out(after(new(dealer=1), DECK))))
    assert after(p, DECK).phase == "play"


def test_the_turn_passes_to_the_next_seat_that_holds_a_card() -> None:
    p = at(marbles="0: t30", hands="0: 9C 2H / 1: / 2: / 3: 3S", turn=0)
    p = after(p, "9C t30-t39")
    assert p.turn == 3
    p = after(p, "burn 3S")
    assert p.turn == 0


def test_a_seat_that_alone_holds_cards_plays_again() -> None:
    p = at(marbles="0: t30", hands="0: 9C 2H / 1: / 2: / 3:", turn=0)
    assert after(p, "9C t30-t39").turn == 0


def test_a_written_position_with_unequal_hands_is_accepted() -> None:
    assert lines(at(marbles="0: t30", hands="0: 9C / 1: 2H 3H 4H / 2: / 3:")) == ["9C t30-t39"]


def test_the_next_deal_follows_by_itself_from_the_stock() -> None:
    p = at(marbles="0: t30", hands="0: 9C / 1: / 2: / 3:", deal=1, dealer=2)
    stock = p.to_json()["stock"]
    q = after(p, "9C t30-t39")
    assert (q.deal, q.turn) == (2, 3)
    assert hand(q, 3) == sorted(stock[0:16:4])
    assert q.to_json()["stock"] == stock[16:]


def test_another_seat_cannot_play() -> None:
    p = at(marbles="0: t30", hands="0: 9C", turn=0)
    with pytest.raises(IllegalPlay) as refusal:
        GAME.apply(p, GAME.parse_play(p, "9C t30-t39", 0), 1)
    assert refusal.value.code == "not_your_turn"
    assert list(GAME.legal_plays(p, 1)) == []
