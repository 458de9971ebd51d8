"""What one delivery sends: its body and its headers."""

import json
from datetime import UTC, datetime
from typing import Any

from tock_league.common import clock
from tock_league.competitions.models import Competition
from tock_league.feed import payloads
from tock_league.feed.models import FeedEvent

from ..models import Delivery
from ..selectors import place_of
from .keeping import PING
from .signing import signature

BODY_BYTES = 256 * 1024  # a larger body goes without its data
USER_AGENT = "TockLeague-Webhook/1"


def body_of(delivery: Delivery) -> bytes | None:
    """Return the bytes that are signed and sent; None where the fact is not public (any more, or yet).

    The data are left out beyond BODY_BYTES. The standings of a large event take many queries: call it outside transactions.
    """
    if delivery.kind == PING:
        return _encoded(_ping(delivery))
    row = FeedEvent.objects.select_related("competition").filter(pk=int(delivery.event)).first()
    data = payloads.data_of(row) if row is not None else None
    if row is None or data is None:
        return None
    envelope = payloads.envelope(row)
    whole = _encoded({**envelope, "data": data})
    return whole if len(whole) <= BODY_BYTES else _encoded({**envelope, "data": None})


def _ping(delivery: Delivery) -> dict[str, Any]:
    at = delivery.made_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    place = place_of(delivery.webhook)
    shown = {"slug": place.slug, "name": place.name} if isinstance(place, Competition) else None
    return {"id": delivery.event, "type": PING, "at": at, "competition": shown, "data": {}}


def _encoded(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=str).encode()


def headers_of(delivery: Delivery, secret: str, body: bytes, *, at: datetime) -> dict[str, str]:
    """Return the headers of an attempt at that time."""
    timestamp = clock.ms(at) // 1000
    return {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "webhook-id": delivery.event,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(secret, event=delivery.event, timestamp=timestamp, body=body),
    }
