"""The event store: append, read and fold. Only services and selectors import this.

Concurrency: a service locks the Game row, folds the rows, and appends with the seq of the last folded row. SQLite has
no row locks; its write lock has the same effect. In addition UNIQUE(game, seq) prevents two writers from adding rows
with the same number.
"""

from .locked import READ, Asked, Locked, LoginSeen, check, lock, lock_current, save, with_bots
from .months import month_of
from .rows import LostRace, answered, append, chain_values, known_command, load, rows_of
from .states import current, folded, opening_of, remember, setup_of, state_at, winners

__all__ = [
    "READ",
    "Asked",
    "Locked",
    "LoginSeen",
    "LostRace",
    "answered",
    "append",
    "chain_values",
    "check",
    "current",
    "folded",
    "known_command",
    "load",
    "lock",
    "lock_current",
    "month_of",
    "opening_of",
    "remember",
    "rows_of",
    "save",
    "setup_of",
    "state_at",
    "winners",
    "with_bots",
]
