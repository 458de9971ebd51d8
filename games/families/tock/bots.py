"""The bots and the default play of Tock."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.bots import choice, coach, default
from games.bots.at_table import Players


def _answer(view: Mapping[str, Any], legal: Sequence[str], **more: Any) -> str:
    """Call `choice.choose` with `more`; the name is looked up at each call so that a test can replace it."""
    return choice.choose(view, legal, **more)


def _default(view: Mapping[str, Any], legal: Sequence[str]) -> str:
    return default.default_play(legal)


def _advise(view: Mapping[str, Any], legal: Sequence[str], *, seat: int) -> Mapping[str, Any]:
    return coach.advise(view, legal, seat=seat).to_json()


BOTS = Players(levels=choice.LEVELS, answer=_answer, default=_default, assess=choice.assess, advise=_advise)
