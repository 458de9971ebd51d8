"""fold(): what a match's result is, from the versions in the order they were written and the rulings in force.

Nothing is edited: a later version of the same game replaces the earlier one, and a version of the whole match (forfeit,
double forfeit, no-show, void) replaces what the games said. Completed games stay in the count of games.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .scoring import OUTCOMES


@dataclass(frozen=True)
class Line:
    """One position's line of a version: `outcome` win, tie or loss; `place` 0 best; `margin` in marbles."""

    position: int
    outcome: str
    place: int
    margin: int = 0


@dataclass(frozen=True)
class Version:
    """One ResultVersion as plain data; `game` is None when it speaks of the whole match."""

    number: int
    game: int | None
    fact: str
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Side:
    """The effective result of one position."""

    position: int
    outcome: str
    games: int
    margin: int


@dataclass(frozen=True)
class Effective:
    """`state`: open (not decided yet), decided or void; `sides` by position, with the games won so far in every state."""

    state: str
    fact: str
    sides: tuple[Side, ...]

    @property
    def score(self) -> tuple[int, ...]:
        """Games won, by position."""
        return tuple(side.games for side in self.sides)


def fold(versions: Sequence[Version], *, sides: int = 2, best_of: int = 1, play_all: bool = False) -> Effective:
    """Answer the effective result of a match of `sides` entries.

    `best_of`: odd number of games; with `play_all` every one of them is played, else the first to (best_of + 1) / 2 wins.
    Raises ValueError when versions are not numbered upwards, or a line is impossible: an unknown position or outcome, two
    winners of one game, a game beyond best_of.
    """
    games: dict[int, Version] = {}
    whole: Version | None = None
    last = 0
    for version in versions:
        if version.number <= last:
            raise ValueError("versions are folded in the order of their numbers")
        last = version.number
        _check(version, sides, best_of)
        if version.fact == "void" and version.game is None:
            games, whole = {}, version
        elif version.game is None:
            whole = version
        elif version.fact == "void":
            games.pop(version.game, None)
        else:
            games[version.game] = version
            if whole is not None and whole.fact == "void":
                whole = None  # the match is played again
    won = [0] * sides
    margin = [0] * sides
    for game in games.values():
        for line in game.lines:
            won[line.position] += line.outcome == "win"
            margin[line.position] += line.margin
    if whole is not None and whole.fact == "void":
        return Effective("void", "void", _sides(["loss"] * sides, won, margin))
    if whole is not None:
        outcomes = ["loss"] * sides
        for line in whole.lines:
            outcomes[line.position] = line.outcome
        return Effective("decided", whole.fact, _sides(outcomes, won, margin))
    facts = {game.fact for game in games.values()}
    fact = _fact(facts)
    decided = len(games) == best_of or (not play_all and max(won) >= (best_of + 1) // 2)
    best = max(won)
    tied = won.count(best) > 1
    outcomes = ["loss" if count < best else "tie" if tied else "win" for count in won]
    if fact == "double_forfeit":
        outcomes = ["loss"] * sides
    return Effective("decided" if decided else "open", fact, _sides(outcomes, won, margin))


def _fact(facts: set[str]) -> str:
    """Answer the fact of a match from those of its games: unplayed only when every game was."""
    if facts and facts <= {"no_show", "double_forfeit"}:
        return "double_forfeit" if "double_forfeit" in facts else "no_show"
    if facts & {"forfeit", "no_show", "double_forfeit"}:
        return "forfeit"
    return "adjudicated" if "adjudicated" in facts else "played"


def _sides(outcomes: Sequence[str], won: Sequence[int], margin: Sequence[int]) -> tuple[Side, ...]:
    return tuple(Side(position, outcomes[position], won[position], margin[position]) for position in range(len(won)))


def _check(version: Version, sides: int, best_of: int) -> None:
    if version.game is not None and not 1 <= version.game <= best_of:
        raise ValueError(f"game {version.game} of a match that is best of {best_of}")
    positions = [line.position for line in version.lines]
    if len(set(positions)) != len(positions) or any(not 0 <= position < sides for position in positions):
        raise ValueError(f"lines name positions {positions} of {sides}")
    if any(line.outcome not in OUTCOMES for line in version.lines):
        raise ValueError("an outcome is win, tie or loss")
    if sum(line.outcome == "win" for line in version.lines) > 1:
        raise ValueError("a game has one winner at most")
