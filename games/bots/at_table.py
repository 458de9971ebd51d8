"""What a table asks of bots and of the clock, whatever the family: BOTS of its module `bots`, found by the rule set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import registry

View = Mapping[str, Any]
Roll = Callable[[int], int]
Assessment = tuple[tuple[str, float], ...]
DEFAULT_LEVEL = "club"  # which every family knows


@dataclass(frozen=True)
class Players:
    """How a family is played. `levels`: of its bots, the weakest first. `answer`, `default`, `assess`: see the functions of
    these names; `assess` is None where no bot judges choices."""

    levels: tuple[str, ...]
    answer: Callable[..., str]
    default: Callable[[View, Sequence[str]], str]
    assess: Callable[..., Assessment] | None = None


def players(rules: str) -> Players:
    """Return how the games of a rule set are played; raises the engine's UnknownRules."""
    found: Players = registry.part(rules, "bots").BOTS
    return found


def levels(rules: str) -> tuple[str, ...]:
    """Return the levels of the bots that play a rule set, the weakest first."""
    return players(rules).levels


def level_in(rules: str, level: str) -> str:
    """Return the level at which a bot of `level` plays a rule set: its own, or the usual one where that is not known."""
    return level if level in levels(rules) else DEFAULT_LEVEL


def answer(
    view: View, legal: Sequence[str], *, level: str, roll: Roll, seat: int, seen: Sequence[str], **more: Any
) -> str:
    """Return the line of a bot of `level` at `seat`, whose view this is; empty where it has nothing to say and need not.

    `seen`: the cards that everybody has seen laid and that lie no more; `time_up`: see `choose`, for a level that searches.
    Raises ValueError for another level, or when there is no play.
    """
    return players(view["rules"]).answer(view, legal, level=level, roll=roll, seat=seat, seen=seen, **more)


def default_line(view: View, legal: Sequence[str]) -> str:
    """Return what the clock plays for the seat whose view this is. Raises ValueError when there is no play."""
    return players(view["rules"]).default(view, legal)


def assess(view: View, legal: Sequence[str], *, seat: int, seen: Sequence[str]) -> Assessment:
    """Return each line with the chance, 0 to 1, that the seat's team comes first after it. Raises ValueError where no bot
    judges choices."""
    judge = players(view["rules"]).assess
    if judge is None:
        raise ValueError(f"no bot judges choices under {view['rules']}")
    return judge(view, legal, seat=seat, seen=seen)


def assesses(rules: str) -> bool:
    """Return whether a bot can judge the choices of games by a rule set."""
    return players(rules).assess is not None
