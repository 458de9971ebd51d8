"""The services that write the log, the states and the boards."""

from .generations import rebuild, rebuild_if_free, verify
from .live import Rated, expire_boards, ladders_dirty, ladders_waiting, rate_waiting
from .log import log_played, log_result, log_void, revise
from .reports import make_report, new_params

__all__ = [
    "Rated",
    "expire_boards",
    "ladders_dirty",
    "ladders_waiting",
    "log_played",
    "log_result",
    "log_void",
    "make_report",
    "new_params",
    "rate_waiting",
    "rebuild",
    "rebuild_if_free",
    "revise",
    "verify",
]
