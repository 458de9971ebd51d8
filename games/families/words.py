"""How a family of games is told to people: NAMES of its module `words`, COUNTING of its module `counting`."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise

from games.engine import registry

Text = str | Promise


@dataclass(frozen=True)
class Named:
    """A rule set's `name`, one `sentence` about it, and what its `ladder` of ratings is called."""

    name: Text
    sentence: Text
    ladder: Text


@dataclass(frozen=True)
class Counting:
    """What a side is ahead by at the end of a game: `column` of a table, `difference` as a criterion, `ahead` as a question
    with its `help`; `words(n)`: "3 marbles ahead"; `refusal`: a number out of its range. `range(size, rounds)`: by how
    little and by how much a side of so many may be ahead in a game of so many rounds (0: to its own end). `whole_game`: how
    long a game lasts that is not fixed to a number of rounds, "" where none can be."""

    column: Text
    difference: Text
    ahead: Text
    help: Text
    refusal: Text
    words: Callable[[int], str]
    range: Callable[[int, int], tuple[int, int]]
    whole_game: Text = ""


def named() -> dict[str, Named]:
    """Return the words of every rule set that a family names, by the first part of its id: an edition changes rulings, not
    the game."""
    found: dict[str, Named] = {}
    for entry in registry.families().values():
        found |= entry.part("words").NAMES
    return found


def counting_of(rules: str) -> Counting:
    """Return how the family of a rule set counts its games; raises the engine's UnknownRules."""
    found: Counting = registry.part(rules, "counting").COUNTING
    return found
