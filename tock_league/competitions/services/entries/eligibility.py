"""Requirements on a team's side: half a table of starters, nobody on two rosters, and everybody here."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.clubs.models import Team
from tock_league.clubs.selectors import roster
from tock_league.common import bus, clock
from tock_league.common.errors import Refused

from ...announcements import PlayersTakePart
from ...models import CheckIn, Competition, Entry, RosterSpot
from .naming import no_player_alike


def starters_of(competition: Competition, team: Team) -> list[Player]:
    """Return the players of `team` who sit at the table, captain first.

    Raises Refused naming `team`: team_dissolved; side_size, a team of more or fewer than a side of this event;
    team_size, a team that lacks some of its own.
    """
    if team.dissolved_at is not None:
        raise Refused("team_dissolved", _("%(team)s no longer exists.") % {"team": team.name}, field="team")
    if team.size != competition.side_size:
        raise Refused(
            "side_size",
            _("%(team)s is a team of %(size)d players; in this event %(needed)d play on each side.")
            % {"team": team.name, "size": team.size, "needed": competition.side_size},
            field="team",
        )
    starters = list(roster(team).starters)
    if len(starters) != team.size:
        raise Refused(
            "team_size",
            _("%(team)s has %(count)d of its %(size)d players: invite the others first.")
            % {"team": team.name, "count": len(starters), "size": team.size},
            field="team",
        )
    return starters


def nobody_twice(competition: Competition, players: Sequence[Player]) -> None:
    """Raise Refused naming `team` when one of `players` is on a roster of this event already (I07), or looks like one."""
    taken = (
        RosterSpot.objects.filter(competition=competition, player__in=players, left__isnull=True)
        .select_related("player", "entry__team", "entry__player")
        .first()
    )
    if taken is not None:
        raise Refused(
            "I07",
            _("%(player)s already plays for %(team)s in this competition. Withdraw that team first.")
            % {"player": taken.player.display_name, "team": str(taken.entry)},
            field="team",
        )
    no_player_alike(competition, players)


def take_part(competition: Competition, *players: Player, field: str, at: datetime | None = None) -> None:
    """Announce that players of a roster play, by default now. Raises Refused on `field` where an app above refuses one."""
    ids = tuple(player.pk for player in players)
    bus.publish(PlayersTakePart(competition.pk, ids, field=field, at=at if at is not None else clock.now()))


def may_take_part(competition: Competition, player: Player) -> bool:
    """Return whether `take_part` refuses nothing."""
    try:
        take_part(competition, player, field="player")
    except Refused:
        return False
    return True


def is_here(competition: Competition, entry: Entry) -> bool:
    """Return whether so many of the entry's roster have checked in that a whole side can sit down. One query."""
    return CheckIn.objects.filter(entry=entry).count() >= competition.side_size
