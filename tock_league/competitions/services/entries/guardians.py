"""Keeps children without a guardian's consent out of competitions and their tables (decision 0030).

Each function is a WITHIN subscriber and only reads. A game that has begun is played to its end.
"""

from games.announcements import SeatTaken
from tock_league.accounts.minors import require_consent

from ...announcements import PlayersEntered, PlayersTakePart


def refuse_entry(told: PlayersEntered) -> None:
    """Refuse a roster with such a child. Raises Refused `consent_missing` on `team`."""
    require_consent(*told.player_ids, field="team")


def refuse_taking_part(told: PlayersTakePart) -> None:
    """Refuse a check-in, a substitution or a result on paper. Raises Refused `consent_missing` on its field."""
    require_consent(*told.player_ids, field=told.field)


def refuse_seat(told: SeatTaken) -> None:
    """Refuse the seat at a match's table. Raises Refused `consent_missing`."""
    require_consent(told.player_id)
