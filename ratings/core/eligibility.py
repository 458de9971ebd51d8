"""The conditions of a place on a leaderboard, and what a player or team still lacks.

| board | uncertainty at most | rated games | opposing teams | a game in the last | partners (players only) |
| --- | --- | --- | --- | --- | --- |
| not provisional | 3.5 | 8 | | | |
| club | 3.5 | 8 | 3 | 60 days | |
| global | 2.4 | 8 | 6 | 30 days | 3 with 5 games each |

The uncertainty is on the scale of one player. It grows during inactivity, so a place on a board expires by itself.
A club's own board has no condition on partners: there the row says "tied to one partner" instead.
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
    """The conditions of one board."""

    sigma: float  # maximum uncertainty, on the scale of one player
    games: int  # minimum number of rated games
    opponents: int  # minimum number of opposing teams
    days: int  # the last rated game must be less than so many days ago
    partners: int  # minimum number of partners with PARTNER_GAMES games together; players only, 0 for no condition


PROVISIONAL_SIGMA, PROVISIONAL_GAMES = 3.5, 8
CLUB = Board(sigma=PROVISIONAL_SIGMA, games=PROVISIONAL_GAMES, opponents=3, days=60, partners=0)
GLOBAL = Board(sigma=2.4, games=PROVISIONAL_GAMES, opponents=6, days=30, partners=3)


@dataclass(frozen=True, slots=True)
class Record:
    """The figures of a player or team that the conditions are checked against."""

    members: int  # 1 for a player
    estimate: Estimate  # as of the last game, without the growth since
    games: int  # rated games
    opponents: int  # opposing teams met
    partners: int  # partners with at least PARTNER_GAMES games together
    last: datetime | None  # the end of the last rated game; None before the first


class Gap(NamedTuple):
    """One unmet condition."""

    code: str  # games, uncertainty, opponents, partners or recent
    missing: int  # how many more games, opponents or partners are needed; 0 for uncertainty, 1 (a game) for recent
    limit: float  # the condition of the board: a count, sigma for uncertainty, days for recent
    now: float  # the current value, in the unit of `limit`


def is_provisional(record: Record, *, at: datetime, idle_per_day: float) -> bool:
    """Return whether the rating has too few games or too much uncertainty at the instant `at` to be ranked."""
    if record.games < PROVISIONAL_GAMES or record.last is None:
        return True
    return sigma_at(record, at, idle_per_day) > PROVISIONAL_SIGMA


def gaps(record: Record, board: Board, *, at: datetime, idle_per_day: float) -> tuple[Gap, ...]:
    """Return the conditions of `board` that `record` does not meet at the instant `at`; empty if it has a place."""
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
    """Return the instant at which a row loses its place on `board` if no game follows; None before the first game.

    It is the earlier of the end of the activity window and the instant at which the uncertainty reaches the limit:
    last game + (limit squared - sigma squared) / growth per day.
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
    """Return the uncertainty at the instant `at`, on the scale of one player, as shown and compared with the limits.

    Fractions of days count, so that a place ends exactly at the instant that `eligible_until` returns."""
    sigma = per_player(record.estimate, record.members).sigma
    if record.last is None or at <= record.last:
        return sigma
    return sqrt(sigma * sigma + idle_per_day * ((at - record.last) / timedelta(days=1)))
