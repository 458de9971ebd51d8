"""Keeps players who were given up in a merge out of competitions and their tables (decision 0060).

Each function is a WITHIN subscriber and only reads. A result of a game from before the merge may still be entered.
"""

from games.announcements import SeatTaken
from tock_league.accounts.merged import require_separate

from ...announcements import PlayersEntered, PlayersTakePart


def refuse_entry(told: PlayersEntered) -> None:
    """Refuse a roster with such a player. Raises Refused `merged` on `team`."""
    require_separate(*told.player_ids, field="team")


def refuse_taking_part(told: PlayersTakePart) -> None:
    """Refuse a check-in, a substitution or a result on paper of a game played since. Raises Refused `merged`."""
    require_separate(*told.player_ids, field=told.field, at=told.at)


def refuse_seat(told: SeatTaken) -> None:
    """Refuse the seat at a match's table. Raises Refused `merged`."""
    require_separate(told.player_id)
