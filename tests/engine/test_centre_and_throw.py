"""Throwing in and the centre as the table gets them: facts, views, touches, refusals (rulebook sections 4, 7, 8)."""

from typing import Any

import pytest

from games.engine import shuffle
from games.engine.errors import IllegalPlay
from games.engine.game import SPECTATOR
from games.engine.tock.game import GAME
from games.engine.tock.plays import Kind
from games.engine.tock.position import Position
from tests.boards import lines

R = ["r", "r", "r", "r"]


def throwing(*hand: str, **others: Any) -> Position:
    """Return a table of tock-air/1 where seat 0, to act, has every marble in reserve."""
    return GAME.from_json(
        {
            "rules": "tock-air/1", "seats": 4, "teams": 2, "dealer": 3, "deal": 2, "turn": 0, "phase": "play",
            "hands": [list(hand), ["2C"], ["2D"], ["2H"]], "stock": [], "marbles": [R, R, R, R], "fresh": [], **others,
        }
    )  # fmt: skip


def centre(*places: str, hand: str = "KD", **others: Any) -> Position:
    """Return a table of tock/1 with eight seats in two teams; seat 0, to act, has these marbles."""
    return GAME.from_json(
        {
            "rules": "tock/1", "seats": 8, "teams": 2, "dealer": 7, "deal": 2, "turn": 0, "phase": "play",
            "hands": [hand.split(), ["2C"], ["2D"], ["2H"], ["2S"], ["3C"], ["3D"], ["3H"]], "stock": [], "fresh": [],
            "marbles": [list(places), ["t25", "r", "r", "r"], *[R] * 6], **others,
        }
    )  # fmt: skip


def play(p: Position, line: str) -> Position:
    return GAME.apply(p, GAME.parse_play(p, line))


def test_everybody_learns_which_cards_were_thrown_in() -> None:
    p = throwing("QS", "3C", "JC")
    throw = GAME.parse_play(p, "throw")
    assert throw.kind is Kind.THROW
    assert GAME.fx(p, throw) == [["threw", 0, ["3C", "JC", "QS"]]]
    q = play(p, "throw")
    for viewer in (0, 1, SPECTATOR):
        seen = GAME.view(q, viewer)
        assert seen["thrown"] == [0]
        assert seen["count"] == [0, 1, 1, 1]
    assert "thrown" not in GAME.view(p, 0)


def test_who_must_throw_in_may_not_burn_one_card() -> None:
    p = throwing("QS", "3C")
    assert lines(p) == ["throw"]
    with pytest.raises(IllegalPlay, match="must_throw"):
        play(p, "burn 3C")
    assert lines(p) == [line.text for line in GAME.narrow(p, card="3C", marbles=["r"])]


def test_an_ace_a_king_or_a_marble_on_the_board_forbids_throwing_in() -> None:
    assert lines(throwing("AS", "3C")) == ["AS out"]
    assert lines(throwing("KS", "3C")) == ["KS out"]
    there = throwing("JS", marbles=[["t16", "r", "r", "r"], R, R, R])
    assert lines(there) == ["burn JS"]
    for p in (throwing("AS", "3C"), there):
        with pytest.raises(IllegalPlay):
            play(p, "throw")


def test_a_hand_thrown_in_last_ends_the_deal_and_is_forgotten_with_it() -> None:
    p = throwing("3C", "9S", hands=[["3C", "9S"], [], [], []])
    q = play(p, "throw")
    assert (q.phase, q.thrown, q.turn) == ("deck", (), 1)


def test_the_way_into_the_centre_and_out_of_it_is_told_with_what_it_eats() -> None:
    p = centre("t7", "x7", "r", "r")
    into = GAME.parse_play(p, "KD t7-x7")
    assert into.kind is Kind.CENTRE
    assert GAME.fx(p, into) == [["move", 0, "t7", "x7"]]
    assert GAME.view(play(p, "KD t7-x7"), SPECTATOR)["marbles"]["0"] == ["r", "r", "x7", "x7"]
    away = GAME.parse_play(p, "KD x7-t25")
    assert GAME.fx(p, away) == [["move", 0, "x7", "t25"], ["eaten", 1, "t25"]]
    q = play(p, "KD x7-t25")
    assert (q.centre, q.at[25], q.reserve[1], sorted(q.tracks[0])) == ((), 0, 4, [7, 25])


def test_a_marble_in_the_centre_is_touched_by_its_place() -> None:
    p = centre("t7", "x7", "x61", "r", hand="KD 9C")
    assert {line.text.split()[1].split("-")[0] for line in GAME.narrow(p, card="KD", marbles=["x61"])} == {"x61"}
    assert [line.text for line in GAME.narrow(p, card="KD", marbles=["t7"])] == ["KD t7-t20", "KD t7-x7"]
    # No marble is on x25: the touch binds nothing.
    assert GAME.narrow(p, card="KD", marbles=["x25"]) == GAME.narrow(p, card="KD", marbles=[])
    with pytest.raises(IllegalPlay, match="touched_marble"):
        GAME.check(p, GAME.parse_play(p, "KD t7-x7"), card="KD", marbles=["x7"])


def test_nobody_leaves_the_centre_for_the_case_7_he_came_from_nor_by_another_card() -> None:
    p = centre("x7", "x7", "r", "r", hand="KD 9C")
    listed = [line for line in lines(p) if "x" in line]
    assert listed == sorted(f"KD x7-t{18 * i + 7}" for i in range(1, 8))
    for wrong in ("KD x7-t7", "9C x7-t16", "KD x25-t43", "KD x7-x25", "KD x7-t26"):
        with pytest.raises(IllegalPlay):
            play(p, wrong)


def test_a_partner_who_plays_for_another_moves_that_ones_marbles_in_the_centre() -> None:
    p = centre("h1", "h2", "h3", "h4", marbles=[["h1", "h2", "h3", "h4"], R, ["x43", "t7", "r", "r"], *[R] * 5])
    assert "KD t7-x7" in lines(p)
    q = play(p, "KD x43-t61")
    assert (q.at[61], q.centre) == (2, ())


@pytest.mark.parametrize(("seats", "dealt"), [(6, 78), (8, 104)])
def test_a_committed_deck_of_two_packs_is_dealt(seats: int, dealt: int) -> None:
    key = shuffle.deal_key(bytes(32), "two-packs", 1, [bytes(32)] * seats)
    deck = shuffle.deck(key, 108)
    assert {card: deck.count(card) for card in set(deck)} == {card: 4 if card == "JK" else 2 for card in set(deck)}
    assert len(set(deck)) == 53
    p = GAME.new(GAME.from_json(GAME.to_json(centre(*R))).rules, seats=seats, teams=seats, dealer=0)
    q = play(p, " ".join(["deck", *deck]))
    assert [len(hand) for hand in q.hands] == [5] * seats
    assert len(q.stock) == 108 - 5 * seats
    assert dealt == sum(q.rules.hands) * seats <= len(deck)
    # Equal cards are separate cards: each of them is one place of a blind burn.
    hand = ["KS", "9C", "JK", "9C", "AS", "JK"]
    assert shuffle.blind_order(hand) == ["AS", "KS", "9C", "9C", "JK", "JK"]
    burnt = [shuffle.blind_card(key, number, hand) for number in range(400)]
    assert 0.2 < burnt.count("9C") / 400 < 0.5
    assert 0.08 < burnt.count("AS") / 400 < 0.27
