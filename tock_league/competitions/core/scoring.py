"""Conversion of an effective result to match points and to the score s that tie-breaks use.

| fact | points | s | for the tie-breaks |
| --- | --- | --- | --- |
| played, adjudicated, forfeit (after play began) | win, tie, loss | 1, 1/2, 0 | played |
| no_show, walkover, withdrawal, disqualification | forfeit_win, forfeit_loss | 1, 0 | unplayed, the loser's voluntary |
| double_forfeit | forfeit_loss, both | 0, 0 | unplayed, voluntary |
| pairing_bye | bye | 1 | unplayed, involuntary |
| requested_bye | tie | 1/2 | unplayed, voluntary |
| absence | loss | 0 | unplayed, voluntary |
| void | there was no match | | |

A walk-over is a forfeit declared before a game was completed; a no-show is one that nobody declared. Both, and what a
withdrawal or a disqualification leaves unplayed, are scored alike and are told apart on every page. Scores are whole
numbers of half points: 2, 1, 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass

HALF_POINTS: Mapping[str, int] = {"win": 2, "tie": 1, "loss": 0}
PLAYED = frozenset({"played", "adjudicated", "forfeit"})
FORFEITS = frozenset({"no_show", "walkover", "withdrawal", "disqualification"})  # unplayed, caused by one side
MISSED = frozenset({"requested_bye", "absence"})  # rounds in which an entry was not paired and got no bye
UNPLAYED = FORFEITS | {"double_forfeit", "pairing_bye", "requested_bye", "absence"}
FACTS = PLAYED | UNPLAYED | {"void"}
OUTCOMES = frozenset(HALF_POINTS)


@dataclass(frozen=True)
class PointsRule:
    """The match points of each result."""

    win: int = 2
    tie: int = 1
    loss: int = 0
    forfeit_win: int = 2
    forfeit_loss: int = 0
    bye: int = 2
    close_win: int | None = None  # if the loser won a game, such as a best of 3 scored 3-2-1-0; None: as `win`
    close_loss: int | None = None  # for that loser; None: as `loss`


@dataclass(frozen=True)
class SideResult:
    """The result of one entry."""

    entry: int
    outcome: str  # win, tie or loss
    games: int = 0  # games won
    margin: int = 0  # marbles home for minus against, or levels in Tractor; under a time cap of the scores
    # What it scored under a time cap, in a match that nobody played too where the regulations say so (core.caps); else None
    scored: int | None = None


@dataclass(frozen=True)
class MatchResult:
    """An effective result that counts."""

    match: int  # as shown on pages
    round: int  # as shown on pages
    fact: str  # see the table above
    sides: tuple[SideResult, ...]


def points(result: MatchResult, side: SideResult, rule: PointsRule) -> int:
    """Return the match points of `side` in `result`. Raises ValueError for a fact or an outcome not listed above."""
    if result.fact not in FACTS or side.outcome not in OUTCOMES:
        raise ValueError(f"no points for {result.fact!r}, {side.outcome!r}")
    if result.fact == "void":
        return 0
    if result.fact in FORFEITS or result.fact == "double_forfeit":
        return rule.forfeit_win if side.outcome == "win" else rule.forfeit_loss
    if result.fact == "pairing_bye":
        return rule.bye
    close = len(result.sides) > 1 and min(other.games for other in result.sides) > 0
    if side.outcome == "win":
        return rule.close_win if close and rule.close_win is not None else rule.win
    if side.outcome == "loss":
        return rule.close_loss if close and rule.close_loss is not None else rule.loss
    return rule.tie


def is_voluntary(fact: str, outcome: str) -> bool:
    """Return whether the entry itself caused a round without play; the tie-breaks of its opponents allow for that."""
    return fact in {"double_forfeit", "requested_bye", "absence"} or (fact in FORFEITS and outcome == "loss")
