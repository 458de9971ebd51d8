"""Positions of a game in words, with the numbers of the replay: what a case is about, what a ruling takes back."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.models import Game
from games.selectors.plays import Numbering, numbering
from games.selectors.referee import TakeBack

from .cards import the_card


def place_words(game: Game, seq: int, numbers: Numbering | None = None) -> str:
    """Return where in the game the row `seq` stands: "play 38", "after play 38" or "before the first play".

    The replay shows the same number at `#seq`. One query, none where the caller gives the numbers.
    """
    numbers = numbers or numbering(game)
    number = numbers.upto(seq)
    if not number:
        return _("before the first play")
    if numbers.is_play(seq):
        # Translators: in the middle of a sentence; plays are counted from 1 as in the replay.
        return pgettext("place in a game", "play %(number)s") % {"number": number}
    return _("after play %(number)s") % {"number": number}


def take_back_words(one: TakeBack, names: Mapping[int, str]) -> str:
    """Return a choice of the referee: "before the queen of hearts (Maude), play 38". `names`: by seat."""
    name = names.get(one.seat, "—") if one.seat is not None else "—"
    values = {"name": name, "number": one.first, "last": one.last}
    if one.first > one.last:
        return _("what %(name)s has laid or touched for play %(number)s; no play") % values
    values |= {"card": ", ".join(the_card(card) for card in one.cards)}
    # Translators: a choice of the referee: to which play the game is taken back; %(card)s is "the queen of hearts".
    before = _("before %(card)s (%(name)s), play %(number)s") if one.cards else _("before play %(number)s (%(name)s)")
    if one.first == one.last:
        return before % values
    return _("%(before)s: takes back plays %(number)s to %(last)s") % (values | {"before": before % values})


def taken_back(game: Game, *, to: int, at: int) -> str:
    """Return what a rewind to the decision opened at `to` takes back. `at`: the seq of the rewind, or the last one."""
    return taken_back_words(numbering(game), to=to, at=at)


def taken_back_words(numbers: Numbering, *, to: int, at: int) -> str:
    """Return what `taken_back` does, from the numbers."""
    first, last = numbers.upto(to) + 1, numbers.upto(at)
    values = {"first": first, "last": last}
    if first > last:
        return _("What was laid or touched for play %(first)s is taken back.") % values
    if first == last:
        return _("Play %(first)s is taken back.") % values
    return _("Plays %(first)s to %(last)s are taken back.") % values
