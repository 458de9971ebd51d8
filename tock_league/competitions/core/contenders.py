"""The inputs of a Swiss round as plain data: hashed, stored, and given to the verifier of the pairing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tock_league.common import canonical

from .format import FormatError, History, Pair
from .lots import lot
from .scoring import FORFEITS, HALF_POINTS, PLAYED


@dataclass(frozen=True)
class Contender:
    """An entry to be paired."""

    entry: int
    name: str  # its public identifier, for lots
    club: int | None
    rank: int  # 1.. among those present, by score and then seed
    score: int  # in half points
    place: int  # position in its score group, from 0
    size: int  # of its score group
    had_bye: bool
    had_gift: bool  # has won a match without play
    homes: int  # number of matches at home
    away_last: bool  # whether its last match was away


def pair_of(one: int, other: int) -> Pair:
    """Return the two entries, the lower first."""
    return (one, other) if one < other else (other, one)


def inputs_of(history: History, seed: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return all inputs of the round as JSON data in a canonical order; `options`: the format's settings."""
    present = set(history.entries if history.present is None else history.present)
    results = {(result.round, frozenset(side.entry for side in result.sides)): result for result in history.results}
    return {
        "round": len(history.rounds) + 1,
        "seed": seed,
        "options": dict(options),
        "entries": [
            [entry, history.names.get(entry, str(entry)), history.clubs.get(entry)] for entry in history.entries
        ],
        "present": sorted(present),
        "rounds": [
            {
                "number": made.number,
                "pairs": sorted(list(pairing.sides) for pairing in made.pairings),
                "byes": sorted(made.byes),
                "absent": sorted(made.absent),
            }
            for made in history.rounds
        ],
        "results": sorted(
            [number, made.fact, sorted([side.entry, HALF_POINTS[side.outcome]] for side in made.sides)]
            for (number, _entries), made in results.items()
            if made.fact != "void"
        ),
        "void": sorted([number, *pair_of(low, high)] for number, low, high in history.void),
        "forbidden": sorted(list(pair_of(*pair)) for pair in history.forbidden),
        "discouraged": sorted(list(pair_of(*pair)) for pair in history.discouraged),
        "relaxed": sorted(list(pair_of(*pair)) for pair in history.relaxed),
    }


def digest(inputs: Mapping[str, Any]) -> str:
    """Return the hexadecimal SHA-256 of the inputs as JSON: keys sorted, no blanks, UTF-8."""
    return canonical.digest(inputs)


def meetings(inputs: Mapping[str, Any]) -> list[Pair]:
    """Return (home, away) of every match that counts as a meeting, in round order.

    A match forfeited without play does not count, so that the two may be paired again; a void match counts.
    """
    waived = {
        (number, pair_of(sides[0][0], sides[1][0]))
        for number, fact, sides in inputs["results"]
        if len(sides) == 2 and fact not in PLAYED
    }
    return [
        (home, away)
        for made in inputs["rounds"]
        for home, away in made["pairs"]
        if (made["number"], pair_of(home, away)) not in waived
    ]


def met_pairs(inputs: Mapping[str, Any]) -> set[Pair]:
    """Return the pairs of entries that have met."""
    return {pair_of(*pair) for pair in meetings(inputs)}


def contenders(inputs: Mapping[str, Any]) -> tuple[Contender, ...]:
    """Return the entries present, by rank. Raises FormatError("round_unfinished") for a missing result."""
    scores = {entry: 0 for entry, _name, _club in inputs["entries"]}
    told: set[tuple[int, int]] = set()
    gifts: set[int] = set()
    for number, fact, sides in inputs["results"]:
        for entry, half in sides:
            scores[entry] += half
            told.add((number, entry))
            if fact in FORFEITS and half == HALF_POINTS["win"]:
                gifts.add(entry)
    void = {(number, entry) for number, *pair in inputs["void"] for entry in pair}
    byes: set[int] = set()
    homes = dict.fromkeys(scores, 0)
    away_last = dict.fromkeys(scores, False)
    for made in inputs["rounds"]:
        byes.update(made["byes"])
        for entry in made["byes"]:
            if (made["number"], entry) not in told:
                scores[entry] += HALF_POINTS["win"]
        if any((made["number"], home) not in told | void for home, _away in made["pairs"]):
            raise FormatError("round_unfinished", f"round {made['number']} has a match without a result", "results")
    for home, away in meetings(inputs):
        homes[home] += 1
        away_last[home], away_last[away] = False, True
    present = set(inputs["present"])
    seeds = {entry: number for number, (entry, _name, _club) in enumerate(inputs["entries"])}
    order = sorted(present, key=lambda entry: (-scores[entry], seeds[entry]))
    groups: dict[int, list[int]] = {}
    for entry in order:
        groups.setdefault(scores[entry], []).append(entry)
    about = {entry: (name, club) for entry, name, club in inputs["entries"]}
    return tuple(
        Contender(
            entry=entry,
            name=about[entry][0],
            club=about[entry][1],
            rank=rank,
            score=scores[entry],
            place=groups[scores[entry]].index(entry),
            size=len(groups[scores[entry]]),
            had_bye=entry in byes,
            had_gift=entry in gifts,
            homes=homes[entry],
            away_last=away_last[entry],
        )
        for rank, entry in enumerate(order, start=1)
    )


def home_first(one: Contender, other: Contender, seed: str) -> tuple[Contender, Contender]:
    """Return the two with the home side first: fewer homes, then the one away last, then the smaller lot."""
    if one.homes != other.homes:
        return (one, other) if one.homes < other.homes else (other, one)
    if one.away_last != other.away_last:
        return (one, other) if one.away_last else (other, one)
    return (one, other) if lot(seed, one.name) < lot(seed, other.name) else (other, one)
