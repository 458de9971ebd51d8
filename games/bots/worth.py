"""What a board and a hand are worth to a team, in points: a marble brought home is about a hundred.

Weights found by letting variants play each other; nothing here knows a hidden card.
"""

from collections.abc import Iterable, Sequence

from games.engine.cards import JOKER
from games.engine.tock.board import FULL, MARBLES, SECTION
from games.engine.tock.position import Position

WON = 100_000.0
HOME = 92.0
HOME_DEPTH = 3.0
OUT = 24.0
LAP = 46.0
NEAR = 9.0
BESIDE_START = 12.0
SWAPPED = 0.04

# Chance that one unknown card moves a marble exactly that far forward (negative: back), in 54ths.
_REACH = {
    1: 4.6,
    2: 4.6,
    3: 4.6,
    5: 4.6,
    6: 4.6,
    7: 4.0,
    8: 4.0,
    9: 4.0,
    10: 4.0,
    12: 4.0,
    13: 4.0,
    18: 2.0,
    4: 0.6,
    -4: 4.0,
}
_OUT_CARDS = 10.0
_KEEP = {
    JOKER: 15.0, "7": 11.0, "J": 8.0, "4": 8.0, "K": 7.0, "A": 6.5, "5": 5.5, "10": 5.0,
    "Q": 3.5, "9": 3.0, "8": 3.0, "6": 3.0, "3": 2.8, "2": 2.6,
}  # fmt: skip
_OUT_RANKS = (JOKER, "K", "A")


def rank(card: str) -> str:
    """Answer the rank of a card text; a joker is its own."""
    return card if card == JOKER else card[:-1]


def progress(p: Position, seat: int, space: int) -> int:
    """Answer how many spaces past its start a marble stands, 0..L-1."""
    return (space - p.board.starts[seat]) % p.board.length


def _threat(p: Position, seat: int, space: int, counts: Sequence[int]) -> float:
    """Answer the chance, roughly, that a marble is eaten before its seat plays again."""
    board = p.board
    if p.guard & board.shield[space]:
        return 0.0
    length, opposite = board.length, board.opposite(space)
    on_seven = space % SECTION == 7
    danger = 0.0
    for foe in range(p.seats):
        if foe % p.teams == seat % p.teams or not counts[foe]:
            continue
        hits = 0.0
        for other in p.tracks[foe]:
            gap = (space - other) % length
            hits += _REACH.get(gap, 0.0) + _REACH.get(gap - length, 0.0)
            if on_seven:
                hits += _REACH.get((opposite - other) % length, 0.0)
        if p.reserve[foe] and space == board.starts[foe]:
            hits += _OUT_CARDS
        danger += 1 - (1 - min(hits, 40.0) / 54) ** counts[foe]
    return min(danger, 0.85)


def _marble(p: Position, seat: int, space: int) -> float:
    """Answer the worth of one marble on the track to its own team, danger apart."""
    gone = progress(p, seat, space)
    left = p.board.length - 2 - gone
    worth = OUT + LAP * max(0, gone) / p.board.length
    if left < 0:
        # Past its own pieu: a whole lap again, unless a four takes it back.
        return OUT + (BESIDE_START if p.heaven[seat] != FULL else 0.0)
    if gone < MARBLES:
        worth += BESIDE_START
    if left <= 12:
        worth += NEAR
    return worth


def _heaven(p: Position, seat: int) -> float:
    """Answer the worth of a heaven: marbles at home, the deeper the more room behind them."""
    mask = p.heaven[seat]
    worth = sum(HOME + HOME_DEPTH * k for k in range(MARBLES) if mask >> k & 1)
    # A marble before an empty place keeps the others out.
    holes = sum(1 for k in range(MARBLES) if not mask >> k & 1 and mask & ((1 << k) - 1))
    return worth - 7.0 * holes


def board_worth(p: Position, seat: int, counts: Sequence[int], *, careful: bool = True) -> float:
    """Answer how much better the board is for the team of `seat` than for the other teams.

    `counts`: cards in each hand, for the danger; `careful`: weigh it at all.
    """
    total = 0.0
    for owner in range(p.seats):
        worth = _heaven(p, owner)
        for space in p.tracks[owner]:
            value = _marble(p, owner, space)
            if careful:
                # It loses what it is worth beyond waiting in the reserve; a swap may cost it its progress too.
                value -= value * _threat(p, owner, space, counts)
                if not p.guard & p.board.shield[space]:
                    value -= SWAPPED * value
            worth += value
        total += worth if owner % p.teams == seat % p.teams else -0.85 * worth
    for team in range(p.teams):
        if all(p.heaven[s] == FULL for s in range(team, p.seats, p.teams)):
            total += WON if team == seat % p.teams else -WON
    return total


def keep_worth(hand: Iterable[str], *, waiting: int, on_track: int) -> float:
    """Answer what it is worth to still hold these cards. `waiting`, `on_track`: marbles of the side in its reserve and on
    the track."""
    total, outs = 0.0, 0
    for card in hand:
        name = rank(card)
        worth = _KEEP[name]
        if name in _OUT_RANKS:
            outs += 1
            if waiting and not on_track:
                worth += 14.0 if outs == 1 else 5.0
            elif not waiting and name != JOKER:
                worth -= 3.0
        elif not on_track and name not in ("10", "5"):
            worth *= 0.6
        total += worth
    return total
