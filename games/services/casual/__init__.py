"""Casual tables: people find each other by a link, a code or the list of open tables, and play outside competitions.

A table waits in its room until every seat is held, by a person or by a bot; then its game begins. What is decided here
is read and written under the locks of game and table, in this order.
"""

from .closing import close_abandoned, note_presence
from .inviting import decline, invite
from .meeting import again, begin, leave
from .opening import CLOCKS, MOST_SEATS, open_table, quick_seat
from .seating import free, put_bot, remove_bot, sit, stand

__all__ = [
    "CLOCKS",
    "MOST_SEATS",
    "again",
    "begin",
    "close_abandoned",
    "decline",
    "free",
    "invite",
    "leave",
    "note_presence",
    "open_table",
    "put_bot",
    "quick_seat",
    "remove_bot",
    "sit",
    "stand",
]
