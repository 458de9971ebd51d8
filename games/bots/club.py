"""The club bot: it applies each play to the board that it sees and chooses the best one for its team."""

from collections.abc import Sequence

from games.bots.worth import Worth, lead
from games.engine.tock import moves
from games.engine.tock.board import FULL
from games.engine.tock.legal import side
from games.engine.tock.plays import Kind, Play
from games.engine.tock.position import Position

# The logarithm of the odds of a team that has won.
WON = 50.0
# Plays that do not change the board.
STILL = frozenset((Kind.BURN, Kind.SKIP, Kind.GIVE, Kind.THROW, Kind.BLIND))


def odds(worth: Worth, p: Position, plays: Sequence[Play], seat: int) -> list[float]:
    """Return, for each play of `seat`, how far its team is ahead after it: the logarithm of its odds without
    `worth.shift`, which is the same for all (and would hide small differences).

    `p`: a position in which that seat's hand is known; only the numbers of cards of the other hands are used.
    """
    counts = [len(hand) for hand in p.hands]
    found, still = [], None
    for play in plays:
        if play.kind in STILL and still is None:
            still = worth.scores(p, seat, counts)
        scores, mine = scores_after(worth, p, play, seat, counts, still)
        found.append(lead(scores, mine) if scores else WON)
    return found


def scores_after(
    worth: Worth, p: Position, play: Play, seat: int, counts: Sequence[int], still: Sequence[float] | None = None
) -> tuple[list[float], int]:
    """Return the scores of the teams that still compete after a play, and the index of the seat's own; no scores when
    the play wins. `still`: the scores of the current board, if known already.
    """
    kept = p.hands[seat].copy()
    if play.card >= 0:
        kept.remove(play.card)
    mine = seat % p.teams
    q = p
    if play.kind in STILL:
        scores = list(still) if still is not None else worth.scores(p, seat, counts)
    else:
        q = after(p, play)
        if q.heaven != p.heaven and won(q, seat):
            return [], 0
        scores = worth.scores(q, seat, counts)
    scores[mine] += worth.after[play.after]
    if play.kind is not Kind.THROW:
        gift = _gift(worth, p, play.card, (seat + p.teams) % p.seats, counts) if play.kind is Kind.GIVE else 0.0
        scores[mine] += worth.hand(q, side(q, seat), kept) + gift
    if q.finished:
        # Full ranking: a team that has finished does not compete for the remaining ranks.
        return [scores[mine], *(scores[s] for s in range(q.seats) if s != seat and s not in q.finished)], 0
    return scores, mine


def after(p: Position, play: Play) -> Position:
    """Return a position with the board after a play; hands and turn are unchanged. Returns `p` itself if the board does
    not change.
    """
    kind, what = play.kind, play.what
    if kind is Kind.MOVE or kind is Kind.SPLIT:
        q = p.copy()
        for owner, path in what:
            moves.step(q, owner, path)
    elif kind is Kind.OUT:
        q = p.copy()
        moves.come_out(q, what)
    elif kind is Kind.SWAP:
        q = p.copy()
        moves.swap(q, *what)
    elif kind is Kind.CENTRE:
        q = p.copy()
        moves.cross(q, *what[0])
    else:
        return p
    return q


def won(p: Position, seat: int) -> bool:
    """Return whether the marbles of the team of `seat` are all home."""
    return all(p.heaven[mate] == FULL for mate in range(seat % p.teams, p.seats, p.teams))


def _gift(worth: Worth, p: Position, card: int, mate: int, counts: Sequence[int]) -> float:
    """Return the value of a card for the teammate who gets it; a way out counts most for one who may have none."""
    me = side(p, mate)
    gain = worth.hand(p, me, (card,))
    if worth.terrain.outs[card] and p.reserve[me]:
        bonus = worth.spare_out if p.tracks[me] else worth.way_out
        gain -= bonus * (1 - (1 - worth.terrain.out) ** counts[mate])
    return gain
