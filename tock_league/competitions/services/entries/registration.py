"""Registration for a tournament: the captain registers, the others confirm, and the entry gets a place or waits.

All services lock the competition's row first, so concurrent requests for the last place are serialised.
"""

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text
from tock_league.accounts.permissions import SITE, Person, Site, can, require
from tock_league.clubs.models import PAIR, SUBSTITUTES, Team
from tock_league.clubs.selectors import roster
from tock_league.common import bus, clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked, no_markup

from ...announcements import PlayersEntered
from ...models import CheckIn, Competition, Entry, RosterSpot, Stage
from ..shared import telling
from ..shared.journal import note
from ..shared.locking import lock_competition, lock_entry
from .eligibility import is_here, nobody_twice, starters_of, take_part
from .entry_states import move, places_left
from .naming import no_entry_alike

C, S = Competition.State, Entry.State
REASON_LENGTH = 200


def register(*, by: Person, competition: Competition, team: Team, substitutes: Sequence[Player] = ()) -> Entry:
    """Return the entry of `team`: `pending` until every starter has confirmed, then `accepted` or `waitlisted`.

    A captain who registers has confirmed; an organiser confirms for all, as at the desk. Captains
    register while entries are open, organisers from the announcement to the draw. `substitutes`: up to two of the
    team's. Raises Refused on `team` (`eligibility.starters_of`, I06 entered already, I07 a player on another roster)
    and on `substitutes`; Conflict when it is too early or too late.
    """
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "entry.make", (competition, team), needed="captain")
        organiser = can(by, "competition.organise", competition)
        not_drawn(competition)
        if competition.state not in ((C.PUBLISHED, C.OPEN, C.CLOSED) if organiser else (C.OPEN,)):
            raise _not_open(competition)
        late = competition.entries_close_at is not None and clock.now() >= competition.entries_close_at
        if late and not organiser:
            raise _not_open(competition)
        starters = starters_of(competition, team)
        extra = _substitutes(team, substitutes)
        entry = Entry.objects.select_for_update().filter(competition=competition, team=team).first()
        if entry is None:
            entry = Entry(competition=competition, team=team, state=S.PENDING)
        elif entry.state in (S.WITHDRAWN, S.REFUSED):
            move(entry, S.PENDING)
        else:
            raise Refused("I06", _("%(team)s is already entered.") % {"team": team.name}, field="team")
        nobody_twice(competition, [*starters, *extra])
        no_entry_alike(competition, team)
        bus.publish(PlayersEntered(competition.pk, tuple(player.pk for player in (*starters, *extra))))
        entry.queued_at = None
        checked(entry).save()
        now = clock.now()
        for_all = (organiser or isinstance(by, Site)) and by not in starters
        for role, players in ((RosterSpot.Role.STARTER, starters), (RosterSpot.Role.SUBSTITUTE, extra)):
            for slot, player in enumerate(players, start=1):
                said_yes = for_all or (isinstance(by, Player) and by.pk == player.pk)
                RosterSpot.objects.create(
                    competition=competition,
                    entry=entry,
                    player=player,
                    role=role,
                    slot=slot,
                    joined=now,
                    confirmed_at=now if said_yes else None,
                )
        note(
            competition,
            "entry.registered",
            by,
            entry=entry.slug,
            team=team.slug,
            starters=[player.slug for player in starters],
            substitutes=[player.slug for player in extra],
        )
        return _seat_when_confirmed(competition, entry, by)


def confirm(*, by: Person, entry: Entry) -> Entry:
    """Confirm one's place on the roster. Idempotent. The last starter's confirmation takes the place.

    Raises Refused `not_on_roster`, `suspended`; Conflict when it is too late.
    """
    with writing():
        competition, entry = lock_entry(entry)
        require(by, "entry.answer", entry, needed="player")
        spot = _own_spot(by, entry)
        if spot is None:
            raise Refused("not_on_roster", _("You are not on the roster of %(team)s.") % {"team": str(entry)})
        if spot.confirmed_at is not None:
            return entry
        not_drawn(competition)
        if entry.state == S.PENDING and competition.state not in (C.PUBLISHED, C.OPEN, C.CLOSED):
            raise _not_open(competition)
        take_part(competition, spot.player, field="player")
        spot.confirmed_at = clock.now()
        spot.save(update_fields=["confirmed_at"])
        note(competition, "entry.confirmed", by, entry=entry.slug, player=spot.player.slug)
        return _seat_when_confirmed(competition, entry, by)


def refuse(*, by: Person, entry: Entry, reason: str = "") -> Entry:
    """Decline one's place: a starter's refusal refuses the whole entry, a substitute only leaves it.

    The organiser refuses an entry with a public reason. Raises Conflict after the draw.
    """
    with writing():
        competition, entry = lock_entry(entry)
        not_drawn(competition)
        reason = public_reason(reason)
        spot = _own_spot(by, entry)
        if spot is not None and spot.role == RosterSpot.Role.SUBSTITUTE:
            spot.left = clock.now()
            spot.save(update_fields=["left"])
            CheckIn.objects.filter(competition=competition, player=spot.player).delete()
            note(competition, "roster.changed", by, entry=entry.slug, left=spot.player.slug)
            if entry.state == S.CHECKED_IN and not is_here(competition, entry):
                move(entry, S.ACCEPTED)
            return entry
        if spot is None:
            require(by, "competition.organise", competition, needed="organiser")
            if not reason:
                raise Refused("reason_missing", _("Give a reason; it is shown to everybody."), field="reason")
        was = entry.state
        move(entry, S.REFUSED, reason=reason or "@declined")
        note(competition, "entry.refused", by, entry=entry.slug, was=was, reason=entry.reason)
        move_up(competition)
        return entry


def withdraw_before_draw(*, by: Person, entry: Entry, reason: str = "") -> Entry:
    """Take an entry out before the draw; its players are free and the waiting list moves up. Idempotent.

    After the draw a withdrawal has effects on matches: services.entries.withdrawals.
    """
    with writing():
        competition, entry = lock_entry(entry)
        require(by, "entry.make", (competition, entry.team), needed="captain")
        if entry.state == S.WITHDRAWN:
            return entry
        not_drawn(competition)
        was = entry.state
        move(entry, S.WITHDRAWN, reason=public_reason(reason))
        note(competition, "entry.withdrawn", by, entry=entry.slug, was=was, reason=entry.reason)
        move_up(competition)
        return entry


def admit(*, by: Person, entry: Entry) -> Entry:
    """Admit an entry, as organiser: a waiting one gets a place beyond the announced number, a late one comes back.

    Raises Conflict for other states and after the draw, Refused `suspended` for a starter who may not play.
    """
    with writing():
        competition, entry = lock_entry(entry)
        require(by, "competition.organise", competition, needed="organiser")
        not_drawn(competition)
        starters = RosterSpot.objects.filter(entry=entry, left__isnull=True, role=RosterSpot.Role.STARTER)
        take_part(competition, *(spot.player for spot in starters.select_related("player")), field="entry")
        to = S.CHECKED_IN if entry.state == S.DROPPED else S.ACCEPTED
        if entry.state == S.PENDING:
            RosterSpot.objects.filter(entry=entry, left__isnull=True, confirmed_at__isnull=True).update(
                confirmed_at=clock.now()
            )
            entry.queued_at = clock.now()
        was = entry.state
        move(entry, to)
        note(competition, "entry.admitted", by, entry=entry.slug, was=was)
        telling.entry_taken(entry, competition, by)
        return entry


def move_up(competition: Competition) -> list[Entry]:
    """Give free places to waiting entries, in the order of the list; return them. Does nothing after the draw.

    Once check-in is over, only those who are here move up. The caller holds the competition's row.
    """
    moved: list[Entry] = []
    if Stage.objects.filter(competition=competition).exists():
        return moved
    over = competition.check_in_until is not None and clock.now() >= competition.check_in_until
    for entry in Entry.objects.filter(competition=competition, state=S.WAITLISTED).order_by("queued_at", "pk"):
        left = places_left(competition)
        if left is not None and left < 1:
            break
        here = is_here(competition, entry)
        if over and not here:
            continue
        move(entry, S.ACCEPTED)
        note(competition, "entry.accepted", SITE, entry=entry.slug, waited=True)
        telling.entry_taken(entry, competition, SITE, kind="entry_moved_up")
        if competition.has_check_in and here:
            move(entry, S.CHECKED_IN)
        moved.append(entry)
    return moved


def close_pending(competition: Competition) -> None:
    """Refuse the entries of which a starter has not answered when entries close; the caller holds the competition's row."""
    for entry in Entry.objects.filter(competition=competition, state=S.PENDING):
        move(entry, S.REFUSED, reason="@silent" if competition.side_size == PAIR else "@silent_some")
        note(competition, "entry.refused", SITE, entry=entry.slug, was=S.PENDING, reason=entry.reason)


def not_drawn(competition: Competition) -> None:
    """Raise Conflict when the draw is made: from then on only referees and organisers change entries."""
    if Stage.objects.filter(competition=competition).exists():
        raise Conflict("drawn", _("The draw is made; entries no longer change this way."), state=competition.state)


def public_reason(reason: str) -> str:
    """Return the reason in the form in which it is stored.

    Raises Refused on `reason`: too long, control characters, tags.
    """
    reason = reason.strip()
    if len(reason) > REASON_LENGTH:
        raise Refused(
            "reason_length", _("A reason has at most %(most)d characters.") % {"most": REASON_LENGTH}, field="reason"
        )
    for validator in (plain_text, no_markup):
        try:
            validator(reason)
        except ValidationError as error:
            raise Refused(error.code or "invalid", str(error.message), field="reason") from error
    return reason


def _seat_when_confirmed(competition: Competition, entry: Entry, by: Person) -> Entry:
    """Take a place, or join the waiting list, once all starters have confirmed."""
    starters = RosterSpot.objects.filter(entry=entry, role=RosterSpot.Role.STARTER, left__isnull=True)
    if entry.state != S.PENDING or starters.filter(confirmed_at__isnull=True).exists():
        return entry
    entry.queued_at = clock.now()
    left = places_left(competition)
    queue = Entry.objects.filter(competition=competition, state=S.WAITLISTED).exists()
    free = left is None or (left > 0 and not queue)
    move(entry, S.ACCEPTED if free else S.WAITLISTED)
    note(competition, "entry.accepted" if free else "entry.waitlisted", by, entry=entry.slug)
    if free:
        telling.entry_taken(entry, competition, by)
    return entry


def _substitutes(team: Team, wanted: Sequence[Player]) -> list[Player]:
    known = {player.pk for player in roster(team).substitutes}
    if len(wanted) > SUBSTITUTES or len({player.pk for player in wanted}) != len(wanted):
        raise Refused("substitutes", _("A roster names at most two different substitutes."), field="substitutes")
    for player in wanted:
        if player.pk not in known:
            raise Refused(
                "not_a_substitute",
                _("%(player)s is not a substitute of %(team)s.") % {"player": player.display_name, "team": team.name},
                field="substitutes",
            )
    return list(wanted)


def _own_spot(by: Person, entry: Entry) -> RosterSpot | None:
    if not isinstance(by, Player):
        return None
    return RosterSpot.objects.filter(entry=entry, player=by, left__isnull=True).select_related("player").first()


def _not_open(competition: Competition) -> Conflict:
    return Conflict(
        "entries_closed",
        _("Entries are not open: the competition is “%(state)s”.") % {"state": competition.get_state_display()},
        state=competition.state,
    )
