"""Random whole games of Tractor for tests: decks from keys of the verifiable deal, shows during drawing, throws that
are not offered, follows that are not candidates.
"""

import random
from collections.abc import Callable

from games.engine import shuffle
from games.engine.tractor import plays
from games.engine.tractor.game import GAME
from games.engine.tractor.plays import Play
from games.engine.tractor.round import Position

from .tables import new


def random_game(
    seed: int, *, look: Callable[[Position, Play], None] = lambda p, play: None, rounds: int = 0
) -> tuple[Position, list[str], Position]:
    """Play one game at random; return its start, its record, its end. `look` is called with every position and the next
    play.
    """
    roll = random.Random(seed)
    start = new(dealer=seed % 4, rounds=rounds)
    p, record, deal = start.copy(), [], 0
    while p.phase != "over":
        if p.phase == "deck":
            key = shuffle.deal_key(roll.randbytes(32), "test", deal, [roll.randbytes(32)] * 4)
            play, deal = GAME.parse_play(p, "deck " + " ".join(shuffle.deck(key, 108, "tractor"))), deal + 1
        else:
            play = choose(p, roll)
        look(p, play)
        record.append(play.text)
        GAME.apply_in_place(p, play)
    return start, record, p


def choose(p: Position, roll: random.Random) -> Play:
    """Return a random play: mostly a candidate, sometimes one that was not offered."""
    if p.phase == "draw":
        offered = list(GAME.legal_plays(p, roll.randrange(4))) if roll.random() < 0.04 else []
        return roll.choice(offered) if offered else plays.DRAW
    if p.phase == "show":
        seat = roll.choice(sorted(GAME.to_act(p)))  # type: ignore[arg-type]
        return roll.choice(list(GAME.legal_plays(p, seat)))
    if roll.random() < 0.25:
        found = strange(p, roll)
        if GAME.is_legal(p, found):
            return found
    return roll.choice(list(GAME.legal_plays(p)))


def strange(p: Position, roll: random.Random) -> Play:
    """Return random cards of the hand of the seat to act: as many as wanted, mostly of one suit."""
    hand = plays.numbers(p.one[p.turn], p.two[p.turn])
    if p.phase == "bury":
        return plays.bury(*plays.masks(roll.sample(hand, 8)))
    assert p.order is not None
    suit = p.lead.suit if p.lead else p.order.suits[roll.choice(hand)]
    mine = [k for k in hand if p.order.suits[k] == suit]
    if p.lead is None:
        return plays.play(*plays.masks(roll.sample(mine, roll.randint(1, min(8, len(mine))))))
    if len(mine) >= p.lead.size:
        return plays.play(*plays.masks(roll.sample(mine, p.lead.size)))
    others = [k for k in hand if p.order.suits[k] != suit]
    return plays.play(*plays.masks([*mine, *roll.sample(others, p.lead.size - len(mine))]))
