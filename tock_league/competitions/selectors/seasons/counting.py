"""The counting and the length of a game, in the words of its family."""

from django.utils.translation import ngettext

from games.families.words import Counting
from games.selectors import rule_sets

from ...models import Competition


def counting_of(rules: str) -> Counting:
    """Return how games of the rule set are counted."""
    return rule_sets.counting_of(rules)


def ahead_of(competition: Competition) -> tuple[int, int]:
    """Return the least and the greatest lead that a side may have at the end of a game."""
    rounds = competition.regulations.rounds
    return counting_of(competition.rules).range(competition.side_size, rounds)


def length_words(competition: Competition) -> str:
    """Return how long a game lasts where that can be chosen; "" elsewhere."""
    whole, rounds = rule_sets.whole_game(competition.rules), competition.regulations.rounds
    return ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds} if whole and rounds else whole
