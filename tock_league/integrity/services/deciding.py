"""What the head referee does with a finding: close it with a reason, or open a case. Nothing follows by itself."""

from django.utils.translation import gettext_lazy as _

from games.models import Game
from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import Person, has_role, label, require
from tock_league.arbitration.models import Case
from tock_league.arbitration.services.cases.texts import clean
from tock_league.arbitration.services.cases.watched import open_watched
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.common.transactions import writing
from tock_league.competitions.models import Match
from tock_league.journal.services import record

from ..models import Finding
from ..permissions import involved
from .looking import STREAM

REASON_LENGTH = 280


def decider(by: Person) -> Player:
    """Return `by`, who holds the role of head referee of the whole site. Raises NotAllowed; for administrators too."""
    require(by, "integrity.watch", needed="head_referee")
    if not isinstance(by, Player) or not has_role(by, Role.Name.HEAD_REFEREE):
        raise NotAllowed(needed="head_referee")
    return by


def close(*, by: Person, finding: Finding, reason: str) -> Finding:
    """Close a finding: nothing has to be done. Raises NotAllowed; NotThere for somebody involved; Conflict `decided`;
    Refused on `reason`.
    """
    words = clean(reason, field="reason", most=REASON_LENGTH, lines=True)
    with writing():
        person = decider(by)
        finding = _open(person, finding)
        entry = record(
            STREAM,
            "integrity.closed",
            actor=label(person),
            body={"finding": finding.number},
            private={"reason": words},
        )
        return _decided(finding, person, Finding.State.CLOSED, entry_id=entry.pk)


def open_case(*, by: Person, finding: Finding, game: str, reason: str) -> Case:
    """Open a case of conduct about one of the finding's games, and return it. Another referee decides the case.

    `game`: the source of the game, which belongs to a competition. Raises what `close` raises, Refused on `game`, and
    what `open_watched` raises.
    """
    words = clean(reason, field="reason", most=REASON_LENGTH)
    with writing():
        person = decider(by)
        finding = _open(person, finding)  # locked before the competition: nobody who holds that waits for a finding
        if game not in finding.games:
            raise Refused("game", _("Choose one of the games of this finding."), field="game")
        played = Game.objects.select_related("table").filter(pk=int(game)).first() if game.isdigit() else None
        match = Match.objects.filter(table=played.table_id).first() if played is not None else None
        if played is None or match is None:
            raise Refused("no_competition", _("Only a game of a competition can become a case."), field="game")
        case = open_watched(by=person, match=match, game=played, text=words)
        entry = record(
            STREAM,
            "integrity.case_opened",
            actor=label(person),
            body={"finding": finding.number, "case": case.number},
            private={"reason": words},
        )
        _decided(finding, person, Finding.State.CASE, entry_id=entry.pk, case=case)
        return case


def _open(person: Player, finding: Finding) -> Finding:
    """Return the finding, locked and open. Raises NotThere for somebody involved; Conflict `decided`."""
    found = Finding.objects.select_for_update(of=("self",)).filter(pk=finding.pk).first()
    if found is None or involved([person.pk], list(found.players.values_list("pk", flat=True))):
        raise NotThere
    if found.state != Finding.State.OPEN:
        raise Conflict("decided", _("This finding has been decided."), number=found.number)
    return found


def _decided(finding: Finding, by: Player, state: str, *, entry_id: int, case: Case | None = None) -> Finding:
    finding.state, finding.decided_at, finding.decided_by = state, clock.now(), by
    finding.entry_id, finding.case = entry_id, case
    finding.save(update_fields=["state", "decided_at", "decided_by", "entry", "case"])
    return finding
