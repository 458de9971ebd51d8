"""What a lesson is: a position, what the player is asked to do in it, and what the others then play.

A goal looks at the facts that the engine tells of a play, never at the rules.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tock_league.common.errors import Text

RULES = "shawinigan/1"
SEATS, TEAMS = 4, 2
ME, LEFT, PARTNER, RIGHT = range(SEATS)
Facts = Sequence[Sequence[Any]]  # `fx` of a play, see docs/protocol.md
Goal = Callable[[str, Facts], bool]  # of a line of notation and its facts


@dataclass(frozen=True, slots=True)
class Task:
    """One play of the player."""

    do: Text  # what to do
    goal: Goal  # whether a play does it
    hint: Text  # said to another play that the rules allow
    done: Text  # what has happened
    example: str  # a line that reaches the goal
    then: tuple[str, ...] = ()  # what the seats after the player play, in order


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """One idea: its rule in a sentence, and the plays with which the player tries it. Each is only equal to itself."""

    name: str  # in addresses
    title: Text
    rule: Text
    position: dict[str, Any]  # of the engine, see docs/engine
    tasks: tuple[Task, ...]


def position(marbles: Sequence[str], hands: Sequence[str], fresh: Sequence[int] = ()) -> dict[str, Any]:
    """Return a position of the last deal of a pack with the player to act: each seat's places and cards, in words."""
    return {
        "rules": RULES,
        "seats": SEATS,
        "teams": TEAMS,
        "dealer": RIGHT,
        "deal": 2,
        "turn": ME,
        "phase": "play",
        "hands": [hand.split() for hand in hands],
        "stock": [],
        "marbles": [places.split() for places in marbles],
        "fresh": list(fresh),
    }


def has(*fact: Any) -> Goal:
    """Return the goal that a play has this fact, or one that begins like it."""
    return lambda _line, facts: any(tuple(each[: len(fact)]) == fact for each in facts)


def burns(line: str, _facts: Facts) -> bool:
    return line.startswith("burn ")


def splits(_line: str, facts: Facts) -> bool:
    return sum(word == "move" and seat == ME for word, seat, *_rest in facts) == 2


def enters_heaven(_line: str, facts: Facts) -> bool:
    return any(word == "move" and seat == ME and str(rest[-1])[0] == "h" for word, seat, *rest in facts)


def for_the_partner(_line: str, facts: Facts) -> bool:
    return any(word in ("move", "out") and seat == PARTNER for word, seat, *_rest in facts)
