"""The default play of a seat whose time is up. It needs no skill and leaves nothing to argue about."""

from collections.abc import Sequence

from games.engine.cards import JOKER

RANKS = ("2", "3", "6", "8", "9", "Q", "10", "J", "4", "7", "5", "K", "A", JOKER)
SUITS = "SHDC"


def card_of(play: str) -> str:
    """Return the card that a line plays, burns or gives; empty for a line without one."""
    first, _, rest = play.partition(" ")
    return rest if first in ("burn", "give", "blind") else first


def default_key(play: str) -> tuple[int, int, str]:
    """Return the sorting key of the order: card rank, suit S H D C, then the line in ASCII order."""
    card = card_of(play)
    rank = card if card == JOKER else card[:-1]
    suit = 0 if card == JOKER else SUITS.find(card[-1:])
    return RANKS.index(rank) if rank in RANKS else len(RANKS), suit, play


def default_play(legal: Sequence[str]) -> str:
    """Return the first of the plays by card (`2 3 6 8 9 Q 10 J 4 7 5 K A JK`, suits `S H D C`), then by line.

    `legal`: the lines that touches leave, at least one; raises ValueError when there is none. Deterministic, so that a
    replay can verify it.
    """
    if not legal:
        raise ValueError("no play to choose from")
    return min(legal, key=default_key)
