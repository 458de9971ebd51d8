"""How a bot chooses: it tries each play on the board it sees and keeps the one whose result is worth most."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.bots.default import card_of
from games.bots.worth import WON, board_worth, keep_worth, rank
from games.engine import registry
from games.engine.errors import EngineError
from games.engine.tock import legal as judge
from games.engine.tock import moves, notation
from games.engine.tock.board import MARBLES, RESERVE
from games.engine.tock.plays import After, Kind
from games.engine.tock.position import Position
from games.engine.tock.rules import TockRules

LEVELS = ("novice", "club")
Roll = Callable[[int], int]

SKIPPED = 8.0
REPLAYED = 14.0
NOVICE_NOISE = 40


def choose(view: Mapping[str, Any], legal: Sequence[str], *, level: str, roll: Roll) -> str:
    """Answer one of `legal` for the seat whose view this is.

    `view`: that seat's JSON view, `turn` the seat (in an exchange any seat: only its own hand is looked at); `level`: one
    of LEVELS; `roll(n)`: a chance number 0..n-1. Raises ValueError for another level or when there is no play.
    """
    if level not in LEVELS:
        raise ValueError(f"no level {level!r}; there are {', '.join(LEVELS)}")
    if not legal:
        raise ValueError("no play to choose from")
    if len(legal) == 1:
        return legal[0]
    if legal[0].startswith("give "):
        return _give(view, legal, level, roll)
    p = board_of(view)
    seat = int(view["turn"])
    careful = level == "club"
    best, chosen = -10 * WON, legal[0]
    for line in legal:
        worth = _worth(p, line, view, seat, careful=careful)
        worth += roll(NOVICE_NOISE) if not careful else roll(100) / 1000
        if worth > best:
            best, chosen = worth, line
    return chosen


def board_of(view: Mapping[str, Any]) -> Position:
    """Answer a position with the marbles that everybody sees, and no card: enough to try moves on."""
    rules = registry.rules(view["rules"])
    if not isinstance(rules, TockRules):
        raise ValueError(f"{rules.id} is another family's")
    p = Position(rules, view["seats"], view["teams"], view["dealer"])
    p.turn = view["turn"]
    board = p.board
    for seat in range(p.seats):
        for name in view["marbles"][str(seat)]:
            place = board.place(name, seat)
            if place is None or place == RESERVE:
                continue
            p.reserve[seat] -= 1
            if place < board.length:
                p.at[place] = seat
                p.tracks[seat].append(place)
                p.guard |= board.cover[place]
            else:
                p.heaven[seat] |= 1 << (place - board.length) % MARBLES
    for seat in view["fresh"]:
        p.guard |= 1 << seat
    return p


def _worth(p: Position, line: str, view: Mapping[str, Any], seat: int, *, careful: bool) -> float:
    """Answer what the board and the hand are worth after a play of `seat`."""
    try:
        play = judge.resolve(p, notation.read(line), seat)
    except EngineError:
        # Nothing this bot understands: playable all the same, but last.
        return -WON
    q, extra = p, 0.0
    if play.kind in (Kind.MOVE, Kind.SPLIT):
        q = p.copy()
        for owner, path in play.what:
            moves.step(q, owner, path)
    elif play.kind is Kind.OUT:
        q = p.copy()
        moves.come_out(q, play.what)
    elif play.kind is Kind.SWAP:
        q = p.copy()
        moves.swap(q, *play.what)
    if play.after is After.NEXT_BURNS:
        extra += SKIPPED
    elif play.after is After.REPLAY:
        extra += REPLAYED
    if not careful:
        return board_worth(q, seat, view["count"], careful=False)
    hand = list(view["hand"])
    hand.remove(card_of(line))
    side = judge.side(q, seat)
    kept = keep_worth(hand, waiting=q.reserve[side], on_track=len(q.tracks[side]))
    return board_worth(q, seat, view["count"]) + kept + extra


def _give(view: Mapping[str, Any], legal: Sequence[str], level: str, roll: Roll) -> str:
    """Choose the card for the partner: a way out when there are two, else what is missed least; a novice gives anything."""
    if level == "novice":
        return legal[roll(len(legal))]
    hand = list(view["hand"])
    outs = [card for card in hand if rank(card) in ("A", "K")]
    many = len(outs) + hand.count("JK")
    if many >= 2 and outs:
        return f"give {min(outs)}"
    if many == 0:
        # Nothing comes out here before the next deal: the best card helps the partner more.
        return max(legal, key=lambda line: keep_worth([card_of(line)], waiting=MARBLES, on_track=1))
    return min(legal, key=lambda line: keep_worth([card_of(line)], waiting=MARBLES, on_track=1))
