"""How games of Tractor are counted, in words."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.engine.tractor.rules import WON
from games.families.words import Counting


def _levels(count: int) -> str:
    # Translators: Tractor: how many levels (ranks climbed) a team is ahead by at the end of a game.
    return ngettext("%(levels)s level ahead", "%(levels)s levels ahead", count) % {"levels": count}


def _range(size: int, rounds: int) -> tuple[int, int]:
    """Return the least and the greatest difference in levels; see `Counting.range`.

    In a whole game the winners pass the ace, level 13, and are at least one level ahead. After a fixed number of rounds
    points may decide between equal levels.
    """
    return (0 if rounds else 1), WON


COUNTING = Counting(
    # Translators: column of the standings in Tractor: levels that a team has climbed, less those of its opponents.
    column=_("Levels"),
    difference=_("level difference"),
    ahead=_("Levels ahead"),
    help=_("Levels climbed from the 2 (the ace is 12, past the ace 13): the winners' less the losers'."),
    refusal=_("Game %(number)d: a difference of %(least)d to %(most)d levels."),
    words=_levels,
    range=_range,
    whole_game=_("to the ace, and past it"),
)
