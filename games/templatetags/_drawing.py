"""The board as SVG text, in layers: wood, arms, holes, names, marbles, marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import cos, hypot, pi, sin, sqrt

from django.utils.html import escape

from ._geometry import ARM, BARE, BOWL, BOWL_RADIUS, CASES, PILE, RIM, Geometry, line, number
from ._names import short_names
from ._pieces import LETTERS, TARGET_DOT, TARGETS, card_on_board, marble
from ._sheet import Marks


def _n(*values: float) -> str:
    return " ".join(number(v) for v in values)


def _grain(radius: float) -> Iterator[str]:
    """Return lines of grain across a disc; irregular, but the same in every drawing (a small linear congruence)."""
    state = 7

    def between(low: float, high: float) -> float:
        nonlocal state
        state = (state * 16807) % 2147483647
        return low + (high - low) * state / 2147483647

    y = -radius
    while y < radius:
        half = sqrt(max(0.0, radius**2 - y**2))
        if half > 0.6:
            a, b = between(-0.35, 0.35), between(-0.35, 0.35)
            width = (0.03, 0.05, 0.05, 0.1)[int(between(0, 3.99))]
            yield (
                f'<path d="M{_n(-half, y)}C{_n(-half / 3, y + a, half / 3, y + b, half, y)}" '
                f'stroke-width="{number(width)}" opacity="{number(between(0.12, 0.34))}"/>'
            )
        y += between(0.24, 0.62)
    for k in range(5):  # one knot
        yield (
            f'<ellipse cx="{number(radius * 0.38)}" cy="{number(-radius * 0.2)}" rx="{number(1.1 + k * 0.9)}" '
            f'ry="{number(0.16 + k * 0.17)}" stroke-width=".05" opacity=".2"/>'
        )


def _wood(g: Geometry, ident: str, *, rim: bool) -> Iterator[str]:
    inner, bare, outer = g.inner, g.inner + BARE, g.inner + RIM
    yield (
        f'<defs><radialGradient id="{ident}w" cx=".4" cy=".32" r=".8"><stop offset="0" class="wood-stop-light"/>'
        f'<stop offset=".55" class="wood-stop"/><stop offset="1" class="wood-stop-dark"/></radialGradient>'
        f'<linearGradient id="{ident}r" x1="0" y1="0" x2=".7" y2="1"><stop offset="0" class="wood-stop-light"/>'
        f'<stop offset=".6" class="wood-stop-dark"/><stop offset="1" class="wood-stop-edge"/></linearGradient>'
        f'<clipPath id="{ident}c"><circle r="{number(inner)}"/></clipPath>'
        f'<clipPath id="{ident}o"><circle r="{number(outer)}"/></clipPath>'
        f'<g id="{ident}g">{"".join(_grain(outer))}</g></defs>'
    )
    if rim:  # the style sheet hides it on small screens, where the bare edge shows
        yield (
            f'<g class="board-rim"><circle r="{number(outer)}" fill="url(#{ident}r)"/>'
            f'<g class="board-grain" clip-path="url(#{ident}o)"><use href="#{ident}g"/></g>'
            f'<circle class="board-edge" r="{number(outer - 0.04)}"/></g>'
        )
    yield (
        f'<g class="board-bare-edge"><circle r="{number(bare)}" fill="url(#{ident}r)"/>'
        f'<circle class="board-edge" r="{number(bare - 0.04)}"/></g>'
        f'<circle r="{number(inner + 0.02)}" fill="url(#{ident}w)"/>'
        f'<g class="board-grain" clip-path="url(#{ident}c)"><use href="#{ident}g"/></g>'
        f'<circle class="board-groove" r="{number(inner + 0.04)}"/>'
    )


def _arms(g: Geometry) -> Iterator[str]:
    """Return per seat: the tray of the reserve with its way out, the inlaid heaven and its way in."""
    for seat in range(g.seats):
        yield (
            f'<g transform="rotate({number(g.angle(seat))})" class="seat-colour seat-colour-{LETTERS[seat]}">'
            f'<rect class="board-tray" x="{number(-ARM - 3.11)}" y="{number(g.radius - 2.36)}" width="2.32" '
            f'height="2.32" '
            f'rx=".7"/><path class="board-exit" d="M{_n(-ARM - 0.8, g.radius - 0.55)}L{_n(-ARM - 0.48, g.radius - 0.22)}"/>'
            f'<rect class="board-heaven" x="-.56" y="{number(g.radius - 4.36)}" width="1.12" height="4.12" rx=".56"/>'
            f'<path class="board-way" d="M0 {number(g.arch(0) - 0.34)}V{number(g.radius - 0.3)}"/></g>'
        )


def _holes(g: Geometry, marks: Marks) -> Iterator[str]:
    """Return the spaces of the track with the marks of cases 7, 8, 18 and the pieux, then heavens and reserves."""
    for space in range(g.length):
        at = f"translate({_n(*g.track(space))})"
        seat, case = divmod(space, CASES)
        if case == 0:
            yield f'<circle class="board-start seat-colour-{LETTERS[seat]}" transform="{at}" r=".5"/>'
        elif case == 7 and marks.sevens:
            turn = number(g.outward(space) + 45)
            yield f'<rect class="board-seven" x="-.4" y="-.4" width=".8" height=".8" transform="{at} rotate({turn})"/>'
        elif case == 8 and marks.eights:
            turn = number(g.angle(seat + 1))
            yield (
                f'<rect class="board-eight" x="-.42" y="-.42" width=".84" height=".84" rx=".2" '
                f'transform="{at} rotate({turn})"/>'
            )
        elif case == 16:
            turn = number(g.outward(space) - 90)
            owner = LETTERS[(seat + 1) % g.seats]
            yield (
                f'<path class="board-pieu seat-colour-{owner}" transform="{at} rotate({turn})" '
                f'd="M-.5-.5H.5V.3L0 .72L-.5 .3z"/>'
            )
    holes = [xy for _place, xy in g.places()]
    for x, y in holes:
        yield f'<circle class="board-hole" cx="{number(x)}" cy="{number(y)}" r=".3"/>'


def _chevrons(x: float, y: float, turn: float, size: float = 0.2) -> str:
    s, a, b = number(size), number(size * 1.1), number(size * 2.1)
    return (
        f'<path class="board-arrow" transform="translate({_n(x, y)}) rotate({number(turn)})" '
        f'd="M-{s}-{s}L0 0L-{s} {s}M-{b}-{s}L-{a} 0L-{b} {s}"/>'
    )


def _numbers(g: Geometry, marks: Marks) -> Iterator[str]:
    """Return the numbers beside the marked spaces, and chevrons for the direction of play."""
    for seat in range(g.seats):
        x, y = g.track(CASES * seat + 7)
        beyond = 1 + (1.0 if g.seats == 4 else -0.9) / hypot(x, y)
        spots = (
            ("7", (x * beyond, y * beyond)),
            ("8", g.turned(seat + 1, ARM - 0.84, g.radius - 6)),
            ("18", g.turned(seat, -ARM + 0.74, g.radius - 1)),
        )
        for text, (x, y) in spots:
            if (text == "7" and not marks.sevens) or (text == "8" and not marks.eights):
                continue
            yield f'<text class="board-number" x="{number(x)}" y="{number(y + 0.24)}">{text}</text>'
        yield _chevrons(*g.turned(seat, -ARM + 0.8, g.radius - 2.6), g.angle(seat) - 90)
        yield _chevrons(*g.turned(seat, ARM - 0.8, g.radius - 2.6), g.angle(seat) + 90)


@lru_cache(maxsize=64)
def _ground(g: Geometry, marks: Marks, ident: str, rim: bool) -> str:
    """Return everything that no move changes."""
    track = line([g.track(space) for space in range(g.length)])
    wood, arms = _wood(g, ident, rim=rim), _arms(g)
    path = f'<path class="board-track" d="{track}Z"/>'
    bowl = (
        f'<circle class="board-bowl" cx="{number(BOWL[0])}" cy="{number(BOWL[1])}" r="{BOWL_RADIUS}"/>'
        if marks.bowl
        else ""
    )
    return "".join((*wood, *arms, path, bowl, *_holes(g, marks), *_numbers(g, marks)))


def _shared(g: Geometry, marks: Marks, ident: str, rim: bool, name: str, *, again: bool) -> str:
    """Return the ground: under the id `name` if there is one, or as a reference to it."""
    if again:
        return f'<use href="#{name}"/>'
    ground = _ground(g, marks, ident, rim)
    return f'<g id="{name}">{ground}</g>' if name else ground


def _arc(g: Geometry, seat: int) -> str:
    """Return the line of a seat's name along the rim, upright in the lower half."""
    mid = pi / 2 + 2 * pi * ((seat - g.own) % g.seats) / g.seats
    span = pi / g.seats * 0.94
    flip = sin(mid) > 0.25
    start, end = (mid + span, mid - span) if flip else (mid - span, mid + span)
    r = g.inner + (1.0 if flip else 0.5)
    return f"M{_n(r * cos(start), r * sin(start))}A{_n(r, r)} 0 0 {0 if flip else 1} {_n(r * cos(end), r * sin(end))}"


def _names(g: Geometry, names: Sequence[str], turn: int | None, ident: str, *, live: bool) -> Iterator[str]:
    """Return first names along the rim. On a live board `data-lying` has the line for seat A at the bottom."""
    for seat, name in enumerate(short_names(names)):
        lying = f' data-lying="{_arc(Geometry(g.seats), seat)}"' if live and g.own else ""
        yield (
            f'<path id="{ident}n{seat}" fill="none" d="{_arc(g, seat)}"{lying}/>'
            f'<text class="board-name{" active" if turn == seat else ""}" data-seat="{seat}">'
            f'<textPath href="#{ident}n{seat}" startOffset="50%">{escape(name.upper())}</textPath></text>'
        )


def _marbles(g: Geometry, marbles: Mapping[str, Sequence[str]], fresh: Sequence[int]) -> Iterator[str]:
    inside = sum(place.startswith("x") for places in marbles.values() for place in places)
    spots = iter(g.bowl(inside))
    for seat in range(g.seats):
        reserve = 3
        for place in marbles.get(str(seat), ()):
            if place == "r":
                x, y = g.reserve(seat, reserve)
                reserve -= 1
            elif place.startswith("t"):
                x, y = g.track(int(place[1:]))
            elif place.startswith("h"):
                x, y = g.heaven(seat, int(place[1:]))
            else:
                x, y = next(spots)
            yield marble(seat, x, y, fresh=seat in fresh and place == f"t{CASES * seat}")


def _targets(g: Geometry, targets: Sequence[Sequence[object]]) -> Iterator[str]:
    for place, seat, kind in targets:
        text, shape = str(place), TARGETS[str(kind)]
        x, y = g.track(int(text[1:])) if text[0] == "t" else g.heaven(int(str(seat)), int(text[1:]))
        dot = "" if kind == "eat" else TARGET_DOT
        yield (
            f'<g class="target" transform="translate({_n(x, y)})"><g class="target-outer">{shape}</g>'
            f'<g class="target-inner">{shape}</g>{dot}</g>'
        )


def draw(
    g: Geometry,
    *,
    marbles: Mapping[str, Sequence[str]],
    fresh: Sequence[int] = (),
    names: Sequence[str] = (),
    turn: int | None = None,
    pile: str = "",
    targets: Sequence[Sequence[object]] = (),
    ways: tuple[str, str] = ("", ""),
    ground: str = "",
    again: bool = False,
    rim: bool = True,
    ident: str = "b",
    label: str = "",
    live: bool = False,
    marks: Marks | None = None,
) -> str:
    """Return the whole board as one `<svg>`.

    `marbles`: places per seat, keyed by the seat as text; `pile`: the card on top, or nothing; `targets`: (place, seat,
    move | heaven | eat); `ways`: the lines and the marks of a play, from `_ways`; `ident`: prefix of the ids, one per board
    and page; `marks`: the marks of the rule set. `ground`: the id of what no move changes, which a further board of the
    same page uses `again`. A `live` board is a group of controls whose layers (`data-layer`) the table's script fills.
    """
    half = g.half(rim=rim)
    box = f"{_n(-half, -half, 2 * half, 2 * half)}"
    role = "group" if live else "img"
    layer = '<g data-layer="{}">{}</g>'.format
    marks = marks or Marks()
    centre = card_on_board(pile, 0, PILE if marks.bowl else 0, 2.35, 5) if pile else ""
    return "".join(
        (
            f'<svg class="board board-seats-{g.seats}{"" if rim else " board-bare"}'
            f'{" board-own" if live and g.own else ""}" viewBox="{box}" role="{role}" '
            f'aria-label="{escape(label)}">',
            _shared(g, marks, ident, rim, ground, again=again),
            f'<g class="board-rim">{"".join(_names(g, names, turn, ident, live=live))}</g>' if rim and names else "",
            layer("last", ways[0]),
            layer("centre", centre),
            layer("hints", ""),
            layer("marbles", "".join(_marbles(g, marbles, fresh))),
            layer("targets", ways[1] + "".join(_targets(g, targets))),
            "</svg>",
        )
    )
