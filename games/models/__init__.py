from .event import GameEvent
from .game import DealSecret, Game
from .table import Seating, Table, TableRole

__all__ = ["DealSecret", "Game", "GameEvent", "Seating", "Table", "TableRole"]
