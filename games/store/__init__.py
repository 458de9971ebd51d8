"""The event store: append, read and fold. Only services and selectors import this.

Concurrency: a service locks the Game row, folds the rows, and appends with the seq of the last folded row. SQLite has
no row locks; its write lock has the same effect. In addition UNIQUE(game, seq) prevents two writers from adding rows
with the same number.
"""

from .archived import head_of, pack, text_of, unpack
from .locked import READ, Asked, Locked, LoginSeen, check, lock, lock_current, save, with_bots
from .months import month_of
from .rows import LostRace, answered, append, chain_values, insert, known_command, load, rows_of
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
    "head_of",
    "insert",
    "known_command",
    "load",
    "lock",
    "lock_current",
    "month_of",
    "opening_of",
    "pack",
    "remember",
    "rows_of",
    "save",
    "setup_of",
    "state_at",
    "text_of",
    "unpack",
    "winners",
    "with_bots",
]
