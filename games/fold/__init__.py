"""The pure part of a table: rows in, state and views out. No Django, no clock, no randomness."""

from . import acts, caps
from .beacon import SCHEME, Beacon, Chain, round_for
from .cap_clock import TimeCap
from .clocks import Clocks, ClockSettings
from .ending import finished, ranks_without, result_of, rivals, score
from .patch import diff, merge, view_hash
from .rows import CLOCK, REFEREE, SYSTEM, BadRecord, Row, by_seat, canonical, first_link, link, record_line
from .shares import BY_SEATS, NONE, SHARE_MS, Shares
from .state import Family, Setup, TableState, family_of, opening
from .table import Step, apply_row, counts_from, fold, rewind_target, steps, take_back_target
from .told import Sight, Told, events, told, wire_text
from .values import Freeze, Result, Touch
from .view import clocks_json, view
from .viewer import EVERYTHING, SPECTATOR, Viewer

__all__ = [
    "BY_SEATS",
    "CLOCK",
    "EVERYTHING",
    "NONE",
    "REFEREE",
    "SCHEME",
    "SHARE_MS",
    "SPECTATOR",
    "SYSTEM",
    "BadRecord",
    "Beacon",
    "Chain",
    "ClockSettings",
    "Clocks",
    "Family",
    "Freeze",
    "Result",
    "Row",
    "Setup",
    "Shares",
    "Sight",
    "Step",
    "TableState",
    "TimeCap",
    "Told",
    "Touch",
    "Viewer",
    "acts",
    "apply_row",
    "by_seat",
    "canonical",
    "caps",
    "clocks_json",
    "counts_from",
    "diff",
    "events",
    "family_of",
    "finished",
    "first_link",
    "fold",
    "link",
    "merge",
    "opening",
    "ranks_without",
    "record_line",
    "result_of",
    "rewind_target",
    "rivals",
    "round_for",
    "score",
    "steps",
    "take_back_target",
    "told",
    "view",
    "view_hash",
    "wire_text",
]
