"""Substitutes of a roster, and substitutions; each spell stays on record with its dates."""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, can, require
from tock_league.clubs.models import SUBSTITUTES
from tock_league.clubs.selectors import roster
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing

from ...models import Competition, Entry, Match, RosterSpot
from ..shared.journal import note
from ..shared.locking import lock_entry
from ..shared.refusals import entry_not_now
from .eligibility import nobody_twice, take_part

S = Entry.State
TAKING_PART = (S.PENDING, S.ACCEPTED, S.WAITLISTED, S.CHECKED_IN, S.PLAYING)


def sits_at_a_table(entry: Entry) -> bool:
    """Return whether the table of one of its matches is open, so that nobody is replaced now. One query."""
    called = (Match.State.CALLED, Match.State.LIVE)
    return Match.objects.filter(side_rows__entry=entry, table__isnull=False, state__in=called).exists()


def substitute(*, by: Person, entry: Entry, leaves: Player, comes: Player) -> Entry:
    """Let the substitute `comes` play from now on in the place of the starter `leaves`, who becomes the substitute.

    The captain does it until the draw, then organisers and referees of the competition do. Raises Refused on `leaves`
    and `comes` (not a starter, not a substitute of this roster, suspended); Conflict: the entry is out, or sits at a table now.
    """
    with writing():
        competition, entry = lock_entry(entry)
        require(by, "roster.change", entry, needed="organiser")
        if entry.state not in TAKING_PART:
            raise entry_not_now(entry, TAKING_PART)
        if sits_at_a_table(entry):
            raise Conflict("at_table", _("This team has a table open; change the roster when its match is over."))
        spots = RosterSpot.objects.filter(entry=entry, left__isnull=True).select_related("player")
        starter = spots.filter(player=leaves, role=RosterSpot.Role.STARTER).first()
        other = spots.filter(player=comes, role=RosterSpot.Role.SUBSTITUTE).first()
        if starter is None:
            raise Refused(
                "not_a_starter", _("%(player)s does not start.") % {"player": leaves.display_name}, field="leaves"
            )
        if other is None:
            raise Refused(
                "not_a_substitute",
                _("%(player)s is not a substitute of %(team)s.") % {"player": comes.display_name, "team": str(entry)},
                field="comes",
            )
        take_part(competition, comes, field="comes")
        swap(competition, entry, starter, other, by=by)
        return entry


def add_substitute(*, by: Person, entry: Entry, player: Player) -> Entry:
    """Put a substitute of the team on the roster, who may then play by `substitute`.

    The captain does it until the draw, then organisers and referees do. Raises NotAllowed; Refused on `player`: not a
    substitute of the team, on a roster of the competition already (I07), two substitutes already, suspended; Conflict
    when the entry is out.
    """
    with writing():
        competition, entry = lock_entry(entry)
        require(by, "roster.change", entry, needed="organiser")
        if entry.state not in TAKING_PART:
            raise entry_not_now(entry, TAKING_PART)
        if entry.team is None or player.pk not in {one.pk for one in roster(entry.team).substitutes}:
            raise Refused(
                "not_a_substitute",
                _("%(player)s is not a substitute of %(team)s.") % {"player": player.display_name, "team": str(entry)},
                field="player",
            )
        nobody_twice(competition, [player])
        spots = RosterSpot.objects.filter(entry=entry, left__isnull=True, role=RosterSpot.Role.SUBSTITUTE)
        taken = set(spots.values_list("slot", flat=True))
        free = [slot for slot in range(1, SUBSTITUTES + 1) if slot not in taken]
        if not free:
            raise Refused("substitutes", _("A roster names at most two different substitutes."), field="player")
        take_part(competition, player, field="player")
        desk = can(by, "competition.organise", competition) or can(by, "competition.referee", competition)
        now = clock.now()
        RosterSpot.objects.create(
            competition=competition,
            entry=entry,
            player=player,
            role=RosterSpot.Role.SUBSTITUTE,
            slot=free[0],
            joined=now,
            confirmed_at=now if desk else None,
        )
        note(competition, "roster.changed", by, entry=entry.slug, joined=player.slug)
        return entry


def swap(competition: Competition, entry: Entry, starter: RosterSpot, other: RosterSpot, *, by: Person) -> None:
    """End both spells and begin them anew with places changed; the caller holds the competition's row."""
    now = clock.now()
    RosterSpot.objects.filter(pk__in=[starter.pk, other.pk]).update(left=now)
    for spot, role, slot in (
        (other, RosterSpot.Role.STARTER, starter.slot),
        (starter, RosterSpot.Role.SUBSTITUTE, other.slot),
    ):
        RosterSpot.objects.create(
            competition=competition,
            entry=entry,
            player=spot.player,
            role=role,
            slot=slot,
            joined=now,
            confirmed_at=spot.confirmed_at or (now if role == RosterSpot.Role.STARTER else None),
        )
    note(competition, "roster.changed", by, entry=entry.slug, starts=other.player.slug, instead_of=starter.player.slug)
