"""Append-only tables: triggers, the migration operation that creates them, the check that they exist."""

from .operations import AppendOnly

__all__ = ["AppendOnly"]
