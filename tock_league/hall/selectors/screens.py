"""The screens of an event, and what one of them shows in turn."""

from dataclasses import dataclass

from tock_league.competitions.models import Competition

from ..models import Announcement, Screen
from ..names import BRACKET, CLOCK, EVERYTHING, FOLLOW, NAMES, RESULTS, SAID, STANDINGS, TABLES, VIEWS
from .clocks import ClockView
from .rounds import Shown


@dataclass(frozen=True)
class Turn:
    """A view that takes its turn: its key, and the seconds of one page of it."""

    view: str
    seconds: int


@dataclass(frozen=True)
class Programme:
    """What a screen shows. `number`: 0 for the screen of everything, which every event has; `held`: a view, or ""."""

    number: int
    name: str
    theme: str
    turns: tuple[Turn, ...]
    held: str


def screens_of(competition: Competition) -> list[Screen]:
    """Return the screens of an event by number. One query."""
    return list(competition.screens.all())


def announced(competition: Competition) -> str:
    """Return the sentence that is said to everybody, "" without one. One query."""
    return Announcement.objects.filter(competition=competition).values_list("text", flat=True).first() or ""


def programme(competition: Competition, number: int) -> Programme:
    """Return what the screen of that number shows; of an unknown one everything, so that no wall is ever blank. One query."""
    row = competition.screens.filter(number=number).first()
    if row is None:
        return Programme(0, "", Screen.Theme.DARK, tuple(Turn(*turn) for turn in EVERYTHING), "")
    turns = tuple(Turn(str(view), int(seconds)) for view, seconds in row.turns if view in VIEWS)
    return Programme(row.number, row.name, row.theme, turns, row.held)


def turns_now(programme: Programme, shown: Shown, clock: ClockView, said: str) -> list[Turn]:
    """Return the views that have something to show now, in order; the code to follow where nothing else has.

    A held view comes alone, if it has something to show.
    """
    full = {
        NAMES: bool(shown.names),
        TABLES: bool(shown.tables),
        CLOCK: clock.is_on,
        STANDINGS: bool(shown.standings),
        BRACKET: bool(shown.bracket),
        RESULTS: bool(shown.results),
        SAID: bool(said),
        FOLLOW: True,
    }
    if programme.held and full[programme.held]:
        known = {turn.view: turn.seconds for turn in programme.turns}
        return [Turn(programme.held, known.get(programme.held, dict(EVERYTHING)[programme.held]))]
    return [turn for turn in programme.turns if full[turn.view]] or [Turn(FOLLOW, dict(EVERYTHING)[FOLLOW])]
