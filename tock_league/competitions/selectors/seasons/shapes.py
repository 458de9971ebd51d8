"""What two sides may play: every rule set that the engine offers, at every number of seats that two teams share."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.selectors import rule_sets
from games.selectors.rule_sets import RuleSet

SIDES = 2


@dataclass(frozen=True)
class Shape:
    """One rule set at one table size. `key` names both in a form, as "tock/1:6"."""

    rules: str
    seats: int

    @property
    def key(self) -> str:
        return f"{self.rules}:{self.seats}"


def offered() -> list[tuple[RuleSet, list[Shape]]]:
    """Return each rule set with the tables where two sides play it, in the registry's order of pages; no query."""
    found = [
        (one, [Shape(one.id, seats) for seats, teams in one.shapes.items() if SIDES in teams])
        for one in rule_sets.offered()
    ]
    return [(one, shapes) for one, shapes in found if shapes]


def shape_of(key: str) -> Shape | None:
    """Return the shape that `key` names, None unless it is offered."""
    return next((shape for _one, shapes in offered() for shape in shapes if shape.key == key), None)


def table_words(seats: int) -> str:
    """Return a table in words: "6 seats, 3 against 3"."""
    return _("%(seats)d seats, %(side)d against %(side)d") % {"seats": seats, "side": seats // SIDES}
