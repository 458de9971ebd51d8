"""What keeps a table append-only: triggers, the migration operation that makes them, the check that misses them."""

from .operations import AppendOnly

__all__ = ["AppendOnly"]
