"""The master bot: it tries its best plays on possible deals, lets club bots play on, and chooses the best result.

A world is a deal that is consistent with what the seat knows (knowledge.imagine). In each world every candidate is
played and the deal continued for some turns; the final chances are added up. All candidates see the same worlds, so
that only their difference counts, and a candidate that is clearly behind is dropped.
"""

from collections.abc import Callable, Sequence
from math import sqrt

from games.bots import club
from games.bots.knowledge import Roll, imagine, unseen
from games.bots.worth import Worth, chance, lead
from games.engine.tock.legal import listed, side
from games.engine.tock.plays import Play
from games.engine.tock.position import DECK, GIVE, OVER, PLAY, Position
from games.engine.tock.turns import apply_in_place, ranks

# How many plays are tried at most, and how much worse than the best their odds may be.
CANDIDATES = 6
WORSE = 1.0
# Rounds of turns for which a world is continued.
ROUNDS = 2
# Worlds before a candidate may be dropped, and the number of standard errors it must be behind.
FAIR_TRIAL = 5
BEHIND = 1.6
PLAYOUTS = 160


def choose(
    worth: Worth,
    p: Position,
    plays: Sequence[Play],
    seat: int,
    *,
    roll: Roll,
    seen: Sequence[int] = (),
    time_up: Callable[[], bool] | None = None,
    playouts: int | None = None,
) -> int:
    """Return the index in `plays` of the best one in the worlds tried, or of the club bot's if none could be tried.

    Ends when `time_up()` returns true, after `playouts`, or when one candidate is left; without either limit after
    PLAYOUTS.
    """
    odds = club.odds(worth, p, plays, seat)
    order = sorted(range(len(plays)), key=lambda i: -odds[i])
    live = [i for i in order[:CANDIDATES] if odds[i] > odds[order[0]] - WORSE]
    if p.phase == GIVE or odds[order[0]] >= club.WON or len(live) == 1:
        return order[0]
    if time_up is None and playouts is None:
        playouts = PLAYOUTS
    hidden = unseen(p, seat, seen)
    results: dict[int, list[float]] = {i: [] for i in live}
    made = 0
    while len(live) > 1:
        world = imagine(p, seat, hidden, roll)
        for i in live:
            if (time_up is not None and time_up()) or (playouts is not None and made >= playouts):
                return _best(results, live)
            results[i].append(_playout(worth, world, plays[i], seat))
            made += 1
        live = _still_in(results, live)
    return live[0]


def _best(results: dict[int, list[float]], live: Sequence[int]) -> int:
    """Return the candidate with the best mean over the worlds that all of them have seen; the first where none has."""
    worlds = min(len(results[i]) for i in live)
    return max(live, key=lambda i: sum(results[i][:worlds])) if worlds else live[0]


def _still_in(results: dict[int, list[float]], live: list[int]) -> list[int]:
    """Return the candidates that are not clearly behind the best one, comparing world by world."""
    worlds = len(results[live[0]])
    if worlds < FAIR_TRIAL:
        return live
    best = max(live, key=lambda i: sum(results[i]))
    kept = []
    for i in live:
        gaps = [a - b for a, b in zip(results[best], results[i], strict=True)]
        mean = sum(gaps) / worlds
        spread = sum((gap - mean) ** 2 for gap in gaps) / (worlds - 1)
        if i == best or mean <= BEHIND * sqrt(spread / worlds) + 1e-9:
            kept.append(i)
    return kept


def _playout(worth: Worth, world: Position, play: Play, seat: int) -> float:
    """Return the chance of the seat's team some turns after the play, with club bots in all seats."""
    q = world.copy()
    apply_in_place(q, play)
    mover, deal, left = seat, q.deal, ROUNDS * q.seats
    while left and q.phase not in (OVER, DECK, GIVE) and q.deal == deal:
        left -= 1
        mover = q.turn
        apply_in_place(q, _club_play(worth, q))
    return _outlook(worth, q, mover, seat)


def _club_play(worth: Worth, q: Position) -> Play:
    plays = listed(q)
    if len(plays) == 1:
        return plays[0]
    odds = club.odds(worth, q, plays, q.turn)
    return plays[odds.index(max(odds))]


def _outlook(worth: Worth, q: Position, mover: int, seat: int) -> float:
    """Return the chance of the seat's team: the result when the game is over, else an evaluation of the board and all
    hands.
    """
    result = ranks(q)
    team = seat % q.teams
    if result is not None:
        return float(result[team] == 0)
    scores = worth.scores(q, mover, [len(hand) for hand in q.hands])
    if q.phase == PLAY:
        for other, hand in enumerate(q.hands):
            scores[other % q.teams] += worth.hand(q, side(q, other), hand)
    return chance(lead(scores, team))
