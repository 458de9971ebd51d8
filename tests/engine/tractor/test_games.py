"""Random whole games: a few in this run, any number with `python -m tests.engine.tractor.games 2000`."""

import pytest

from games.engine.tractor.game import GAME
from games.engine.tractor.plays import Play
from games.engine.tractor.round import Position

from .games import Ledger, whole
from .records import random_game

GAMES = 24


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_random_game_ends_conserved_counted_and_replayed(seed: int) -> None:
    ledger = whole(seed, closely=seed % 12 == 0)
    assert ledger.tricks > 10 * ledger.rounds > 40


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_a_game_of_a_fixed_number_of_rounds_ends_after_them(rounds: int) -> None:
    assert whole(rounds, rounds=rounds).rounds == rounds


def test_many_throws_fail_and_many_stand() -> None:
    assert sum(whole(seed, rounds=2).failed for seed in range(6)) > 20


def test_the_ledger_detects_a_lost_card_wrong_points_and_a_trick_given_away() -> None:
    """The ledger can fail."""

    def lose(p: Position) -> None:
        hand = p.one[p.turn]
        p.one[p.turn] ^= hand & -hand
        p.two[p.turn] &= p.one[p.turn]

    def miscount(p: Position) -> None:
        p.captured[0] += 5

    def give_away(p: Position) -> None:
        p.turn = p.leader = (p.leader + 1) % 4

    for spoil in (lose, miscount, give_away):
        ledger, seen = Ledger(1, closely=False), []

        def look(p: Position, play: Play, spoil=spoil, ledger=ledger, seen=seen) -> None:  # type: ignore[no-untyped-def]
            seen.append(play)
            if p.phase == "play" and not p.trick and len(seen) > 60 and p.count(p.turn) > 2:
                spoil(p)
                ledger.look(p, next(iter(GAME.legal_plays(p))))
            else:
                ledger.look(p, play)

        with pytest.raises(AssertionError):
            random_game(1, look=look)
