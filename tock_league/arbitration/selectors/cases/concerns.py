"""What the cases ask of a person, and which ones touch them: for the first page, the match's page and “My cases”."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.competitions.models import Competition, Match

from ...core import cases
from ...models import Case, Deadline
from ...permissions import refereed_by
from .lookup import deadlines_of, with_sides
from .powers import powers
from .queues import hush_all, judged_by
from .viewers import Standing, organised_by, standings

NEWS = timedelta(days=7)  # how long a ruling is told to those whom it touches


@dataclass(frozen=True)
class Waiting:
    """A case that asks something of a player, or touches them.

    `what` is one of: answer, reply, rule, take, second, vote, panel_rule, form_panel, name_outsider (a task); appeal (a
    right); touched, appealed, ruled (something to know).
    """

    case: Case
    what: str
    due_at: datetime | None  # until when; None if it has no end


_TASKS = (
    ("answer", Deadline.Kind.ANSWER),
    ("rule", Deadline.Kind.RULING),
    ("take", Deadline.Kind.RULING),
    ("second", Deadline.Kind.RULING),
    ("vote", Deadline.Kind.PANEL),
    ("panel_rule", Deadline.Kind.PANEL),
    ("form_panel", Deadline.Kind.PANEL),
    ("name_outsider", Deadline.Kind.RULING),
)
TASKS = frozenset({"reply", *(what for what, _kind in _TASKS)})


def waiting_for(player: Player) -> list[Waiting]:
    """Return the tasks that wait for `player`, the most pressing first, in a fixed number of queries."""
    return [one for one in concerns(player) if one.what in TASKS]


def concerns(player: Player | None, match: Match | None = None) -> list[Waiting]:
    """Return what the cases ask of `player`, then which ones touch them; one row a case, nothing for visitors.

    `match`: only the cases of that match. The number of queries does not depend on the number of cases.
    """
    if player is None:
        return []
    rows = _cases(player, match)
    if not rows:
        return []
    hush_all(rows, player, judged_by(player, rows))
    known, deadlines = standings(player, rows), deadlines_of(rows)
    found = [one for case in rows if (one := _concern(case, player, known[case.pk], deadlines.get(case.pk, ())))]
    far = clock.now() + timedelta(days=365)
    return sorted(found, key=lambda one: (one.what not in TASKS, not one.case.live, one.due_at or far))


def _cases(player: Player, match: Match | None) -> list[Case]:
    """Return the open cases in which `player` has a part or an office, and the newly ruled ones of their matches."""
    state = sorted(cases.PENDING | cases.APPEAL)
    busy = list(Competition.objects.filter(cases__state__in=state).distinct())
    serving = refereed_by(player, [one.pk for one in busy]) | organised_by(player, busy) if busy else set()
    party = Q(match__table__seatings__player=player) | Q(match__side_rows__entry__roster__player=player)
    mine = Q(state__in=state) & (party | Q(panel__member=player) | Q(competition__in=serving))
    news = Q(state="ruled") | Q(state="final", rulings__signed_at__gt=clock.now() - NEWS)
    every = Case.objects.filter(mine | (party & news))
    return list(with_sides(every if match is None else every.filter(match=match)).distinct())


def _concern(case: Case, player: Player, known: Standing, running: Sequence[Deadline]) -> Waiting | None:
    may = powers(case, player, known)
    if "reply" in may:
        return Waiting(case, "reply", known.reply_ends)
    for what, kind in _TASKS:
        if what in may:
            return Waiting(case, what, next((one.due_at for one in running if one.kind == kind), None))
    if "appeal" in may:
        return Waiting(case, "appeal", known.appeal_ends)
    if known.side is None:
        return None
    if case.state in cases.PENDING:
        return Waiting(case, "touched", None)
    return Waiting(case, "appealed" if case.state in cases.APPEAL else "ruled", None)
