"""The watch: looking at new games, and the head referee's decisions."""

from .deciding import close, open_case
from .forgetting import forget
from .looking import look

__all__ = ["close", "forget", "look", "open_case"]
