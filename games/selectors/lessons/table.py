"""A lesson's table: the fold from its position on, without a database. Every play goes through the engine.

Nothing is kept between two requests: a page sends all plays of the player so far, and the table is computed anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine.errors import EngineError
from games.fold import Row, Setup, Step, TableState, Viewer, apply_row, by_seat, events, opening, view, view_hash
from games.fold.view import effects
from games.selectors import rule_sets
from tock_league.common.errors import Refused

from .parts import ME, RULES, SEATS, TEAMS, Lesson, Task

PLAYER = Viewer(seat=ME)
LONGEST = 60  # characters of a line; a seven in two parts needs half of it


class OtherGoal(Refused):
    """A play that the rules allow, but that does not do what the lesson asks; the sentence says what does."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A lesson after the player's plays so far."""

    steps: Sequence[Step]  # of the last play, with what the others then played
    state: TableState
    done: Task  # the one that the last play has done
    task: Task | None  # the next one; None when the lesson is finished


@cache
def start(lesson: Lesson) -> TableState:
    """Return the table at the beginning of a lesson."""
    setup = Setup(game=f"lesson-{lesson.name}", rules=RULES, seats=SEATS, teams=TEAMS, touch=False)
    position = setup.engine.from_json(lesson.position)
    return opening(setup).changed(
        seq=1, decision=1, ready=(True,) * SEATS, dealer=position.dealer, position=position, decks=1
    )


def walk(lesson: Lesson, plays: Sequence[str]) -> Walk:
    """Return the lesson after these plays of the player, at least one; each must do its task.

    Raises OtherGoal, also for a play after the last task, and Refused `illegal` (the rules refuse the play, or there is
    none). The field is `play`.
    """
    state, steps = start(lesson), list[Step]()
    if len(plays) > len(lesson.tasks):
        raise OtherGoal("finished", _("This lesson is finished. Repeat it, or go on."), field="play")
    for line, task in zip(plays or [""], lesson.tasks, strict=False):
        own = _step(state, ME, line)
        if own is None:
            raise Refused("illegal", _("The rules do not allow that here. %(do)s") % {"do": task.do}, field="play")
        if not task.goal(line, effects(own)):
            raise OtherGoal("other_goal", task.hint, field="play")
        steps = [own]
        for answer in task.then:
            state = steps[-1].after
            found = _step(state, min(state.to_act), answer)
            assert found is not None, answer
            steps.append(found)
        state = steps[-1].after
    left = lesson.tasks[len(plays) :]
    return Walk(steps, state, lesson.tasks[len(plays) - 1], left[0] if left else None)


def _step(state: TableState, seat: int, line: str) -> Step | None:
    """Return the step of a play, or None if the rules do not allow it."""
    if len(line) > LONGEST or seat not in state.to_act:
        return None
    row = Row(state.seq + 1, "play", "play", {"seat": seat, "play": line}, by_seat(seat), state.at)
    try:
        return Step(row, state, apply_row(state, row))
    except EngineError:
        return None


def boot_of(lesson: Lesson, *, now: int) -> dict[str, Any]:
    """Return the `boot` data of a lesson's page: that of a table without an address for commands."""
    return {
        "table": f"lesson-{lesson.name}",
        "game": f"lesson-{lesson.name}",
        "seat": ME,
        "role": "seat",
        "seats": SEATS,
        "teams": TEAMS,
        "rules": RULES,
        "rules_name": rule_sets.name_of(RULES),
        "family": rule_sets.game_of(RULES),
        "full_ranking": False,
        "rounds": 0,
        "touch": False,
        "takes_back": False,
        "kind": "lesson",
        "name": str(lesson.title),
        "state": "playing",
        "best_of": 1,
        # They play what is written, at no bot's level.
        "names": ["", *(gettext("Bot %(letter)s") % {"letter": letter} for letter in "BCD")],
        "bots": [""] * SEATS,
        "team_names": [],
        "calls": False,
        "referee": {"on_duty": False, "wait_s": 0},
        "ws": "/",  # the page answers itself, see static/live/lesson.js
        "snap": _snap(start(lesson), now),
    }


def answer_of(found: Walk, *, now: int) -> dict[str, Any]:
    """Return the answer to a play: the events for the player, what was done, and what is to be done next."""
    told = list(events(found.steps, PLAYER))
    head = {"t": "ev", "from": found.steps[0].row.seq, "list": [event for event, _seen in told]}
    frame = head | _head(found.state, told[-1][1], now)
    return {"ev": frame, "done": str(found.done.done), "do": str(found.task.do) if found.task else ""}


def _snap(state: TableState, now: int) -> dict[str, Any]:
    seen = view(state, PLAYER)
    you = {"seat": ME, "role": "seat", "powers": ["play"]}
    return {"t": "snap", "you": you, "view": seen} | _head(state, seen, now)


def _head(state: TableState, seen: dict[str, Any], now: int) -> dict[str, Any]:
    return {"epoch": state.epoch, "seq": state.seq, "clocks": {}, "now": now, "hash": view_hash(seen)}
