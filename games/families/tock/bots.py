"""Who plays Tock at a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.bots import choice, default
from games.bots.at_table import Players


def _default(view: Mapping[str, Any], legal: Sequence[str]) -> str:
    return default.default_play(legal)


BOTS = Players(levels=choice.LEVELS, answer=choice.choose, default=_default, assess=choice.assess)
