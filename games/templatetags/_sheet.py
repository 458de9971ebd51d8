"""What the pages must know of a rule set: marks of the board, the text on the cards, how a seven is shared.

It is read from the rule set's own data, so a house variant has its board and cards as soon as its file exists.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine import registry
from games.engine.errors import UnknownRules
from games.engine.tock.rules import Back, Centre, Forward, Out, Power, Sacrifice, Split, Swap, TockRules

DEFAULT = "shawinigan/1"  # for boards and cards that belong to no game


@dataclass(frozen=True)
class Marks:
    """Which marks a board has."""

    sevens: bool = True  # cases 7, where they have an effect
    eights: bool = True  # cases 8, where they have an effect
    bowl: bool = False  # the bowl of the centre


def _rules(rules: str) -> TockRules | None:
    try:
        found = registry.rules(rules)
    except UnknownRules:
        return None
    return found if isinstance(found, TockRules) else None


def _centre(rules: TockRules, seats: int) -> bool:
    return seats in rules.teams and rules.centre(seats)


@lru_cache(maxsize=64)
def marks(rules: str, seats: int) -> Marks:
    """Return the marks of a rule set's board: a case without an effect is a plain hole."""
    found = _rules(rules)
    if found is None:
        return Marks()
    bowl = _centre(found, seats)
    return Marks(sevens=found.jumps or bowl, eights=found.shelters, bowl=bowl)


def _powers(rules: str, seats: int) -> dict[str, tuple[Power, ...]]:
    found = _rules(rules)
    if found is None:
        found = _rules(DEFAULT)
    if found is None:
        return {}
    return dict(found.powers(seats if seats in found.teams else min(found.teams)))


def effect(rules: str, seats: int, rank: str) -> str:
    """Return what a card does, in one or two words, as printed at its foot; a second line follows a line break."""
    powers = _powers(rules, seats).get(rank, ())
    ways = [power for power in powers if isinstance(power, Forward)]
    if any(isinstance(power, Out) for power in powers):
        # Translators: printed on a card, very short: the card brings a marble out.
        words = " · ".join([pgettext("on a card", "out"), *(str(way.steps) for way in ways)])
        # Translators: printed on a king, under "out · 13": it goes into the centre of the board and out of it.
        centre = pgettext("on a card", "centre")
        return f"{words}\n{centre}" if any(isinstance(one, Centre) for one in powers) else words
    if ways:
        return _forward(ways[0], sacrificed=any(isinstance(power, Sacrifice) for power in powers))
    for power in powers:
        if isinstance(power, Back):
            return _("back %(count)s") % {"count": power.steps}
        if isinstance(power, Split):
            return _("can be split")
        if isinstance(power, Swap):
            return _("swaps")
    return ""


def _forward(way: Forward, *, sacrificed: bool) -> str:
    count = {"count": way.steps}
    if way.any_marble:
        return _("any marble")
    if way.over_fresh:
        # Translators: printed on a five that may pass over fresh marbles, very short.
        return _("%(count)s · passes") % count
    if way.next_burns:
        # Translators: printed on a ten that moves a marble and makes the next seat burn a card, very short.
        return _("%(count)s + burns") % count
    if sacrificed:
        # Translators: printed on a ten that moves a marble or makes the next seat burn a card, very short.
        return _("%(count)s · burns") % count
    return _("forward %(count)s") % count


def sheet(rules: str, seats: int) -> dict[str, Any]:
    """Return what the page's script needs of the rules, as plain JSON.

    `jumps`, `shelters`, `centre`: the special spaces; `back`: ranks that go back; `sweeps`: ranks that eat on their
    way; `split`: by rank, among how many marbles it is shared; `burns`: ranks whose move makes the next seat burn a
    card; `effects`: by rank, the words at the foot of the card.
    """
    found, powers = _rules(rules), _powers(rules, seats)
    each = [(rank, power) for rank, does in powers.items() for power in does]
    return {
        "jumps": found is not None and found.jumps,
        "shelters": found is not None and found.shelters,
        "centre": found is not None and _centre(found, seats),
        "back": [rank for rank, power in each if isinstance(power, Back)],
        "sweeps": [rank for rank, power in each if isinstance(power, Forward | Split) and power.eats_passed],
        "split": {rank: power.legs for rank, power in each if isinstance(power, Split)},
        "burns": [rank for rank, power in each if isinstance(power, Forward) and power.next_burns],
        "effects": {rank: effect(rules, seats, rank) for rank in powers},
    }
