"""The screens of a hall, which the desk makes, changes and removes."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import NotThere, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked
from tock_league.competitions.models import Competition
from tock_league.competitions.services.shared.locking import lock_competition
from tock_league.competitions.services.shared.telling import fact

from ..announcements import SCREEN
from ..models import Screen
from ..names import LONGEST_S, SHORTEST_S, VIEWS
from .shared import refuse_without_hall

MOST = 12  # screens of an event

Turns = Sequence[tuple[str, int]]


def add(*, by: Person, competition: Competition, name: str, turns: Turns, theme: str) -> Screen:
    """Add a screen with the next number; a screen of that name is returned as it is: a second press adds none.

    Raises Refused on `name`, `turns`, `theme`, and (`screens`) beyond MOST.
    """
    name = " ".join(name.split())
    with writing():
        held = _hold(by, competition)
        rows = list(held.screens.all())
        known = next((row for row in rows if row.name == name), None)
        if known is not None:
            return known
        if len(rows) >= MOST:
            text = _("An event has %(most)s screens at most.") % {"most": MOST}
            raise Refused("screens", text, field="name")
        number = max((row.number for row in rows), default=0) + 1
        made = checked(Screen(competition=held, number=number, name=name, turns=_turns(turns), theme=theme))
        made.save()
        fact(SCREEN, held, subject=str(number))
        return made


def change(*, by: Person, competition: Competition, number: int, name: str, turns: Turns, theme: str) -> Screen:
    """Change what a screen shows in turn, its name and its theme. NotThere for an unknown number."""
    with writing():
        held = _hold(by, competition)
        row = _screen(held, number)
        row.name, row.turns, row.theme = " ".join(name.split()), _turns(turns), theme
        checked(row).save()
        fact(SCREEN, held, subject=str(number))
        return row


def show(*, by: Person, competition: Competition, number: int, view: str) -> Screen:
    """Hold one view on a screen, at once; "" lets its views take turns again. Raises Refused on `view`."""
    if view and view not in VIEWS:
        raise Refused("view", _("A screen cannot show this."), field="view")
    with writing():
        held = _hold(by, competition)
        row = _screen(held, number)
        if row.held != view:
            row.held = view
            row.save(update_fields=["held"])
            fact(SCREEN, held, subject=str(number))
        return row


def remove(*, by: Person, competition: Competition, number: int) -> None:
    """Remove a screen; whoever still shows its address gets the screen of everything. Idempotent."""
    with writing():
        held = _hold(by, competition)
        if held.screens.filter(number=number).delete()[0]:
            fact(SCREEN, held, subject=str(number))


def _hold(by: Person, competition: Competition) -> Competition:
    held = lock_competition(competition.pk, changes=False)
    require(by, "hall.set_up", held, needed="organiser")
    refuse_without_hall(held)
    return held


def _screen(held: Competition, number: int) -> Screen:
    found = held.screens.filter(number=number).first()
    if found is None:
        raise NotThere
    return found


def _turns(turns: Turns) -> list[list[str | int]]:
    """Return the turns as they are stored. Raises Refused on `turns` without a view, with a view twice, or with bad seconds."""
    keys = [view for view, _seconds in turns]
    if not keys or len(set(keys)) < len(keys) or not set(keys) <= set(VIEWS):
        raise Refused("turns", _("Choose at least one thing to show, each once."), field="turns")
    if not all(SHORTEST_S <= seconds <= LONGEST_S for _view, seconds in turns):
        text = _("Choose between %(least)s and %(most)s seconds.") % {"least": SHORTEST_S, "most": LONGEST_S}
        raise Refused("turns", text, field="turns")
    return [[view, seconds] for view, seconds in turns]
