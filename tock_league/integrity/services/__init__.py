"""The watch: looking at new games, and the head referee's decisions."""

from .deciding import close, open_case
from .looking import look

__all__ = ["close", "look", "open_case"]
