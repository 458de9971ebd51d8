"""The first page of a member: what is next, own teams, running tables, the own clubs. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.selectors.own import OwnTable
from tock_league.accounts.models import Player
from tock_league.clubs import selectors as clubs
from tock_league.clubs.models import Club, Team
from tock_league.common import clock
from tock_league.competitions.models import Competition
from tock_league.competitions.permissions import organises_something
from tock_league.competitions.selectors.rankings.own_places import OwnPlace, own_places
from tock_league.competitions.selectors.rounds.matches import MatchView
from tock_league.competitions.selectors.seasons import calendars, competitions

from .others import Others, others
from .waiting import Waiting, waiting_for

AHEAD = 5  # matches to come that are listed
PAST = 5
IN_CLUBS = 4  # of each: events, and matches of others
STALE = timedelta(hours=6)  # after which a match that nobody has played is no longer the next one


@dataclass(frozen=True)
class TeamPlaces:
    """A team of the player with its places in running competitions; `team` is None for an entry by name alone."""

    team: Team | None
    name: str
    places: tuple[OwnPlace, ...]


@dataclass(frozen=True)
class Member:
    """Everything that the first page says to one player."""

    player: Player
    waiting: Waiting
    tables: Sequence[OwnTable]  # besides that of the next match
    lead: MatchView | None  # the next match
    ahead: tuple[MatchView, ...]  # those after it
    results: tuple[MatchView, ...]
    teams: tuple[TeamPlaces, ...]
    clubs: tuple[Club, ...]
    events: tuple[Competition, ...]  # of the clubs
    club_matches: tuple[MatchView, ...]
    others: Others  # whom the player follows
    organises: bool  # something: a page lists the own events

    @property
    def has_nothing(self) -> bool:
        """Whether the player has not begun yet: no club, team or match, and nothing to answer. Practice is no beginning."""
        has = (
            self.waiting or self.lead or self.ahead or self.results or self.teams or self.clubs or self.others.followed
        )
        return not has

    @property
    def seconds(self) -> int | None:
        """How many seconds from now the next match begins; None if it has begun or has no date."""
        at = self.lead.starts_at if self.lead is not None else None
        return _seconds(at) if at is not None else None


def _seconds(at: datetime) -> int | None:
    left = int((at - clock.now()).total_seconds())
    return left if left > 0 else None


def first_page(player: Player, tables: Sequence[OwnTable]) -> Member:
    """Return what the first page says to `player`, whose running tables are `tables`.

    The number of queries does not depend on how much there is of anything: about eighty where there is something of each
    kind.
    """
    coming = calendars.next_matches(player, viewer=player, limit=AHEAD + 1)
    lead = _next(coming)
    own_clubs = clubs.clubs_of(player)
    return Member(
        player=player,
        waiting=waiting_for(player),
        tables=[table for table in tables if lead is None or table.slug != lead.table_slug],
        lead=lead,
        ahead=tuple(view for view in coming if view is not lead)[:AHEAD],
        results=tuple(calendars.recent_results(player, viewer=player, limit=PAST)),
        teams=_teams(list(clubs.teams_of_player(player).order_by("name", "pk")), own_places(player)),
        clubs=tuple(own_clubs),
        events=tuple(competitions.coming_up(own_clubs, limit=IN_CLUBS)) if own_clubs else (),
        club_matches=tuple(calendars.ahead_in_clubs(own_clubs, viewer=player, limit=IN_CLUBS)) if own_clubs else (),
        others=others(player),
        organises=organises_something(player),
    )


def _next(coming: Sequence[MatchView]) -> MatchView | None:
    """Return the match at a table, else the next dated one that is not long past, else an undated one."""
    since = clock.now() - STALE
    seated = (view for view in coming if view.table_slug)
    dated = (view for view in coming if view.starts_at is not None and view.starts_at >= since)
    undated = (view for view in coming if view.starts_at is None)
    return next(seated, None) or next(dated, None) or next(undated, None)


def _teams(teams: Sequence[Team], places: Sequence[OwnPlace]) -> tuple[TeamPlaces, ...]:
    """Return the teams, those in a running competition first, then entries without a team or of one drawn for a night."""
    listed = {team.pk for team in teams}
    found = []
    for team in teams:
        found.append(TeamPlaces(team, team.name, tuple(one for one in places if one.entry.team_id == team.pk)))
    for one in places:
        if one.entry.team_id not in listed:
            found.append(TeamPlaces(None, one.name, (one,)))
    return tuple(sorted(found, key=lambda one: not one.places))
