"""The event store: append, read and fold. Only services and selectors import this.

Concurrency: a service locks the Game row, folds the rows, and appends with the seq of the last folded row. SQLite has
no row locks; its write lock has the same effect. In addition UNIQUE(game, seq) prevents two writers from adding rows
with the same number.
"""

from .locked import READ, Asked, Locked, LoginSeen, check, lock, lock_current, save, with_bots
from .rows import LostRace, answered, append, chain_values, load
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
    "load",
    "lock",
    "lock_current",
    "opening_of",
    "remember",
    "save",
    "setup_of",
    "state_at",
    "winners",
    "with_bots",
]
