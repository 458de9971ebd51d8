"""The ways of a play over the board, for a drawing that does not move: lines, rings where marbles end, what is eaten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ._geometry import CASES, Geometry, Point, line, number
from ._pieces import LETTERS, TARGETS

Fact = Sequence[Any]  # as the engine's `fx` has it


def point(g: Geometry, seat: int, place: str) -> Point:
    """Return where a marble of `seat` stands on `place`; the centre and the reserve by one point."""
    if place == "r":
        return g.reserve(seat, 3)
    if place.startswith("x"):
        return g.bowl(1)[0]
    return g.track(int(place[1:])) if place.startswith("t") else g.heaven(seat, int(place[1:]))


def places(g: Geometry, seat: int, src: str, to: str, *, back: bool) -> list[str]:
    """Return the places that a marble of `seat` passes from `src` to `to`, both included."""
    if "x" in (src[0], to[0]):
        return [src, to]
    if src.startswith("h"):
        return [f"h{k}" for k in range(int(src[1:]), int(to[1:]) + 1)]
    at, found = int(src[1:]), [src]
    end = int(to[1:]) if to.startswith("t") else g.pieu(seat)
    while at != end:
        at = (at + (-1 if back else 1)) % g.length
        found.append(f"t{at}")
    return found if to.startswith("t") else [*found, *(f"h{k}" for k in range(1, int(to[1:]) + 1))]


def ways(g: Geometry, facts: Sequence[Fact], *, back: bool) -> tuple[str, str]:
    """Return the lines of a play's facts, and the marks where its marbles end; what is eaten is crossed out."""
    drawn = list(_drawn(g, facts, back=back))
    lines = [one for one in drawn if one.startswith("<path")]
    return "".join(lines), "".join(one for one in drawn if one not in lines)


def _drawn(g: Geometry, facts: Sequence[Fact], *, back: bool) -> Iterator[str]:
    eaten = {(seat, place) for word, seat, place, *_ in (fact for fact in facts if fact[0] == "eaten")}
    for word, seat, *about in facts:
        if word == "out":
            yield _way(seat, [point(g, seat, "r"), point(g, seat, about[0])], leap=True)
            yield _mark(point(g, seat, about[0]), "move")
        elif word in ("move", "jump"):
            leap = word == "jump"
            passed = about if leap else places(g, seat, about[0], about[1], back=back)
            yield _way(seat, [point(g, seat, place) for place in passed], leap=leap)
            if not any(place == about[1] for _seat, place in eaten):
                yield _mark(point(g, seat, about[1]), "heaven" if about[1].startswith("h") else "move")
        elif word == "swap":
            ends = [point(g, seat, about[0]), point(g, about[1], about[2])]
            yield _way(seat, ends, leap=True)
            yield from (_mark(end, "swap") for end in ends)
    for seat, place in sorted(eaten):
        yield _mark(point(g, seat, place), "eat")


def _way(seat: int, points: list[Point], *, leap: bool) -> str:
    kind = " board-leap" if leap else ""
    return f'<path class="board-last{kind} seat-colour-{LETTERS[seat]}" d="{line(points)}"/>'


def _mark(at: Point, kind: str) -> str:
    x, y = at
    return (
        f'<g class="target" transform="translate({number(x)} {number(y)})"><g class="target-outer">{TARGETS[kind]}</g>'
        f'<g class="target-inner">{TARGETS[kind]}</g></g>'
    )


def case_of(place: str) -> tuple[int, int]:
    """Return the seat whose section a track place is in, and its number there, from 1 to 18."""
    space = int(place[1:])
    section, case = divmod(space, CASES)
    return section, case or CASES
