"""`{% load tractor %}`: Tractor's table as the server draws it: cards with their name in the corner, the felt, data for
the script.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import escape, json_script
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.engine.tractor.rules import RANKS

from . import _pieces, _tractor

register = template.Library()
JOKERS = ("BJ", "RJ")


def card_name(card: str) -> str:
    """Return a card of Tractor in words in the language of the page."""
    if card in JOKERS:
        return _("red joker") if card == "RJ" else _("black joker")
    return _pieces.card_name(card)


def _use(name: str, x: float, y: float, scale: float) -> str:
    return f'<use href="#suit-{name}" transform="translate({x} {y}) scale({scale})"/>'


@register.simple_tag
def tractor_card(name: str) -> SafeString:
    """`{% tractor_card "KS" %}`: rank and suit in the corner, so that both show under the next card."""
    if name in JOKERS:
        kind = "suit-h" if name == "RJ" else "suit-s joker-black"
        inner = (
            f'{_use("star", 8, 3, 1.25)}<text class="card-joker" x="23" y="46">JOKER</text>{_use("star", 26, 50, 1.2)}'
        )
    else:
        rank, suit = name[:-1], name[-1]
        if rank not in RANKS or suit not in _pieces.SUITS:
            raise KeyError(name)
        kind, ten = f"suit-{suit.lower()}", " ten" if rank == "10" else ""
        inner = (
            f'<text class="card-rank{ten}" x="5" y="27">{rank}</text>{_use(suit, 7, 32, 0.92)}{_use(suit, 27, 46, 1.2)}'
        )
    return mark_safe(
        f'<svg class="card" viewBox="0 0 60 84" role="img" aria-label="{escape(card_name(name))}">'
        f'<rect class="card-face" x=".75" y=".75" width="58.5" height="82.5" rx="7"/><g '
        f'class="{kind}">{inner}</g></svg>'
    )


@register.simple_tag
def tractor_felt(boot: Mapping[str, Any]) -> dict[str, Any]:
    """`{% tractor_felt boot as felt %}`: see `_tractor.felt`."""
    return _tractor.felt(boot)


@register.simple_tag
def tractor_sheet(boot: Mapping[str, Any]) -> SafeString:
    """What the page's script needs of the rules: `<script id="sheets">`, by rule set and number of seats."""
    found = _tractor.rules_of(boot["rules"])
    data = {} if found is None else {f"{boot['rules']}:{boot['seats']}": _tractor.sheet(found)}
    return json_script(data, "sheets")
