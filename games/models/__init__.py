from .analysis import Analysis
from .archived import ArchivedRecord
from .casual import CasualTable, HeldSeat, TableInvitation
from .comment import PlayComment
from .event import GameEvent
from .game import DealSecret, Game, SeatView
from .preferences import TablePreferences
from .service import Outage, Pulse
from .table import Seating, Table, TableRole

__all__ = [
    "Analysis",
    "ArchivedRecord",
    "CasualTable",
    "DealSecret",
    "Game",
    "GameEvent",
    "HeldSeat",
    "Outage",
    "PlayComment",
    "Pulse",
    "SeatView",
    "Seating",
    "Table",
    "TableInvitation",
    "TablePreferences",
    "TableRole",
]
