"""How games of Tock are counted, in words."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.engine.tock.board import MARBLES, steps_home
from games.families.words import Counting


def _marbles(count: int) -> str:
    return ngettext("%(marbles)s marble ahead", "%(marbles)s marbles ahead", count) % {"marbles": count}


def _range(size: int, rounds: int) -> tuple[int, int]:
    return 0, MARBLES * size


def _finished(size: int, seats: int) -> tuple[int, int]:
    return MARBLES * size, size * steps_home(seats)


COUNTING = Counting(
    column=_("Marbles"),
    difference=_("marble difference"),
    ahead=_("Marbles ahead"),
    help=_("Marbles in heaven: the winners' less the losers'."),
    refusal=_("Game %(number)d: a difference of 0 to %(most)d marbles."),
    words=_marbles,
    range=_range,
    finished=_finished,
)
