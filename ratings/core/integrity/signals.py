"""The five signals. Each looks at the last games of one side and returns a Signal, or None.

| signal | when |
| --- | --- |
| `one_opponent` | more than 40 % of at least 20 games against the same side, where others could be met |
| `losses` | so few wins in 10 games happen once in 1,000 such runs |
| `resignations` | 3 or more early resignations in the games of the same two sides, against what is usual |
| `sudden` | a run that is far more likely if the strength changed, corrected for the number of sides and of runs |
| `one_way` | two sides play mostly each other, where others could be met, and one of them wins the points |

Games of a side whose rating was still provisional do not count where chances are judged: the rating was not known then.
The thresholds are measured in tests/ratings/test_integrity.py; docs/integrity.md says how often an honest side is listed.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import comb, exp, log, log1p

from ratings.core.recompute import Subject

from .tails import at_least, at_most

WINDOW = 50  # the last games of a side that are looked at
SHARE, LEAST_GAMES, LEAST_SIDES = 0.40, 20, 6
RUN, RARE = 10, 1e-3
LEAST_EARLY, USUAL_EARLY = 3, 0.05  # share of games between two sides that end early, at most, among honest people
SHIFTS = (-2.1, -1.4, -0.7, 0.7, 1.4, 2.1)  # of the strength, in log odds
ALARM = 0.05  # false alarms expected of all sides together, in WINDOW games of each
LEAST_RUN = 6
MUTUAL, LEAST_MUTUAL, WON, LEAST_POINTS = 0.5, 12, 0.8, 20
FLOOR = 1e-6


@dataclass(frozen=True, slots=True)
class Played:
    """A rated game as one side saw it."""

    source: str
    at: datetime
    opponents: tuple[Subject, ...]  # the other sides
    won: bool
    chance: float  # to win, before the game
    moved: int  # change of the score, in thousandths of a point
    settled: bool  # the rating was not provisional before the game
    early: bool = False  # a side gave up early
    mates: Subject = ()  # who played on the same side, without the one who is looked at


@dataclass(frozen=True, slots=True)
class Signal:
    """What was found: the games, the figures, and how surprising they are."""

    kind: str
    other: Subject  # the other side, () if there is none in particular
    games: tuple[Played, ...]
    figures: dict[str, int]
    # Such a run happens once in so many; of `sudden`, how many times likelier a change makes the run. 0: not computed.
    once_in: float = 0.0


def one_opponent(games: Sequence[Played], *, sides: int) -> Signal | None:
    """Return the side that is met too often. `games`: the last ones, oldest first; `sides`: how many are active."""
    if len(games) < LEAST_GAMES or sides < LEAST_SIDES:
        return None
    met = Counter(other for game in games for other in game.opponents)
    other, count = max(met.items(), key=lambda item: (item[1], item[0]))
    if count <= SHARE * len(games):
        return None
    those = tuple(game for game in games if other in game.opponents)
    figures = {"games": len(games), "against": count, "won": sum(game.won for game in those)}
    return Signal("one_opponent", other, those, figures)


def losses(games: Sequence[Played]) -> Signal | None:
    """Return the last RUN settled games if so few wins, or fewer, have a probability below RARE."""
    run = [game for game in games if game.settled][-RUN:]
    if len(run) < RUN:
        return None
    won = sum(game.won for game in run)
    p = at_most(won, [game.chance for game in run])
    if p >= RARE:
        return None
    return Signal("losses", (), tuple(run), _figures(run), 1.0 / p)


def resignations(games: Sequence[Played]) -> Signal | None:
    """Return the games against one side that were given up early, if there are more than is usual."""
    met: dict[Subject, list[Played]] = {}
    for game in games:
        for other in game.opponents:
            met.setdefault(other, []).append(game)
    found = []
    for other, those in met.items():
        early = tuple(game for game in those if game.early)
        n, k = len(those), len(early)
        if k < LEAST_EARLY:
            continue
        p = sum(comb(n, i) * USUAL_EARLY**i * (1.0 - USUAL_EARLY) ** (n - i) for i in range(k, n + 1))
        if p < RARE:
            figures = {"games": n, "early": k, "won": sum(game.won for game in early)}
            found.append(Signal("resignations", other, early, figures, 1.0 / p))
    return max(found, key=lambda signal: signal.once_in, default=None)


def sudden(games: Sequence[Played], *, sides: int) -> Signal | None:
    """Return the run that ends now and is most surprising under the ratings, if it is surprising among all runs.

    For each beginning of the run, the likelihood if the strength changed there (each of SHIFTS equally probable) is
    divided by that under the ratings. If the ratings are right, such a quotient ever exceeds c with a probability of at
    most 1 / c (Ville's inequality). It has to exceed the number of sides times WINDOW beginnings, divided by ALARM.
    """
    run = [game for game in games if game.settled]
    bound = log(max(1, sides) * WINDOW / ALARM)
    totals = [0.0] * len(SHIFTS)
    best, begin = 0.0, None
    for i in range(len(run) - 1, -1, -1):
        p = min(1.0 - FLOOR, max(FLOOR, run[i].chance))
        for j, shift in enumerate(SHIFTS):
            # log of the chance with the shift over the chance without it, of what happened
            whole = log1p(p * (exp(shift) - 1.0))
            totals[j] += (shift if run[i].won else 0.0) - whole
        top = max(totals)
        quotient = top + log(sum(exp(total - top) for total in totals) / len(SHIFTS))
        if len(run) - i >= LEAST_RUN and quotient > best:
            best, begin = quotient, i
    if begin is None or best < bound:
        return None
    found = run[begin:]
    return Signal("sudden", (), tuple(found), _figures(found), exp(min(best, 690.0)))


def one_way(
    own: Sequence[Played], theirs: Sequence[Played], *, me: Subject, other: Subject, sides: int
) -> Signal | None:
    """Return the games of two sides, or accounts, that meet mostly each other and of which `me` wins nearly all.

    `own`, `theirs`: their last games. `me` may be a player: then `other` is one too, and is looked for in the sides.
    `sides`: how many are active. The ratings learn that `me` wins, so that the run need not be surprising in itself.
    """
    if sides < LEAST_SIDES:
        return None
    mine = [game for game in own if _faces(game, other)]
    back = [game for game in theirs if _faces(game, me)]
    if len(mine) < max(LEAST_MUTUAL, MUTUAL * len(own)) or len(back) < MUTUAL * len(theirs):
        return None
    won = sum(game.won for game in mine)
    moved = sum(game.moved for game in mine)
    if won < WON * len(mine) or moved < 1000 * LEAST_POINTS:
        return None
    figures = {**_figures(mine), "all": len(own), "points": round(moved / 1000)}
    return Signal("one_way", other, tuple(mine), figures, 1.0 / at_least(won, [game.chance for game in mine]))


def _faces(game: Played, other: Subject) -> bool:
    return any(set(other) <= set(side) for side in game.opponents)


def _figures(run: Sequence[Played]) -> dict[str, int]:
    """Return games, wins, and the wins expected by the ratings in tenths."""
    return {
        "games": len(run),
        "won": sum(game.won for game in run),
        "expected_tenths": round(10 * sum(game.chance for game in run)),
    }
