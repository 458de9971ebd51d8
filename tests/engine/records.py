"""Random whole games for tests: seeded decks through the verifiable deal, random plays, the record of both."""

import random
from collections.abc import Callable, Iterator

from games.engine import registry, shuffle
from games.engine.tock.game import GAME
from games.engine.tock.plays import Play
from games.engine.tock.position import Position

from .configurations import ALL, Configuration

SHAWINIGAN = ALL[0]
RULES = registry.rules(SHAWINIGAN.rules)


def chance(p: Position, roll: random.Random, deals: Iterator[int]) -> Play | None:
    """Return the due chance play, or None: a deck from a key of this game, not shuffled by Python."""
    if p.phase != "deck":
        return None
    key = shuffle.deal_key(roll.randbytes(32), "test", next(deals), [roll.randbytes(32)] * p.seats)
    return GAME.parse_play(p, "deck " + " ".join(shuffle.deck(key, len(p.rules.deck(p.seats)))))


def random_game(
    seed: int,
    *,
    look: Callable[[Position], None] = lambda p: None,
    penalties: bool = False,
    table: Configuration = SHAWINIGAN,
) -> tuple[Position, list[str], Position]:
    """Play one game at random; return its start, its record, its end. `look` is called with every position.

    `penalties`: sometimes a talking penalty is due from the start, so that blind burns happen too.
    """
    roll = random.Random(seed)
    start = table.new(dealer=seed % table.seats)
    if penalties and seed % 3 == 0:
        start = GAME.penalise(GAME.penalise(start, seed % table.seats), (seed + 1) % table.seats)
    p, record, deals = start.copy(), [], iter(range(10_000))
    while p.phase != "over":
        play = chance(p, roll, deals)
        if play is None:
            plays = GAME.legal_plays(p)
            play = plays[int(roll.random() * len(plays))]
        record.append(play.text)
        GAME.apply_in_place(p, play)
        look(p)
    return start, record, p
