"""Services of webhooks: looking after them, and telling them facts."""

from .keeping import KINDS, MOST, Made, add, change, ping, remove, renew_secret, send_again, switch_off, switch_on

__all__ = [
    "KINDS",
    "MOST",
    "Made",
    "add",
    "change",
    "ping",
    "remove",
    "renew_secret",
    "send_again",
    "switch_off",
    "switch_on",
]
