"""Bots and default plays for a table of any family; the rule set's family defines them as BOTS in its module `bots`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import registry

View = Mapping[str, Any]
Roll = Callable[[int], int]
Assessment = tuple[tuple[str, float], ...]
Advice = Mapping[str, Any]  # `line`, `chance`, `reasons`, `cost`, see games/bots/coach.py
DEFAULT_LEVEL = "club"  # which every family has


@dataclass(frozen=True)
class Players:
    """The bots of a family."""

    levels: tuple[str, ...]  # of its bots, the weakest first
    answer: Callable[..., str]  # see `answer` below
    default: Callable[[View, Sequence[str]], str]  # see `default_line` below
    assess: Callable[..., Assessment] | None = None  # see `assess` below; None if no bot judges choices
    advise: Callable[..., Advice] | None = None  # see `advise` below; None if no coach gives reasons


def players(rules: str) -> Players:
    """Return the bots for a rule set; raises the engine's UnknownRules."""
    found: Players = registry.part(rules, "bots").BOTS
    return found


def levels(rules: str) -> tuple[str, ...]:
    """Return the levels of the bots that play a rule set, the weakest first."""
    return players(rules).levels


def level_in(rules: str, level: str) -> str:
    """Return the level at which a bot of `level` plays a rule set: its own, or the family's usual level if unknown."""
    return level if level in levels(rules) else DEFAULT_LEVEL


def answer(
    view: View, legal: Sequence[str], *, level: str, roll: Roll, seat: int, seen: Sequence[str], **more: Any
) -> str:
    """Return the line of a bot of `level` at `seat`, whose view this is; empty if it need not act and
    has nothing to play.

    `seen`: the cards that everybody has seen laid and that lie no more; `time_up`: see `choose`, for a level that
    searches. Raises ValueError for an unknown level, or when there is no play.
    """
    return players(view["rules"]).answer(view, legal, level=level, roll=roll, seat=seat, seen=seen, **more)


def default_line(view: View, legal: Sequence[str]) -> str:
    """Return the default play for the seat whose view this is. Raises ValueError when there is no play."""
    return players(view["rules"]).default(view, legal)


def assess(view: View, legal: Sequence[str], *, seat: int, seen: Sequence[str]) -> Assessment:
    """Return each line with the chance, 0 to 1, that the seat's team comes first after it. Raises ValueError if no bot
    judges choices.
    """
    judge = players(view["rules"]).assess
    if judge is None:
        raise ValueError(f"no bot judges choices under {view['rules']}")
    return judge(view, legal, seat=seat, seen=seen)


def assesses(rules: str) -> bool:
    """Return whether a bot can judge the choices of games by a rule set."""
    return players(rules).assess is not None


def advise(view: View, legal: Sequence[str], *, seat: int) -> Advice:
    """Return what a bot would play for the seat whose view this is, and why. Raises ValueError if no coach gives reasons,
    or without a play.
    """
    coach = players(view["rules"]).advise
    if coach is None:
        raise ValueError(f"no coach under {view['rules']}")
    return coach(view, legal, seat=seat)


def advises(rules: str) -> bool:
    """Return whether a coach gives reasons in games by a rule set."""
    return players(rules).advise is not None
