"""The texts of a family for people: NAMES of its module `words`, COUNTING of its module `counting`."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise

from games.engine import registry

Text = str | Promise


@dataclass(frozen=True)
class Named:
    """The texts of a rule set."""

    name: Text
    sentence: Text  # one sentence about it
    ladder: Text  # the name of its ladder of ratings


@dataclass(frozen=True)
class Counting:
    """How a family counts by how much a side is ahead at the end of a game."""

    column: Text  # a column of a table
    difference: Text  # a tie-break criterion
    ahead: Text  # the question on a form
    help: Text  # the help beside it
    refusal: Text  # for a number out of its range
    words: Callable[[int], str]  # "3 marbles ahead"
    # (size, rounds) -> least and greatest difference; rounds 0: to the game's own end
    range: Callable[[int, int], tuple[int, int]]
    # (players of a side, seats) -> marbles of a side, and the steps that they walk to the end; None where none are counted
    finished: Callable[[int, int], tuple[int, int]] | None = None
    whole_game: Text = ""  # the length of a game without a fixed number of rounds, "" where the number cannot be fixed


def named() -> dict[str, Named]:
    """Return the texts of every rule set that a family names, by the first part of its id: an edition changes rulings,
    not the game.
    """
    found: dict[str, Named] = {}
    for entry in registry.families().values():
        found |= entry.part("words").NAMES
    return found


def counting_of(rules: str) -> Counting:
    """Return how the family of a rule set counts its games; raises the engine's UnknownRules."""
    found: Counting = registry.part(rules, "counting").COUNTING
    return found
