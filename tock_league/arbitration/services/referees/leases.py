"""Leases on cases: one referee at a time, for five minutes, renewed by hand; a lease ends with the role.

A database constraint allows one open lease a case; a second taker gets a Conflict naming the holder and the end.
"""

from datetime import datetime, timedelta

from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.services import referee as tables
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.common.numbers import is_whole
from tock_league.common.transactions import writing
from tock_league.competitions.models import Competition

from ...core import cases
from ...models import Case, Lease, Recusal
from ...permissions import heads, referees
from ...selectors.referees import available, conflicts
from ..cases import deadlines, drafts, events
from ..cases.texts import clean

NOTE_LENGTH = 280
FIRST_RENEWAL = 1  # the version of a lease that was renewed once


def take(*, by: Person, case: Case) -> Lease:
    """Return a lease of the case for a referee of its event. Idempotent.

    Raises NotAllowed; Refused `conflict` (field `referee`, the first ground in the details), which is stored as a
    recusal; Conflict `taken` with the holder and the end of the lease, `not_open`.
    """
    with writing():
        case = events.lock(case, table=True)
        referee = _referee(by, case)
        found = conflicts.grounds(referee, case)
        if not found:
            return _take(referee, case)
    note_conflict(referee, case, found[0])
    raise conflict(found)


def take_next(*, by: Person, competition: Competition) -> Lease:
    """Return a lease of the oldest case of the event that waits and in which the referee has no conflict.

    Cases with a waiting table go first. Raises NotAllowed; NotThere when nothing waits.
    """
    require(by, "case.queue", competition, needed="referee")
    waiting = Case.objects.filter(competition=competition, state="filed").select_related("competition", "match")
    for case in waiting.order_by("-live", "filed_at", "pk"):
        if not isinstance(by, Player) or conflicts.grounds(by, case):
            continue
        try:
            return take(by=by, case=case)
        except Conflict:  # another referee took it first
            continue
    raise NotThere(_("No case is waiting for you."))


def _take(referee: Player, case: Case) -> Lease:
    now = clock.now()
    known = case.leases.select_for_update().filter(ended_at__isnull=True).select_related("referee").first()
    if known is not None and not _over(known, case):
        if known.referee_id == referee.pk:
            return known
        raise Conflict(
            "taken",
            _("%(name)s has this case.") % {"name": known.referee.display_name},
            referee=known.referee.display_name,
            until=known.until.isoformat(),
        )
    if known is not None:
        _end(known, case)
    events.expect(case, "lease_taken")
    until = now + timedelta(seconds=deadlines.deadlines_of(case.competition).lease)
    lease = Lease.objects.create(case=case, referee=referee, since=now, until=until)
    _hold_table(case, until)
    case.outsider = case.outsider or referee.pk in available.outsiders(case)
    case.save(update_fields=["outsider"])
    events.append(case, "lease_taken", by=referee, role="referee", body={"until": clock.ms(until)})
    drafts.receive(case, referee)
    return lease


def renew(*, by: Person, case: Case) -> Lease:
    """Extend the lease by its full duration from now. Raises NotAllowed; Conflict `no_lease`.

    Only the first renewal of a lease is an event of the case: the others would fill the record that the players read.
    """
    with writing():
        case = events.lock(case, table=True)
        lease = held(by, case)
        lease.until = clock.now() + timedelta(seconds=deadlines.deadlines_of(case.competition).lease)
        lease.version += 1
        lease.save(update_fields=["until", "version"])
        _hold_table(case, lease.until)
        if lease.version == FIRST_RENEWAL:
            events.append(case, "lease_renewed", by=by, role="referee", body={"until": clock.ms(lease.until)})
        return lease


def release(*, by: Person, case: Case) -> Case:
    """Return the case to the queue. Raises NotAllowed; Conflict `no_lease`."""
    with writing():
        case = events.lock(case, table=True)
        lease = held(by, case)
        let_go(lease, case)
        events.append(case, "lease_released", by=by, role="referee")
        return case


def escalate(*, by: Person, case: Case, note: str, draft: bool = False) -> Case:
    """Hand the case over to the head referee, with a proposal; `draft`: with the draft of the ruling too.

    Raises NotAllowed; Conflict `no_lease`; Refused on `note`.
    """
    words = clean(note, field="note", most=NOTE_LENGTH)
    with writing():
        case = events.lock(case, table=True)
        lease = held(by, case)
        let_go(lease, case)
        drafts.offer(case, by, wanted=draft)
        events.append(case, "escalated", by=by, role="referee", body={"to": "head_referee"}, private={"text": words})
        events.append(case, "lease_released", by=by, role="referee")
        return case


def view_seat(*, by: Person, case: Case, seat: int | None) -> None:
    """Show the holder of the case the hand of one seat, until the lease ends, or hide it again (None).

    Every opening is an act of the record, shown to that seat after the game, and an event of the case.
    Raises NotAllowed; Conflict `no_lease`; Refused `not_live` where no table waits, `seat`.
    """
    with writing():
        case = events.lock(case, table=True)
        lease = held(by, case)
        if not case.live or case.game is None:
            raise Refused("not_live", _("Hands are shown only while the table waits for this case."), field="seat")
        if seat is None:
            _end_view(lease, case)
            return
        if not is_whole(seat) or not 0 <= seat < case.game.table.seats:
            raise Refused("seat", _("There is no such seat at this table."), field="seat")
        number = case.events.filter(type="seat_viewed").count() + 1
        tables.grant_view(
            game_id=case.game.pk,
            player_id=lease.referee_id,
            seat=seat,
            until=lease.until,
            ref=f"{case.number}/view/{number}",
        )
        events.append(case, "seat_viewed", by=by, role="referee", hidden={"seat": seat})


def held(by: Person, case: Case) -> Lease:
    """Return the lease that `by` holds on the case now, locked.

    Raises NotAllowed without the role; Conflict `no_lease`: never taken, run out, or somebody else's; Refused `conflict`.
    """
    require(by, "case.take", case, needed="referee", sentence=_("A referee of this event decides this case."))
    lease = case.leases.select_for_update().filter(ended_at__isnull=True, referee=getattr(by, "pk", None)).first()
    if lease is None or _over(lease, case):
        raise Conflict("no_lease", _("You do not hold this case, or your time is over. Take it again."))
    found = conflicts.grounds(lease.referee, case)
    if found:
        raise conflict(found)
    return lease


def end(lease: Lease, at: datetime | None = None) -> None:
    """Close the lease."""
    lease.ended_at = at or clock.now()
    lease.save(update_fields=["ended_at"])


def hand_over(lease: Lease, case: Case) -> None:
    """Close the lease of a referee whose part is done, and the hand that the referee saw."""
    end(lease)
    _end_view(lease, case)


def let_go(lease: Lease, case: Case) -> None:
    """Close the lease before its time: the hand that it opened is hidden, and the table waits for another referee."""
    hand_over(lease, case)
    if case.live and case.game_id is not None:
        tables.free(game_id=case.game_id)


def end_if_over(lease: Lease) -> int:
    """End a lease that has expired or whose referee has lost the role; return 1 if it ended, else 0."""
    with writing():
        case = events.lock(lease.case, table=True)
        found = Lease.objects.select_for_update().select_related("referee").filter(pk=lease.pk, ended_at=None).first()
        if found is None or not _over(found, case):
            return 0
        _end(found, case)
        return 1


def role_ended(told: object) -> None:
    """End the leases of a referee whose role has ended; WITHIN subscriber of RoleEnded."""
    player, competition = getattr(told, "player_id", None), getattr(told, "competition_id", None)
    leases = Lease.objects.filter(referee=player, case__competition=competition, ended_at__isnull=True)
    for lease in leases.select_related("case"):
        end_if_over(lease)


def conflict(found: tuple[str, ...]) -> Refused:
    """Return the refusal for a referee in conflict."""
    return Refused("conflict", conflicts.sentence(found), field="referee", status=403, ground=found[0])


def note_conflict(person: Player, case: Case, ground: str) -> None:
    """Record a detected conflict, once per person and case."""
    with writing():
        case = events.lock(case)
        _row, made = Recusal.objects.get_or_create(
            case=case, person=person, defaults={"ground": ground, "declared": False, "at": clock.now()}
        )
        if made and case.state in cases.OPEN:
            # Family and club ties must not appear in a public journal.
            events.append(
                case, "recused", by=person, role="referee", body={"declared": False}, hidden={"ground": ground}
            )


def _referee(by: Person, case: Case) -> Player:
    """Return `by`, a referee of the event; the site, and administrators without the role, are refused."""
    sentence = _("A referee of this event decides this case.")
    require(by, "case.take", case, needed="referee", sentence=sentence)
    if not isinstance(by, Player) or not referees(by, case.competition):
        raise NotAllowed(sentence, needed="referee")
    return by


def _over(lease: Lease, case: Case) -> bool:
    return lease.until <= clock.now() or not referees(lease.referee, case.competition)


def _end(lease: Lease, case: Case) -> None:
    """End a lease that is over, with the event that says why."""
    ran_out = lease.until <= clock.now()
    if ran_out:  # the table's own wait is over at the same moment
        end(lease, lease.until)
        _end_view(lease, case)
    else:
        let_go(lease, case)
    if case.state in ("assigned", "hearing"):
        type = "lease_expired" if ran_out else "lease_lost"
        events.append(case, type, by=lease.referee if not ran_out else None, role="system")


def _hold_table(case: Case, until: datetime) -> None:
    if case.live and case.game_id is not None:
        tables.hold(game_id=case.game_id, until=until)


def _end_view(lease: Lease, case: Case) -> None:
    if case.game is not None and case.game.state != Game.State.OVER:
        tables.end_view(game_id=case.game.pk, player_id=lease.referee_id)


def is_head(by: Person, case: Case) -> bool:
    """Return whether `by` is a head referee of the event."""
    return isinstance(by, Player) and heads(by, case.competition)
