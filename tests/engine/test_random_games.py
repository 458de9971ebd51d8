"""Random whole games at every table: a few in this run, any number with `python -m tests.engine.whole_games 1000`."""

import pytest

from games.engine.tock.game import GAME
from tests.engine.configurations import ALL, Configuration
from tests.engine.records import random_game
from tests.engine.whole_games import Watch, board_is_whole, whole

# The number of games in this run: most for the set that the clubs play, fewest where games are long.
GAMES = {table: {4: 4, 6: 2, 8: 1}[table.seats] for table in ALL} | {ALL[0]: 40}


@pytest.mark.parametrize("table", ALL, ids=str)
def test_random_games_end_conserve_and_replay(table: Configuration) -> None:
    plays = sum(whole(table, seed, closely=seed % 10 == 0) for seed in range(GAMES[table]))
    assert plays > 150 * GAMES[table]


def test_the_ledger_detects_a_lost_card_and_a_wrong_board() -> None:
    """The ledger can fail."""

    def lose(p):  # type: ignore[no-untyped-def]
        if p.phase == "play" and len(hand := p.hands[(p.turn + 1) % 4]) > 2:
            hand.pop()

    watch = Watch(ALL[0], closely=True)
    with pytest.raises(AssertionError):
        random_game(1, look=lambda p: (watch.look(p), lose(p)))  # type: ignore[arg-type,func-returns-value]

    position = GAME.to_json(ALL[0].new())
    position["fresh"] = [0]
    with pytest.raises(AssertionError):
        board_is_whole(position)
