"""Whether a mail or a push is still wanted when it is about to leave, and when it may."""

from datetime import datetime

from ..core import quiet
from ..kinds import KINDS
from ..models import Notice
from ..selectors import GIVE_UP_AFTER, hours_of, wishes


def unwanted(row: Notice, way: str, now: datetime) -> str:
    """Return why nothing is sent any more: `seen` in the site, `too_late`, `gave_up`, `switched_off`; "" otherwise."""
    if row.seen_at is not None:
        return "seen"
    if row.useless_at is not None and row.useless_at <= now:
        return "too_late"
    if row.at < now - GIVE_UP_AFTER:
        return "gave_up"
    if way not in wishes([row.player_id], KINDS[row.kind])[row.player_id]:
        return "switched_off"
    return ""


def after_quiet(row: Notice, now: datetime) -> datetime:
    """Return when something may be sent to the player: `now`, or the end of the quiet hours.

    No query where `player__quiet_hours` is loaded with the row, else one.
    """
    begins, ends = hours_of(getattr(row.player, "quiet_hours", None))
    return quiet.over_at(now, row.player.time_zone, begins=begins, ends=ends)
