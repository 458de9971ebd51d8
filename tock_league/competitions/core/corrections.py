"""For how long the desk may correct a result, and what a correction does to matches that followed from it."""

from datetime import datetime, timedelta

EVENT_S = 30 * 60  # the default of tournaments and club nights
LEAGUE_S = 48 * 3600
MOST_CORRECTION_S = 30 * 86_400

REPLAY, STAND = "replay", "stand"
# Of a bracket's later matches that have begun: they are played again with the right team, or they stand.
LATER = (REPLAY, STAND)


def ends(decided: datetime, corrected: datetime | None, seconds: int) -> datetime:
    """Return until when a result may be corrected: a correction may itself be corrected for as long.

    `decided`: when the match got its result; `corrected`: when it was last corrected.
    """
    start = decided if corrected is None else max(decided, corrected)
    return start + timedelta(seconds=seconds)
