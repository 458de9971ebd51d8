"""The log of authentication: who signed in and out, and each failure. No address, no password, no session key.

A failure names no login, because people type passwords into the wrong field; axes keeps the tried name for the lock-out.
"""

import logging
from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed

from .metrics import SIGN_INS

log = logging.getLogger(__name__)


def connect() -> None:
    """Listen to Django's signals; once a process."""
    user_logged_in.connect(_signed_in, dispatch_uid="signed in")
    user_logged_out.connect(_signed_out, dispatch_uid="signed out")
    user_login_failed.connect(_failed, dispatch_uid="sign-in failed")


def _signed_in(user: Any, **_more: Any) -> None:
    SIGN_INS.labels("done").inc()
    log.info("signed in", extra={"details": {"login": user.pk}})


def _signed_out(user: Any, **_more: Any) -> None:
    if user is not None:
        log.info("signed out", extra={"details": {"login": user.pk}})


def _failed(**_more: Any) -> None:
    SIGN_INS.labels("failed").inc()
    log.info("sign-in failed")
