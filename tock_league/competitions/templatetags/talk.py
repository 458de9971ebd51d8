"""`{% load talk %}`: the way to the talk after a game, for those who take part in it."""

from typing import Any

from django import template

from games.models import Game
from tock_league.accounts.models import Player

from ..selectors.results.talk import is_open, may_read

register = template.Library()


@register.filter
def talks_about(viewer: Any, game: Game) -> bool:
    """`{% if viewer|talks_about:game %}`: whether the reader has played the game, and it may be talked about now."""
    return isinstance(viewer, Player) and may_read(viewer, game) and is_open(game)
