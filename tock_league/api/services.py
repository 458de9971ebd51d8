"""Writes that are done once, however often their request arrives."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import User
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

from .models import Answer

KEPT = timedelta(days=1)
KEY = re.compile(r"[\x21-\x7e]{8,64}")
HEADER = "Idempotency-Key"


@dataclass(frozen=True)
class Done:
    """The answer to a write, and whether it is that of an earlier request."""

    status: int
    body: Any
    repeated: bool


def answered(*, by: User, key: str, digest: str) -> Done | None:
    """Return the answer that a request with this `key` has had within KEPT; None where there was none. One query.

    To be asked before anything else: what the deed has changed may forbid to do it again. Raises as `once` does on
    `idempotency_reused`.
    """
    if not KEY.fullmatch(key):
        return None
    row = Answer.objects.filter(user=by, key=key, at__gt=clock.now() - KEPT).first()
    return _again(row, digest) if row is not None else None


def once(*, by: User, key: str, digest: str, deed: Callable[[], tuple[int, Any]]) -> Done:
    """Do `deed`, which returns status and body, unless a request with this `key` has done it; return its answer.

    Deed and stored answer are one transaction. A deed that raises leaves no answer behind: nothing was written, and the
    request may be repeated with the same key. Two requests at once: the second one waits for the first.
    Raises Refused `idempotency_key` (400) for a key that is missing or malformed, and `idempotency_reused` for one that another
    request of this person has used within KEPT.
    """
    if not KEY.fullmatch(key):
        text = _(
            "A request that writes needs the header Idempotency-Key: 8 to 64 visible ASCII characters, new for each deed."
        )
        raise Refused("idempotency_key", text, field=HEADER, status=400)
    with writing():
        now = clock.now()
        Answer.objects.filter(user=by, key=key, at__lte=now - KEPT).delete()
        row, is_new = Answer.objects.get_or_create(
            user=by, key=key, defaults={"digest": digest, "status": 0, "body": None, "at": now}
        )
        if not is_new:
            return _again(row, digest)
        row.status, row.body = deed()
        row.save(update_fields=["status", "body"])
        return Done(row.status, row.body, repeated=False)


def _again(row: Answer, digest: str) -> Done:
    if row.digest != digest:
        text = _("This Idempotency-Key belongs to another request. Send a new key with a new deed.")
        raise Refused("idempotency_reused", text, field=HEADER)
    return Done(row.status, row.body, repeated=True)


def forget() -> int:
    """Delete the answers that are older than KEPT; return how many."""
    with writing():
        return Answer.objects.filter(at__lte=clock.now() - KEPT).delete()[0]
