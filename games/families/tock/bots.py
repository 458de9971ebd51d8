"""Who plays Tock at a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.bots import choice, default
from games.bots.at_table import Players


def _answer(view: Mapping[str, Any], legal: Sequence[str], **more: Any) -> str:
    """`more`: see `choice.choose`, whose name is looked up at each call so that a test may listen."""
    return choice.choose(view, legal, **more)


def _default(view: Mapping[str, Any], legal: Sequence[str]) -> str:
    return default.default_play(legal)


BOTS = Players(levels=choice.LEVELS, answer=_answer, default=_default, assess=choice.assess)
