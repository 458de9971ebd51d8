"""Who stands on a board, and how much is missing.

| board | uncertainty at most | rated games | opposing teams | a game in the last | partners (players only) |
| --- | --- | --- | --- | --- | --- |
| not provisional | 3.5 | 8 | | | |
| club | 3.5 | 8 | 3 | 60 days | |
| global | 2.4 | 8 | 6 | 30 days | 3 with 5 games each |

The uncertainty is that of the scale of one player and grows while nobody plays, so a place on a board ends by itself.
Partners are not asked on a club's own board: there the row says "tied to one partner" instead.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt
from typing import NamedTuple

from .gaussian import Estimate
from .score import per_player

PARTNER_GAMES = 5  # games together from which a partner counts


@dataclass(frozen=True, slots=True)
class Board:
    """The conditions of one board; `partners` is asked of players only, 0 for none."""

    sigma: float
    games: int
    opponents: int
    days: int
    partners: int


PROVISIONAL_SIGMA, PROVISIONAL_GAMES = 3.5, 8
CLUB = Board(sigma=PROVISIONAL_SIGMA, games=PROVISIONAL_GAMES, opponents=3, days=60, partners=0)
GLOBAL = Board(sigma=2.4, games=PROVISIONAL_GAMES, opponents=6, days=30, partners=3)


@dataclass(frozen=True, slots=True)
class Record:
    """What the conditions look at. `members`: 1 for a player; `estimate`: as of the last game; `partners`: those with
    at least PARTNER_GAMES games together; `last`: the last rated game, None before the first."""

    members: int
    estimate: Estimate
    games: int
    opponents: int
    partners: int
    last: datetime | None


class Gap(NamedTuple):
    """One unmet condition. `code`: games, uncertainty, opponents, recent or partners. `missing`: how many more (games,
    opponents, partners; 0 where it is no count). `limit`: what the board asks (days for recent). `now`: what is there
    (sigma for uncertainty)."""

    code: str
    missing: int
    limit: float
    now: float


def is_provisional(record: Record, *, at: datetime, idle_per_day: float) -> bool:
    """Return whether the rating is too young, too rare or too uncertain to be ranked anywhere."""
    if record.games < PROVISIONAL_GAMES or record.last is None:
        return True
    return sigma_at(record, at, idle_per_day) > PROVISIONAL_SIGMA


def gaps(record: Record, board: Board, *, at: datetime, idle_per_day: float) -> tuple[Gap, ...]:
    """Return what keeps `record` from `board` at the instant `at`; empty when it stands on it."""
    missing: list[Gap] = []
    if record.games < board.games:
        missing.append(Gap("games", board.games - record.games, board.games, record.games))
    if sigma_at(record, at, idle_per_day) > board.sigma:
        missing.append(Gap("uncertainty", 0, board.sigma, sigma_at(record, at, idle_per_day)))
    if record.opponents < board.opponents:
        missing.append(Gap("opponents", board.opponents - record.opponents, board.opponents, record.opponents))
    if record.members == 1 and record.partners < board.partners:
        missing.append(Gap("partners", board.partners - record.partners, board.partners, record.partners))
    if record.last is not None and at >= record.last + timedelta(days=board.days):
        missing.append(Gap("recent", 1, board.days, (at - record.last).days))
    return tuple(missing)


def eligible_until(record: Record, board: Board, *, idle_per_day: float) -> datetime | None:
    """Return the instant at which a row that stands on `board` falls off by itself; None before the first game.

    The earlier of: the activity window's end, and the last game + (limit squared - sigma squared) / growth a day.
    """
    if record.last is None:
        return None
    return min(record.last + timedelta(days=board.days), _certain_until(record, board.sigma, idle_per_day))


def _certain_until(record: Record, limit: float, idle_per_day: float) -> datetime:
    assert record.last is not None
    sigma = per_player(record.estimate, record.members).sigma
    room = max(0.0, limit * limit - sigma * sigma)
    days = min(room / idle_per_day, 36500.0) if idle_per_day else 36500.0
    return record.last + timedelta(days=days)


def sigma_at(record: Record, at: datetime, idle_per_day: float) -> float:
    """Return the uncertainty as it is shown and asked at the instant `at`, on the scale of one player.

    Parts of days count here, so that a place ends at the instant `eligible_until` says."""
    sigma = per_player(record.estimate, record.members).sigma
    if record.last is None or at <= record.last:
        return sigma
    return sqrt(sigma * sigma + idle_per_day * ((at - record.last) / timedelta(days=1)))
