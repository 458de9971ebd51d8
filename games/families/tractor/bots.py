"""The bots and the default play of Tractor."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.bots import tractor
from games.bots.at_table import Players, Roll
from games.bots.tractor.default import default_play


def _answer(
    view: Mapping[str, Any],
    legal: Sequence[str],
    *,
    level: str,
    roll: Roll,
    seat: int,
    seen: Sequence[str],
    **more: Any,
) -> str:
    """`more` is for levels that search; no level of this family does."""
    return tractor.choose({**view, "gone": list(seen)}, legal, level=level, roll=roll)


BOTS = Players(levels=tractor.LEVELS, answer=_answer, default=default_play)
