"""The only writer of cases: an event, its entry in the journal and the case's state, in one transaction.

The locking story: competition, match, game, case, ladder, and the journal's stream last. `lock` takes the case's row,
and the game's before it where the table may change; a ruling takes competition and match first.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.models import Game
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, label
from tock_league.common import clock
from tock_league.common.errors import Conflict
from tock_league.competitions.services.shared.locking import lock_match
from tock_league.journal.services import record, stream_of

from ...core import cases
from ...models import Case, CaseCounter, CaseEvent
from . import drafts

WITH = ("competition__regulations", "reviews", "match__round__group", "match__table", "game__table", "opened_by")
KINDS = {
    "lease_taken": "lease.taken",
    "lease_renewed": "lease.renewed",
    "lease_released": "lease.released",
    "lease_expired": "lease.expired",
    "lease_lost": "lease.lost",
    "seat_viewed": "seat.viewed",
    "recused": "referee.recused",
    "outsider_named": "outsider.named",
    "ruled": "ruling.signed",
    "appealed": "appeal.filed",
    "replied": "appeal.answered",
    "panel_formed": "panel.formed",
    "panel_replaced": "panel.replaced",
    "voted": "vote.cast",
    "appeal_ruled": "appeal.ruled",
    "superseded": "ruling.superseded",
}


def lock(case: Case, *, table: bool = False, result: bool = False) -> Case:
    """Return the case with its row locked.

    `table`: lock the game first; `result`: lock competition and match before that.
    """
    if result:
        lock_match(case.match_id)
    if (table or result) and case.game_id is not None:
        Game.objects.select_for_update(of=("self",)).get(pk=case.game_id)
    return Case.objects.select_for_update(of=("self",), no_key=True).select_related(*WITH).get(pk=case.pk)


def next_number(year: int) -> str:
    """Return the year's next case number, such as "TL-2026-000123"; a rollback releases it."""
    CaseCounter.objects.get_or_create(year=year)
    counter = CaseCounter.objects.select_for_update().get(year=year)
    counter.last += 1
    counter.save(update_fields=["last"])
    return f"TL-{year}-{counter.last:06d}"


def state_of(case: Case) -> cases.CaseState:
    """Return the fold of the case's events. One query."""
    return cases.state_after(
        cases.Event(type, actor or 0) for type, actor in case.events.order_by("seq").values_list("type", "actor_id")
    )


def expect(case: Case, type: str) -> cases.CaseState:
    """Return the case's state when an event of `type` can follow. Raises Conflict(`not_open`)."""
    state = state_of(case)
    if not cases.may(state, type):
        raise not_open(case)
    return state


def not_open(case: Case) -> Conflict:
    """Return the refusal of a step that a case in its present state does not allow."""
    return Conflict(
        "not_open",
        _("This is not possible now; the case is: %(state)s.") % {"state": case.get_state_display()},
        state=case.state,
        number=case.number,
    )


def append(
    case: Case,
    type: str,
    *,
    by: Person = None,
    role: str,
    body: Mapping[str, Any] | None = None,
    private: Mapping[str, str] | None = None,
    hidden: Mapping[str, Any] | None = None,
) -> CaseEvent:
    """Write one event; call it with the case locked, at the end of a service. `role`: the role in which `by` acts.

    `body`: the public part; `private`: texts of people, which the journal stores separately; `hidden`: values that the
    table must not learn while it plays, for the case file only, of which the public journal holds a salted hash. Raises
    Conflict(`not_open`) when the state does not allow such an event.
    """
    actor = by if isinstance(by, Player) else None
    try:
        after = cases.step(state_of(case), cases.Event(type, actor.pk if actor is not None else 0))
    except cases.Impossible as error:
        raise not_open(case) from error
    entry = record(
        stream_of(case.competition.slug),
        KINDS.get(type, f"case.{type}"),
        actor=label(by) if actor is not None else "system",
        body={"case": case.number, "event": after.seq, "role": role, **(body or {})},
        private={**(private or {}), **{name: str(value) for name, value in (hidden or {}).items()}},
    )
    event = CaseEvent.objects.create(
        case=case,
        seq=after.seq,
        at=clock.now(),
        actor=actor,
        role=role,
        type=type,
        body={**(body or {}), **(hidden or {})},
        entry=entry,
    )
    case.state, case.heard = after.state, after.heard
    case.live = case.live and after.state in cases.PENDING
    case.save(update_fields=["state", "heard", "live"])
    drafts.sent(event)
    return event
