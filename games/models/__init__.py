from .analysis import Analysis
from .event import GameEvent
from .game import DealSecret, Game, SeatView
from .service import Outage, Pulse
from .table import Seating, Table, TableRole

__all__ = [
    "Analysis",
    "DealSecret",
    "Game",
    "GameEvent",
    "Outage",
    "Pulse",
    "SeatView",
    "Seating",
    "Table",
    "TableRole",
]
