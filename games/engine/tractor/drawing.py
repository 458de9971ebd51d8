"""A table of Tractor as text: `str(position)`, or `draw` for what one viewer may see.

One line per seat: the number of its cards, what it played to the current trick, its hand. `>` marks the turn, `*` the
seat that is winning the trick. Unknown cards are not drawn; only the count includes them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

_TRICK = 17  # width of the column of the trick: six cards of two letters


def draw(seen: Mapping[str, Any], viewer: int | None = None) -> str:
    """Return the drawing of a position as JSON, or of a view; lines without trailing spaces, no final newline.

    `seen`: the result of `Position.to_json` or `view`. `viewer`: the seat of a view, None for a spectator's view; not
    needed for a position.
    """
    return "\n".join(line.rstrip() for line in (*_head(seen), "", *_seats(seen, viewer), *_foot(seen)))


def _head(seen: Mapping[str, Any]) -> list[str]:
    """Return the round, the ranks of both teams, and once known, trumps and the teams' roles."""
    rounds = f"{seen['round']} of {seen['rounds']}" if "rounds" in seen else f"{seen['round']}"
    lines = [
        f"{seen['rules']}, round {rounds}",
        f"phase {seen['phase']}; turn of seat {seen['turn']}",
        f"ranks: {_teams(seen['ranks'])}",
    ]
    if "declarers" in seen:
        lines.append(f"declarers: seats {seen['declarers']} and {seen['declarers'] + 2}; starter {seen['starter']}")
    if "trump" in seen:
        trump = seen["trump"]
        lines.append(f"trumps: rank {trump['rank']}, suit {trump['suit']}" if "suit" in trump else "trumps: no suit")
    if "show" in seen:
        lines.append(f"shown: {' '.join(seen['show']['cards'])} by seat {seen['show']['seat']}")
    return lines


def _teams(values: Sequence[object]) -> str:
    """Return one value for each of the two teams."""
    return f"{values[0]} (seats 0 and 2), {values[1]} (seats 1 and 3)"


def _seats(seen: Mapping[str, Any], viewer: int | None) -> list[str]:
    played = {(seen["leader"] + i) % seen["seats"]: cards for i, cards in enumerate(seen.get("trick", ()))}
    width = max([_TRICK, *(len(" ".join(cards)) + 2 for cards in played.values())])
    lines = ["seat  cards  " + "trick".ljust(width) + "hand"]
    for seat in range(seen["seats"]):
        mark = ">" if seat == seen["turn"] and seen["phase"] not in ("deck", "draw", "show", "over") else " "
        trick = " ".join(played.get(seat, ())) + (" *" if played and seat == seen.get("best") else "")
        hand = " ".join(_hand(seen, seat, viewer))
        lines.append(f"{mark} {seat}   {_count(seen, seat):5}  {trick.ljust(width)}{hand}")
    return lines


def _count(seen: Mapping[str, Any], seat: int) -> int:
    return int(seen["count"][seat]) if "count" in seen else len(seen["hands"][seat])


def _hand(seen: Mapping[str, Any], seat: int, viewer: int | None) -> list[str]:
    """Return the known cards of a seat."""
    if "hands" in seen:
        return list(seen["hands"][seat])
    return list(seen.get("hand", ())) if seat == viewer else []


def _foot(seen: Mapping[str, Any]) -> list[str]:
    """Return the other known values: cards still to be drawn, talon, buried cards, points."""
    lines = []
    if left := len(seen["stock"]) if "stock" in seen else seen.get("left", 0):
        lines.append(f"to be drawn: {left} cards")
    for key in ("talon", "buried"):
        if seen.get(key):
            lines.append(f"{key}: {' '.join(seen[key])}")
    if "captured" in seen:
        for key, words in (("captured", "points captured"), ("paid", "penalties paid")):
            lines.append(f"{words}: {_teams(seen[key])}")
    return [""] * bool(lines) + lines
