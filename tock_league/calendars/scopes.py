"""Which matches and events belong to a calendar."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import in_force
from tock_league.clubs.models import Club, Team
from tock_league.competitions.models import Competition, CompetitionRole, Entry, Match, RosterSpot, Season
from tock_league.competitions.permissions import REFEREES
from tock_league.competitions.selectors.rounds.matches import visible
from tock_league.competitions.selectors.seasons.competitions import public

from .models import CalendarItem

# Entries that do not take part (any more).
OUT = (
    Entry.State.REFUSED,
    Entry.State.DROPPED,
    Entry.State.WITHDRAWN,
    Entry.State.DISQUALIFIED,
)


@dataclass(frozen=True)
class Scope:
    """A calendar's part of the public competitions: its matches, its events, and the matches that do not exist any more."""

    matches: QuerySet[Match]
    events: QuerySet[Competition]
    items: QuerySet[CalendarItem]


def of_player(player: Player) -> Scope:
    """Return what `player` plays in."""
    spots = RosterSpot.objects.filter(player=player, left__isnull=True)
    return _of_entries(Entry.objects.filter(pk__in=spots.values("entry")))


def of_team(team: Team) -> Scope:
    """Return what `team` plays in."""
    return _of_entries(Entry.objects.filter(team=team))


def of_club(club: Club) -> Scope:
    """Return the matches of the club's teams and of its own competitions, and these competitions."""
    entries = Entry.objects.filter(team__club=club)
    theirs = _of_entries(entries)
    own = _of_competitions(Q(club=club))
    return Scope(
        matches=_either(theirs.matches, own.matches),
        events=_either(theirs.events, own.events),
        items=_either(theirs.items, own.items),
    )


def of_competition(competition: Competition) -> Scope:
    """Return one competition with its matches."""
    return _of_competitions(Q(pk=competition.pk))


def of_season(season: Season) -> Scope:
    """Return the leagues of all divisions of a season."""
    return _of_competitions(Q(division__season=season))


def of_referee(player: Player) -> Scope:
    """Return the competitions that `player` is a referee of now."""
    held = CompetitionRole.objects.filter(in_force(), player=player, name__in=REFEREES)
    return _of_competitions(Q(pk__in=held.values("competition")))


def _of_entries(entries: QuerySet[Entry]) -> Scope:
    taking_part = entries.exclude(state__in=OUT)
    events = public().filter(pk__in=taking_part.values("competition"))
    matches = Match.objects.filter(pk__in=Match.objects.filter(side_rows__entry__in=entries.values("pk")).values("pk"))
    items = CalendarItem.objects.filter(entries__in=entries.values("pk"))
    return Scope(visible(matches), events, _of_public(CalendarItem.objects.filter(pk__in=items.values("pk"))))


def _of_competitions(which: Q) -> Scope:
    events = public().filter(which)
    chosen = Competition.objects.filter(which).values("pk")
    return Scope(
        visible(Match.objects.filter(competition__in=chosen)),
        events,
        _of_public(CalendarItem.objects.filter(competition__in=chosen)),
    )


def _of_public(items: QuerySet[CalendarItem]) -> QuerySet[CalendarItem]:
    return items.filter(competition__in=public().order_by().values("pk"))


def _either(one: QuerySet[Any], other: QuerySet[Any]) -> QuerySet[Any]:
    return one.model._default_manager.filter(
        Q(pk__in=one.order_by().values("pk")) | Q(pk__in=other.order_by().values("pk"))
    )
