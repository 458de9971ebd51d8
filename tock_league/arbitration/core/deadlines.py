"""The time allowed for each step of a case: one set of values for live events and one for leagues.

The regulations of a competition may override them (`deadlines`); both sides see the values. They are in seconds,
because frozen settings hold whole numbers only. Source: docs/arbitration.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from tock_league.common.numbers import is_whole

MINUTE, HOUR, DAY = 60, 3600, 86400


@dataclass(frozen=True, slots=True)
class Deadlines:
    """The time allowed for each step of a case, in seconds."""

    file: int  # to file a dispute, from the end of the last game
    answer: int  # for the answer of the other side
    ruling: int  # for the ruling
    appeal: int  # to appeal, from the ruling
    panel: int  # for the ruling of the panel
    second: int  # for the second signature of a ruling
    evidence: int = 90 * DAY  # to bring evidence that was not available before, from the ruling
    lease: int = 5 * MINUTE  # how long a referee holds a case


LIVE = Deadlines(
    file=30 * MINUTE, answer=15 * MINUTE, ruling=10 * MINUTE, appeal=30 * MINUTE, panel=2 * HOUR, second=10 * MINUTE
)
LEAGUE = Deadlines(
    file=48 * HOUR, answer=24 * HOUR, ruling=72 * HOUR, appeal=48 * HOUR, panel=7 * DAY, second=24 * HOUR
)


def for_competition(*, live: bool, own: Mapping[str, int] | None = None) -> Deadlines:
    """Return the values of a live event or a league, with the competition's `own` values in their place.

    Raises ValueError for an unknown name and for a value that is not a positive whole number.
    """
    values = LIVE if live else LEAGUE
    known = {field.name for field in fields(Deadlines)}
    for name, value in (own or {}).items():
        if name not in known or not is_whole(value) or value <= 0:
            raise ValueError(f"deadline {name}: {value!r}")
    return replace(values, **dict(own or {}))
