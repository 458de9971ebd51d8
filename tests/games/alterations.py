"""Every alteration of one value in a record, and the forgeries of a whole file; generated, not chosen by hand."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from .paper import sealed

Lines = list[dict[str, Any]]
# What the head says besides the kind of the game. The deal does not depend on it, and no row repeats it.
NOT_SEALED = {"table", "number", "touch", "clocks", "ranks", "reason"}
OF_THE_DEAL = {"commit", "ready", "sharing", "share", "shared", "beacon", "draw", "open"}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield (path, value) of each text, number and truth value; an empty list or object counts as one."""
    if isinstance(value, Mapping) and value:
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list) and value:
        for i, item in enumerate(value):
            yield from leaves(item, (*path, i))
    else:
        yield path, value


def other(value: Any) -> Iterator[Any]:
    """Yield values near `value`."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
        yield value - 1
    elif isinstance(value, str):
        place = len(value) // 2
        yield value[:place] + ("1" if value[place : place + 1] == "0" else "0") + value[place + 1 :]
        yield value + "0"
    else:
        yield [0]


def changed(lines: Lines, number: int, path: tuple[Any, ...], value: Any) -> Lines:
    """Return the lines with one value replaced."""
    found = list(lines)
    found[number] = copy.deepcopy(lines[number])
    place = found[number]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return found


def single(lines: Lines) -> Iterator[tuple[str, Lines]]:
    """Yield (what, lines) for each alteration of one value of the file; the chain is left as it is."""
    for number, line in enumerate(lines):
        for path, value in leaves(line):
            if number or path[0] not in NOT_SEALED:
                for wrong in other(value):
                    yield f"line {number}: {path} = {wrong!r}", changed(lines, number, path, wrong)


def forged(lines: Lines) -> Iterator[tuple[str, Lines]]:
    """Yield (what, lines) for each alteration of a value that the deal depends on, with the chain computed anew, and
    for each such row left out, doubled, or exchanged with the next one of them.
    """
    head, rows = lines[0], [{key: value for key, value in line.items() if key != "chain"} for line in lines[1:]]
    withheld = {seat for row in rows if row["code"] == "shared" for seat in row["body"]["withheld"]}
    for i, row in enumerate(rows):
        if not of_the_deal(row):
            continue
        for path, value in leaves(row["body"]):
            if row["code"] == "ready" and path[0] == "share" and row["body"]["seat"] in withheld:
                continue  # what was never opened can be anything; only the seat itself can tell
            if path in (("beacon", "chain"), ("beacon", "key")):
                continue  # whose rounds these are: for the judge of records, and for who compares them with the source
            for wrong in other(value):
                yield f"row {i + 1}: {path} = {wrong!r}", sealed(head, changed(rows, i, ("body", *path), wrong))
        yield f"row {i + 1}: actor", sealed(head, changed(rows, i, ("actor",), "referee"))
        if not str(row["body"].get("play")).startswith("blind "):  # whether a burn was due is for the judge of records
            yield f"row {i + 1} left out", sealed(head, numbered([*rows[:i], *rows[i + 1 :]]))
        yield f"row {i + 1} doubled", sealed(head, numbered([*rows[: i + 1], *rows[i:]]))
        for after in rows[i + 1 : i + 2]:
            if not of_the_deal(after) or commute(row, after):
                continue
            swapped = [*rows[:i], after, row, *rows[i + 2 :]]
            yield f"row {i + 1} exchanged with the next", sealed(head, numbered(swapped))


def of_the_deal(row: Mapping[str, Any]) -> bool:
    """Return whether the deal depends on the row: a commitment, a share, a draw, a deck, a blind burn, the seeds."""
    return row["code"] in OF_THE_DEAL or bool(row["body"].get("chance") and row["body"]["play"] != "draw 4")


def commute(row: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether an honest table may write the rows in the other order too: two seats that act for themselves."""
    return row["code"] == after["code"] in ("ready", "share")


def numbered(rows: Lines) -> Lines:
    """Return the rows numbered from 1, each at the time of its place."""
    times = sorted(row["at"] for row in rows)
    return [row | {"seq": seq, "at": at} for (seq, row), at in zip(enumerate(rows, start=1), times, strict=True)]
