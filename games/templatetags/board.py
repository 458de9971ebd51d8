"""`{% load board %}`: the board, cards and marbles for any page, drawn on the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from . import _drawing, _pieces, _sheet
from ._geometry import BARE, BOWL, BOWL_RADIUS, MARGIN, PILE, Geometry
from ._names import seat_names

register = template.Library()


def geometry(seats: int, own: int = 0, rules: str = _sheet.DEFAULT) -> dict[str, Any]:
    """Return the position of every place of the board for the browser; plain JSON.

    `places`: [x, y] by name (`t12`, heaven `2h1`, reserve `2r0`), in spaces, y down, seat `own` at the bottom; `half`:
    half the side of the drawing with its rim, `bare`: without; `pieu`: track space by seat; `pile`: the place of the
    cards; `bowl`: if there is a centre, its middle and its radius.
    """
    g, bowl = Geometry(seats, own), _sheet.marks(rules, seats).bowl
    centre = {"pile": [0, PILE], "bowl": [*BOWL, BOWL_RADIUS]} if bowl else {"pile": [0, 0]}
    return centre | {
        "seats": seats,
        "own": own,
        "half": round(g.half(rim=True), 2),
        "bare": round(g.inner + BARE + MARGIN, 2),
        "pieu": {str(seat): g.pieu(seat) for seat in range(seats)},
        "places": {name: [round(x, 3), round(y, 3)] for name, (x, y) in g.places()},
    }


def _by_seat(marbles: Mapping[str, Sequence[str]] | Sequence[Sequence[str]] | None) -> Mapping[str, Sequence[str]]:
    if marbles is None:
        return {}
    if isinstance(marbles, Mapping):
        return marbles
    return {str(seat): places for seat, places in enumerate(marbles)}


@register.simple_tag
def board(
    seats: int = 4,
    own: int | None = 0,
    marbles: Mapping[str, Sequence[str]] | Sequence[Sequence[str]] | None = None,
    fresh: Sequence[int] | None = None,
    names: Sequence[str] | None = None,
    turn: int | None = None,
    pile: str = "",
    targets: Sequence[Sequence[object]] | None = None,
    rim: bool = True,
    ident: str = "b",
    label: str = "",
    live: bool = False,
    rules: str = _sheet.DEFAULT,
) -> SafeString:
    """`{% board seats=4 marbles=view.marbles fresh=view.fresh names=names own=0 %}`; see `_drawing.draw`."""
    text = _drawing.draw(
        Geometry(seats, own if isinstance(own, int) else 0),
        marbles=_by_seat(marbles),
        fresh=fresh or (),
        names=names or (),
        turn=turn,
        pile=pile or "",
        targets=targets or (),
        rim=rim,
        ident=ident,
        label=label or _("Board with %(seats)s seats") % {"seats": seats},
        live=live,
        marks=_sheet.marks(rules, seats),
    )
    return mark_safe(text)  # names, labels and idents are escaped or ours


@register.simple_tag
def board_of(boot: Mapping[str, Any], ident: str = "b", live: bool = True) -> SafeString:
    """The board of a table or replay page from its `boot` data, ready for the page's script."""
    view = boot["snap"]["view"]
    return board(
        seats=boot["seats"],
        own=boot.get("seat"),
        marbles=view.get("marbles"),
        fresh=view.get("fresh"),
        names=seat_names(boot),
        turn=view.get("turn"),
        pile=view.get("pile", ""),
        ident=ident,
        live=live,
        rules=boot.get("rules", _sheet.DEFAULT),
    )


@register.simple_tag
def geometry_data(boot: Mapping[str, Any]) -> SafeString:
    """The geometry of the page's board as data for its script: `<script id="geometry" type="application/json">`."""
    own = boot.get("seat")
    return json_script(geometry(boot["seats"], own if isinstance(own, int) else 0, boot["rules"]), "geometry")


@register.simple_tag
def sheets_data(boot: Mapping[str, Any]) -> SafeString:
    """What the page's script knows of the rules: `<script id="sheets">`, by rule set and number of seats."""
    rules, seats = boot["rules"], boot["seats"]
    return json_script({f"{rules}:{seats}": _sheet.sheet(rules, seats)}, "sheets")


@register.simple_tag(name="seat_names")
def names_of(boot: Mapping[str, Any]) -> list[str]:
    """`{% seat_names boot as names %}`: one name per seat, also for guests and bots."""
    return seat_names(boot)


@register.filter
def at(names: Sequence[str], seat: int) -> str:
    """`{{ names|at:seat }}`: the name of a seat."""
    return names[seat]


@register.simple_tag
def card(
    name: str, kind: str = "", label: str = "", effect: bool = True, rules: str = _sheet.DEFAULT, seats: int = 4
) -> SafeString:
    """`{% card "KS" %}`: a playing card with its name in words for screen readers; with `rules`, also what it does."""
    foot = _sheet.effect(rules, seats, name if name == "JK" else name[:-1]) if effect else ""
    return mark_safe(_pieces.card(name, kind=kind, label=label, effect=foot))


@register.simple_tag
def marble(seat: int | str, size: int = 28, label: str = "") -> SafeString:
    """`{% marble 0 26 %}`: the marble of a seat (number or letter), `size` in pixels."""
    return mark_safe(_pieces.marble_icon(seat, size, label))


@register.simple_tag
def target(kind: str) -> SafeString:
    """`{% target "eat" %}`: the mark of a target: move, heaven or eat."""
    return mark_safe(_pieces.target_icon(kind))


@register.simple_tag
def sprite() -> SafeString:
    """The hidden shapes that marbles and cards of the page refer to; base.html includes it once."""
    return mark_safe(_pieces.sprite())


@register.filter
def letter(seat: int) -> str:
    """The letter of a seat, A to H."""
    return _pieces.letter(seat).upper()
