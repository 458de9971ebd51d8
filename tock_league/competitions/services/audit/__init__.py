"""Recompute results and standings from nothing, and compare them with what is stored."""

from .places import differences as places
from .results import differences as results
from .results import of_game

__all__ = ["of_game", "places", "results"]
