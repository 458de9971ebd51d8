from .analysis import Analysis
from .event import GameEvent
from .game import DealSecret, Game, SeatView
from .table import Seating, Table, TableRole

__all__ = ["Analysis", "DealSecret", "Game", "GameEvent", "SeatView", "Seating", "Table", "TableRole"]
