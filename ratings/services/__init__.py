"""The services that write the log, the states and the boards."""

from .club_scores import count_club_again
from .generations import rebuild, rebuild_if_free, verify
from .live import Rated, expire_boards, ladders_dirty, ladders_waiting, rate_waiting
from .log import log_merge, log_played, log_result, log_season, log_separation, log_void, revise
from .reports import make_due_reports, make_report, new_params
from .seasons import end_season, freeze, ladder_of_season

__all__ = [
    "Rated",
    "count_club_again",
    "end_season",
    "expire_boards",
    "freeze",
    "ladder_of_season",
    "ladders_dirty",
    "ladders_waiting",
    "log_merge",
    "log_played",
    "log_result",
    "log_season",
    "log_separation",
    "log_void",
    "make_due_reports",
    "make_report",
    "new_params",
    "rate_waiting",
    "rebuild",
    "rebuild_if_free",
    "revise",
    "verify",
]
