"""Services of notices: telling people, their settings, the mails and the pushes."""

from .devices import add_device, end_device, password_renewed, sessions_ended, show_texts, signed_out
from .settings import (
    allow_mail,
    choose,
    mark_all_seen,
    mark_seen,
    set_quiet_hours,
    stop_mails,
)
from .telling import is_silent, silence, tell, tell_withdrawn
from .weekly import set_digest_hour

__all__ = [
    "add_device",
    "allow_mail",
    "choose",
    "end_device",
    "is_silent",
    "mark_all_seen",
    "mark_seen",
    "password_renewed",
    "sessions_ended",
    "set_digest_hour",
    "set_quiet_hours",
    "show_texts",
    "signed_out",
    "silence",
    "stop_mails",
    "tell",
    "tell_withdrawn",
]
