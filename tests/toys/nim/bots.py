"""The bots of Nim: a random one, and one that uses the remainder."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.bots.at_table import Players, Roll


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
    if level == "random":
        return legal[roll(len(legal))]
    return _default(view, legal)


def _default(view: Mapping[str, Any], legal: Sequence[str]) -> str:
    best = f"take {view['heap'] % 4}"
    return best if best in legal else legal[0]


BOTS = Players(levels=("random", "club"), answer=_answer, default=_default)
