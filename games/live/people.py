"""Who is behind a request or a socket: a player by the login, a guest by a key in the session. Frames never say."""

from collections.abc import Iterable
from typing import Any

from django.contrib.sessions.models import Session

from games.permissions import Person

GUEST_KEY = "table_guest"


def person_of(user: Any, session: Any) -> Person:
    """Answer the person with this login and session. Reads the database: call it off the loop."""
    guest_key = str(session.get(GUEST_KEY, "")) if session is not None else ""
    if user is None or not user.is_authenticated:
        return Person(guest_key=guest_key)
    player = getattr(user, "player", None)
    return Person(player_id=player.pk if player is not None else None, guest_key=guest_key)


def ended(keys: Iterable[str]) -> set[str]:
    """Answer which of these session keys stand no longer: signed out, expired, removed. One query."""
    asked = {key for key in keys if key}
    return asked - set(Session.objects.filter(session_key__in=asked).values_list("session_key", flat=True))
