"""The board as text: `str(position)`, or `draw` for what one viewer may see.

Each line of the track is one side of the board and begins with the start of its seat (case 18). The pieu in that line
(case 16) belongs to the next seat. A digit is a marble of that seat, `*` marks a fresh one; `s` is an empty start, `p`
an empty pieu, `.` any other empty space.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from games.engine.tock.board import MARBLES, SECTION

START, PIEU = 0, SECTION - 2
_LABEL = 8  # width of the first column, before the spaces of the track
_HIDDEN = "?"


def draw(seen: Mapping[str, Any], viewer: int | None = None) -> str:
    """Return the drawing of a position as JSON, or of a view; lines without trailing spaces, no final newline.

    `seen`: the result of `Position.to_json` or `view`. `viewer`: the seat of a view, None for a spectator's view; not
    needed for a position. A card that `seen` does not contain is drawn as `?`.
    """
    return "\n".join(
        line.rstrip() for line in (*_head(seen), "", *_track(seen), "", *_seats(seen, viewer), *_foot(seen))
    )


def _head(seen: Mapping[str, Any]) -> list[str]:
    phase = f"{seen['phase']}, marble {seen['joker']}" if "joker" in seen else seen["phase"]
    return [
        f"{seen['rules']}, {seen['seats']} seats, {seen['teams']} teams",
        f"phase {phase}; turn of seat {seen['turn']}; deal {seen['deal'] + 1}, dealer {seen['dealer']}",
    ]


def _track(seen: Mapping[str, Any]) -> list[str]:
    """Return the track, one line per side, below the numbers of its cases."""
    spaces = [
        "s" if p % SECTION == START else "p" if p % SECTION == PIEU else "." for p in range(SECTION * seen["seats"])
    ]
    for seat, places in enumerate(_marbles(seen)):
        for place in places:
            if place[0] == "t":
                fresh = seat in seen["fresh"] and int(place[1:]) == SECTION * seat
                spaces[int(place[1:])] = f"{seat}*" if fresh else str(seat)
    lines = [_row("case", (str(case or SECTION) for case in range(SECTION)))]
    for side in range(seen["seats"]):
        first = SECTION * side
        lines.append(_row(f"t{first}", spaces[first : first + SECTION]))
    return lines


def _row(label: str, cells: Iterable[str]) -> str:
    """Return a line of cells, each three wide; a digit stands under the last digit of its case."""
    return label.ljust(_LABEL) + "".join(cell.rjust(2 + cell.count("*")).ljust(3) for cell in cells)


def _seats(seen: Mapping[str, Any], viewer: int | None) -> list[str]:
    """Return one line per seat: its heaven, the number of marbles in reserve, its cards. `>` marks the turn."""
    lines = ["seat    h1 h2 h3 h4  reserve  hand"]
    for seat, places in enumerate(_marbles(seen)):
        heaven = "".join(f" {seat if f'h{k}' in places else '.'} " for k in range(1, MARBLES + 1))
        mark = ">" if seat == seen["turn"] and seen["phase"] not in ("deck", "over") else " "
        hand = " ".join(_hand(seen, seat, viewer))
        lines.append(f"{mark} {seat}".ljust(_LABEL) + f"{heaven} {places.count('r'):7}  {hand}")
    return lines


def _marbles(seen: Mapping[str, Any]) -> list[list[str]]:
    """Return the places of each seat's marbles; the keys of a view are texts."""
    marbles = seen["marbles"]
    return list(marbles.values()) if isinstance(marbles, Mapping) else list(marbles)


def _hand(seen: Mapping[str, Any], seat: int, viewer: int | None) -> list[str]:
    """Return the cards of a seat; unknown cards as `?`."""
    if "hands" in seen:
        return list(seen["hands"][seat])
    if seat == viewer and "hand" in seen:
        return list(seen["hand"])
    return [_HIDDEN] * int(seen["count"][seat])


def _foot(seen: Mapping[str, Any]) -> list[str]:
    """Return a line for each value that differs from its default."""
    lines = []
    if centre := [f"{seat} ({p})" for seat, places in enumerate(_marbles(seen)) for p in places if p[0] == "x"]:
        lines.append(f"centre: {', '.join(centre)}")
    if any(given := seen.get("given", ())):
        laid = [f"{seat} ({card})" if isinstance(card, str) else str(seat) for seat, card in enumerate(given) if card]
        lines.append(f"laid a card aside: {', '.join(laid)}")
    if any(owed := seen.get("penalties", seen.get("owed", ()))):
        lines.append(f"blind burns owed: {', '.join(f'{seat} ({n})' for seat, n in enumerate(owed) if n)}")
    for key, words in (("thrown", "thrown in"), ("finished", "finished")):
        if seen.get(key):
            lines.append(f"{words}: {', '.join(map(str, seen[key]))}")
    if "stock" in seen:
        lines.append(f"stock: {len(seen['stock'])} cards")
    return [""] * bool(lines) + lines
