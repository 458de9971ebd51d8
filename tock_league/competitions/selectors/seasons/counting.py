"""How a game is counted and how long it lasts, in words: marbles under the rules of Tock, levels (ranks climbed) in Tractor."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.engine.tractor.rules import WON
from games.selectors import rule_sets
from games.selectors.rule_sets import TRACTOR

from ...models import Competition

Text = str | Promise
MARBLES = 4  # of every seat, under every rule set of Tock (rulebook section 1)


@dataclass(frozen=True)
class Counting:
    """What a side is ahead by at the end of a game: `column` of a table, `difference` as a criterion, `ahead` as a question
    with its `help`; `words(n)`: "3 marbles ahead"; `refusal`: a number out of its range."""

    column: Text
    difference: Text
    ahead: Text
    help: Text
    refusal: Text
    words: Callable[[int], str]


def _marbles(count: int) -> str:
    return ngettext("%(marbles)s marble ahead", "%(marbles)s marbles ahead", count) % {"marbles": count}


def _levels(count: int) -> str:
    # Translators: Tractor: how many levels (ranks climbed) a team is ahead by at the end of a game.
    return ngettext("%(levels)s level ahead", "%(levels)s levels ahead", count) % {"levels": count}


_TOCK = Counting(
    column=_("Marbles"),
    difference=_("marble difference"),
    ahead=_("Marbles ahead"),
    help=_("Marbles in heaven: the winners' less the losers'."),
    refusal=_("Game %(number)d: a difference of 0 to %(most)d marbles."),
    words=_marbles,
)
_TRACTOR = Counting(
    # Translators: column of the standings in Tractor: levels that a team has climbed, less those of its opponents.
    column=_("Levels"),
    difference=_("level difference"),
    ahead=_("Levels ahead"),
    help=_("Levels climbed from the 2 (the ace is 12, past the ace 13): the winners' less the losers'."),
    refusal=_("Game %(number)d: a difference of %(least)d to %(most)d levels."),
    words=_levels,
)
_BY_GAME: Mapping[str, Counting] = {TRACTOR: _TRACTOR}


def counting_of(rules: str) -> Counting:
    """Return how games of the rule set are counted."""
    return _BY_GAME.get(rule_sets.game_of(rules), _TOCK)


def ahead_of(competition: Competition) -> tuple[int, int]:
    """Return by how little and by how much a side may be ahead at the end of a game.

    In Tractor past the ace is level 13, and who gets there is ahead; after a fixed number of rounds points may decide.
    """
    if rule_sets.game_of(competition.rules) == TRACTOR:
        return (0 if competition.regulations.rounds else 1), WON
    return 0, MARBLES * competition.side_size


def length_words(competition: Competition) -> str:
    """Return how long a game lasts where that can be chosen; "" elsewhere."""
    if not rule_sets.has_rounds(competition.rules):
        return ""
    rounds = competition.regulations.rounds
    if not rounds:
        return str(_("to the ace, and past it"))
    return ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds}
