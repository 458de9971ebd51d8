"""The pure part of a table: rows in, state and views out. No Django, no clock, no chance."""

from .clocks import Clocks, ClockSettings
from .patch import diff, merge, view_hash
from .rows import CLOCK, SYSTEM, Row, by_seat, canonical, first_link, link, record_line
from .state import Result, Setup, TableState, Touch, opening
from .table import BadRecord, Step, apply_row, fold, steps
from .view import EVERYTHING, SPECTATOR, Viewer, clocks_json, events, in_heaven, legal, view

__all__ = [
    "CLOCK",
    "EVERYTHING",
    "SPECTATOR",
    "SYSTEM",
    "BadRecord",
    "ClockSettings",
    "Clocks",
    "Result",
    "Row",
    "Setup",
    "Step",
    "TableState",
    "Touch",
    "Viewer",
    "apply_row",
    "by_seat",
    "canonical",
    "clocks_json",
    "diff",
    "events",
    "first_link",
    "fold",
    "in_heaven",
    "legal",
    "link",
    "merge",
    "opening",
    "record_line",
    "steps",
    "view",
    "view_hash",
]
