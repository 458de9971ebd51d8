"""Marbles, cards and small marks as SVG text; each page has one hidden sprite of their shapes."""

from __future__ import annotations

from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ._geometry import number

LETTERS = "abcdefgh"  # seats 0 to 7

# Patterns of the marbles, in a circle of radius 1.
PATTERNS = {
    "a": "",
    "b": '<path d="M-1-.36h2v.72h-2z"/>',
    "c": '<path d="M0-1C.8-.4.8.4 0 1-.8.4-.8-.4 0-1z"/>',
    "d": "".join(
        f'<circle cx="{x}" cy="{y}" r=".21"/>'
        for x, y in ((0, ".7"), (".61", ".35"), (".61", "-.35"), (0, "-.7"), ("-.61", "-.35"), ("-.61", ".35"))
    ),
    "e": '<path fill-rule="evenodd" d="M-.84 0a.84.84 0 1 0 1.68 0a.84.84 0 1 0-1.68 0M-.58 0a.58.58 0 1 0 1.16 0'
    'a.58.58 0 1 0-1.16 0"/>',
    "f": '<path d="M-.95-.6L-.6-.95 0-.35.6-.95.95-.6.35 0 .95.6.6.95 0 .35-.6.95-.95.6-.35 0z"/>',
    "g": '<path d="M-.8-.8L.8.8A1.13 1.13 0 0 1-.8-.8z" transform="rotate(-8)"/>',
    "h": '<path d="M-1 .2C-.6-.5-.1-.2 0 0S.6.5 1-.2L1-.62C.6.02.2-.2.05-.4S-.6-.75-1-.25z'
    'M-.7.72C-.3.3.1.5.25.8L0 1-.5.9z"/>',
}

SUITS = {  # in a box of 24 by 24
    "S": "M12 2C9 6.6 3 9.6 3 14.4c0 2.7 2 4.5 4.3 4.5 1.5 0 2.8-.7 3.7-1.9-.2 2-.9 3.6-2.6 5h7.2c-1.7-1.4-2.4-3-2.6-5"
    " .9 1.2 2.2 1.9 3.7 1.9 2.3 0 4.3-1.8 4.3-4.5C21 9.6 15 6.6 12 2z",
    "H": "M12 21.5C5.5 16.4 2.5 12.8 2.5 8.6 2.5 5.5 4.8 3.2 7.6 3.2c1.8 0 3.5 1 4.4 2.7.9-1.7 2.6-2.7 4.4-2.7 2.8 0 5.1"
    " 2.3 5.1 5.4 0 4.2-3 7.8-9.5 12.9z",
    "D": "M12 1.5C14.5 5.5 17.2 9 20.5 12 17.2 15 14.5 18.5 12 22.5 9.5 18.5 6.8 15 3.5 12 6.8 9 9.5 5.5 12 1.5z",
    "C": "M12 2a4.7 4.7 0 0 0-3.3 8 4.9 4.9 0 1 0 2.5 7.1c-.1 2-.9 3.5-2.6 4.9h6.8c-1.7-1.4-2.5-2.9-2.6-4.9a4.9 4.9 0 1 0"
    " 2.5-7.1A4.7 4.7 0 0 0 12 2z",
}
STAR = "M12 1.5l2.8 6.7 7.2.6-5.5 4.7 1.7 7-6.2-3.8-6.2 3.8 1.7-7L2 8.8l7.2-.6z"
FRESH = "M0-1.42L1-1C1.3-.9 1.3.4.95.86L0 1.5L-.95.86C-1.3.4-1.3-.9-1-1z"

# A target's shape says what arriving there does: free space, into heaven, eats a marble, swaps with it.
TARGETS = {
    "move": '<circle r=".56"/>',
    "heaven": '<path d="M0-.78L.74 0L0 .78L-.74 0z"/>',
    "eat": '<circle r=".66"/><path d="M-.86-.86L-.5-.5M.86-.86L.5-.5M-.86.86L-.5.5M.86.86L.5.5"/>',
    "swap": '<circle r=".66"/><path d="M-.9-.12L-.66.16L-.4-.1M.9.12L.66-.16L.4.1"/>',
}
TARGET_DOT = '<circle class="target-dot" r=".2"/>'


def letter(seat: int | str) -> str:
    """Return the letter of a seat, `a` to `h`; a letter is returned as it is. Raises ValueError for an unknown seat."""
    if isinstance(seat, str) and not seat.isdigit():
        if seat.lower() not in LETTERS:
            raise ValueError(f"seat: {seat!r} is no seat")
        return seat.lower()
    if not 0 <= int(seat) < len(LETTERS):
        raise ValueError(f"seat: {seat!r} is no seat")
    return LETTERS[int(seat)]


def marble(seat: int | str, x: float, y: float, *, radius: float = 0.47, fresh: bool = False, kind: str = "") -> str:
    """Return a marble on a board, `radius` in spaces; a fresh one has a shield."""
    s = letter(seat)
    shield = f'<path class="marble-fresh" d="{FRESH}"/>' if fresh else ""
    return (
        f'<g class="marble marble-{s} {kind}" transform="translate({number(x)} {number(y)}) scale({number(radius)})">'
        f'{shield}<use href="#marble-{s}"/></g>'
    )


def marble_icon(seat: int | str, size: int = 28, label: str = "") -> str:
    """Return a marble in running text, `size` in pixels; without a label it is decoration."""
    said = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return (
        f'<svg class="marble-icon" width="{size}" height="{size}" viewBox="-1.12 -1.12 2.24 2.24" {said}>'
        f"{marble(seat, 0, 0, radius=1)}</svg>"
    )


def target_icon(kind: str) -> str:
    """Return the shape of a target on a disc of wood; `kind`: move, heaven, eat or swap, else raises KeyError."""
    shape, dot = TARGETS[kind], "" if kind in ("eat", "swap") else TARGET_DOT
    return (
        '<svg class="target-icon" viewBox="-1.2 -1.2 2.4 2.4" aria-hidden="true"><circle class="target-wood" r="1.18"/>'
        f'<g class="target-outer">{shape}</g><g class="target-inner">{shape}</g>{dot}</svg>'
    )


def sprite() -> str:
    """Return the hidden shapes that the cards and marbles of a page refer to; once in every page."""
    out = [
        '<svg class="visually-hidden" aria-hidden="true" focusable="false"><defs><clipPath id="mclip"><circle '
        'r=".94"/></clipPath>'
    ]
    for s, pattern in PATTERNS.items():
        out.append(
            f'<g id="marble-{s}"><ellipse class="marble-shadow" cx=".1" cy=".3" rx="1.06" ry="1"/><circle '
            f'class="marble-body" r="1"/>'
            f'<g class="marble-pattern" clip-path="url(#mclip)">{pattern}</g><circle class="marble-ring" r="1"/>'
            f'<text class="marble-letter" y=".36">{s.upper()}</text>'
            '<path class="marble-gleam" d="M-.72-.38C-.6-.8-.1-.95.3-.84C.05-.72-.4-.6-.72-.38z"/></g>'
        )
    out += [f'<path id="suit-{s}" d="{d}"/>' for s, d in SUITS.items()]
    out.append(f'<path id="suit-star" d="{STAR}"/>')
    out += [f'<g id="target-{kind}">{shape}</g>' for kind, shape in TARGETS.items()]
    out.append(f'<path id="shield" d="{FRESH}"/></defs></svg>')
    return "".join(out)


def card_name(card: str) -> str:
    """Return a card in words in the language of the page: `KS` king of spades, `JK` joker, `??` a hidden card."""
    if card == "??":
        return _("hidden card")
    if card == "JK":
        return _("joker")
    ranks = {
        "A": pgettext("card", "ace"),
        "J": pgettext("card", "jack"),
        "Q": pgettext("card", "queen"),
        "K": pgettext("card", "king"),
    }
    suits = {
        "S": pgettext("card suit", "spades"),
        "H": pgettext("card suit", "hearts"),
        "D": pgettext("card suit", "diamonds"),
        "C": pgettext("card suit", "clubs"),
    }
    rank, suit = card[:-1], card[-1]
    # Translators: a playing card, for instance "king of spades".
    return _("%(rank)s of %(suit)s") % {"rank": ranks.get(rank, rank), "suit": suits[suit]}


def _foot(effect: str) -> str:
    """Return what the card does, for its foot: one line, or two."""
    lines = effect.split("\n")
    return "".join(
        f'<text class="card-effect" x="30" '
        f'y="{78 - 10 * (len(lines) - 1 - i) - (len(lines) == 1)}">{escape(text)}</text>'
        for i, text in enumerate(lines)
        if text
    )


def card_face(card: str, *, effect: str = "") -> str:
    """Return the drawing of a card in a box of 60 by 84; `effect`: the words at its foot. Raises KeyError for an
    unknown suit.
    """
    if card == "??":
        rows = "".join(f"M5 {y}l12.5-12 12.5 12 12.5-12L55 {y}" for y in (24, 42, 60, 78))
        return (
            '<rect class="card-back" x=".75" y=".75" width="58.5" height="82.5" rx="7"/>'
            '<rect class="card-back-inner" x="5" y="5" width="50" height="74" rx="4"/>'
            f'<path class="card-back-pattern" d="{rows}"/>'
        )
    base = '<rect class="card-face" x=".75" y=".75" width="58.5" height="82.5" rx="7"/>'
    foot = _foot(effect)
    if card == "JK":
        return (
            f'{base}<g class="suit-h"><use href="#suit-star" transform="translate(14 17) scale(1.35)"/>'
            f'<text class="card-joker" x="30" y="15">JOKER</text></g>{foot}'
        )
    rank, suit = card[:-1], card[-1]
    if suit not in SUITS:
        raise KeyError(card)
    ten = rank == "10"
    return (
        f'{base}<g class="suit-{suit.lower()}"><text class="card-rank{" ten" if ten else ""}" x="6" y="30">{rank}</text>'
        f'<use href="#suit-{suit}" transform="translate({37 if ten else 34} 9) scale(.8)"/>'
        f'<use href="#suit-{suit}" transform="translate(16.5 34) scale(1.13)"/></g>{foot}'
    )


def card(name: str, *, kind: str = "", label: str = "", effect: str = "") -> str:
    """Return a card as a drawing of its own, with its name in words."""
    said = escape(label or card_name(name))
    return (
        f'<svg class="card {kind}" viewBox="0 0 60 84" role="img" aria-label="{said}">'
        f"{card_face(name, effect=effect)}</svg>"
    )


def card_on_board(name: str, x: float, y: float, width: float, turn: float = 0) -> str:
    """Return a card on the board, `width` in spaces, turned by `turn` degrees."""
    return (
        f'<g class="card on-board" transform="translate({number(x)} {number(y)}) rotate({number(turn)}) '
        f'scale({width / 60:.4f}) translate(-30 -42)">{card_face(name)}</g>'
    )
