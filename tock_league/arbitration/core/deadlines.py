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
    """`file`: after the result; `answer`: of the other side; `ruling`; `appeal`: after notice; `panel`: its ruling;

    `evidence`: for evidence that was not available before; `lease`: how long a referee holds a case.
    """

    file: int
    answer: int
    ruling: int
    appeal: int
    panel: int
    evidence: int = 90 * DAY
    lease: int = 5 * MINUTE


LIVE = Deadlines(file=30 * MINUTE, answer=15 * MINUTE, ruling=10 * MINUTE, appeal=30 * MINUTE, panel=2 * HOUR)
LEAGUE = Deadlines(file=48 * HOUR, answer=24 * HOUR, ruling=72 * HOUR, appeal=48 * HOUR, panel=7 * DAY)


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
