"""A thousand whole games at random: they end, nothing is lost on the way, and the record alone leads to the same end."""

from collections import Counter

import pytest

from games.engine import replay
from games.engine.cards import NUMBER, pack
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from tests.engine.records import random_game

GAMES = 1_000
DECK = Counter(NUMBER[card] for card in pack(1, ("JK", "JK")))


def marbles_are_conserved(p: Position) -> None:
    """Every seat has four marbles, each in one place, and what stands in the way is known."""
    board, at = p.board, p.at
    on_track = 0
    for seat, track in enumerate(p.tracks):
        assert len(track) + p.heaven[seat].bit_count() + p.reserve[seat] == 4
        assert all(at[space] == seat for space in track)
        assert len(set(track)) == len(track)
        on_track += len(track)
        assert not p.guard >> seat & 1 or at[board.starts[seat]] == seat
    assert sum(owner >= 0 for owner in at) == on_track
    sheltered = sum(board.cover[space] for track in p.tracks for space in track)
    assert p.guard >> p.seats == sheltered >> p.seats


class Watch:
    """Follows one game: marbles, and the cards of each deck, which leave hands and stock one a play and never come back.

    `closely`: at every play; otherwise at every new deal.
    """

    def __init__(self, *, closely: bool) -> None:
        self.closely = closely
        self.left = 0
        self.deal = -1
        self.giving = False

    def look(self, p: Position) -> None:
        if self.closely or p.deal != self.deal:
            marbles_are_conserved(p)
            held = [card for hand in p.hands for card in hand] + p.stock + [card for card in p.given if card >= 0]
            assert not Counter(held) - DECK
            if p.deal == 0 and len(held) > self.left:
                # A new deck was dealt: every card of it is in a hand or in the stock.
                assert Counter(held) == DECK
            elif self.closely and p.phase != "deck":
                # One card less a play; an exchange plays none.
                assert self.left - len(held) == (0 if p.phase == "give" or self.giving else 1)
            self.left = len(held)
        self.deal = p.deal
        self.giving = p.phase == "give"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_thousand_random_games_end_conserve_and_replay() -> None:
    plays = 0
    for seed in range(GAMES):
        start, record, end = random_game(seed, look=Watch(closely=seed % 10 == 0).look, penalties=True)
        marbles_are_conserved(end)
        outcome = GAME.outcome(end)
        assert outcome is not None
        assert sorted(outcome.ranks) == [0, 1]
        winners = outcome.ranks.index(0)
        assert [end.heaven[seat] for seat in (winners, winners + 2)] == [0b1111, 0b1111]
        # Line by line through the authority, which refuses what the rules do not allow.
        assert replay.final(GAME, start, record) == end
        plays += len(record)
    assert plays > 300 * GAMES
