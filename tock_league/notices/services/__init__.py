"""Services of notices: telling people, their settings, and the mails."""

from .settings import (
    allow_mail,
    choose,
    mark_all_seen,
    mark_seen,
    set_quiet_hours,
    stop_mails,
)
from .telling import is_silent, silence, tell, tell_withdrawn

__all__ = [
    "allow_mail",
    "choose",
    "is_silent",
    "mark_all_seen",
    "mark_seen",
    "set_quiet_hours",
    "silence",
    "stop_mails",
    "tell",
    "tell_withdrawn",
]
