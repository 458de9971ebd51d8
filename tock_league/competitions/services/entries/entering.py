"""Entering teams and taking them out again. A roster locks when the competition starts."""

from django.db.models import Max, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, can, require
from tock_league.clubs.models import Team
from tock_league.common import bus, clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...announcements import PlayersEntered
from ...models import Competition, Entry, RosterSpot, Stage
from ..shared.journal import note
from ..shared.locking import lock_competition
from .eligibility import nobody_twice, starters_of
from .naming import no_entry_alike

S = Competition.State
BY_ORGANISER = (S.DRAFT, S.PUBLISHED, S.OPEN, S.CLOSED)


def enter_team(*, by: Person, competition: Competition, team: Team, seed: int | None = None) -> Entry:
    """Return the entry of a team with its players as starters, captain first.

    Organisers enter teams until the start, captains and club officers while entries are open. Raises Refused naming
    `team`: what `eligibility.starters_of` refuses, already entered, a player on another roster (I07), division full; Conflict
    when it is too early, too late or the calendar is made.
    """
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "entry.make", (competition, team), needed="captain")
        if competition.is_planned:
            raise Conflict("register", _("Teams register for this tournament; their players confirm."))
        _open_for_entries(by, competition)
        _division_not_full(competition)
        players = starters_of(competition, team)
        # A team that withdrew comes back by its own row: one entry a team and competition (I06).
        entry = Entry.objects.filter(competition=competition, team=team).first()
        if entry is None:
            entry = Entry(competition=competition, team=team)
        elif entry.state != Entry.State.WITHDRAWN:
            raise Refused("I06", _("%(team)s is already entered.") % {"team": team.name}, field="team")
        nobody_twice(competition, players)
        no_entry_alike(competition, team)
        bus.publish(PlayersEntered(competition.pk, tuple(player.pk for player in players)))
        last = _inside(competition).aggregate(last=Max("seed"))["last"] or 0
        entry.state, entry.seed = Entry.State.ACCEPTED, seed if seed is not None else last + 1
        checked(entry).save()
        now = clock.now()
        for slot, player in enumerate(players, start=1):
            RosterSpot.objects.create(
                competition=competition, entry=entry, player=player, slot=slot, joined=now, confirmed_at=now
            )
        note(competition, "entry.accepted", by, entry=entry.slug, team=team.slug, players=[p.slug for p in players])
        return entry


def take_out(*, by: Person, entry: Entry) -> Entry:
    """Take an entry out before the start, which frees its players for another team.

    After the start this needs a ruling.
    """
    with writing():
        competition = lock_competition(entry.competition_id)
        entry = Entry.objects.select_for_update(of=("self",)).select_related("team").get(pk=entry.pk)
        require(by, "entry.make", (competition, entry.team), needed="captain")
        _open_for_entries(by, competition)
        if entry.state == Entry.State.WITHDRAWN:
            return entry
        entry.state, entry.seed = Entry.State.WITHDRAWN, None
        entry.save()
        RosterSpot.objects.filter(entry=entry, left__isnull=True).update(left=clock.now())
        note(competition, "entry.withdrawn", by, entry=entry.slug)
        return entry


def refusal_for_all(competition: Competition) -> str | Promise:
    """Return why no team at all can be entered now, in a sentence; "" where one can. Three queries at most."""
    try:
        _no_calendar(competition)
        _division_not_full(competition)
    except Refused as error:
        return error.sentence
    return ""


def _inside(competition: Competition) -> QuerySet[Entry]:
    return Entry.objects.filter(competition=competition).exclude(state=Entry.State.WITHDRAWN)


def _division_not_full(competition: Competition) -> None:
    division = competition.division
    if division is not None and _inside(competition).count() >= division.size:
        raise Refused(
            "division_full", _("The division is full: %(size)s teams.") % {"size": division.size}, field="team"
        )


def _no_calendar(competition: Competition) -> None:
    if Stage.objects.filter(competition=competition).exists():
        raise Conflict("calendar_made", _("The calendar is made; discard it before changing the entries."))


def _open_for_entries(by: Person, competition: Competition) -> None:
    organiser = can(by, "competition.organise", competition)
    if competition.state not in (BY_ORGANISER if organiser else (S.OPEN,)):
        raise Conflict(
            "entries_closed",
            _("Entries are not open: the competition is “%(state)s”.") % {"state": competition.get_state_display()},
            state=competition.state,
        )
    _no_calendar(competition)
