"""The event store: append, read and fold. Only services and selectors import this.

Concurrency: a service locks the Game row, folds, and appends with the seq it folded to. UNIQUE(game, seq) excludes two
writers even where the row lock does nothing (SQLite ignores it; its write lock has the same effect).
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
