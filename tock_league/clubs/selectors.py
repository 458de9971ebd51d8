"""What pages read about clubs and teams; each says how many queries it needs."""

from dataclasses import dataclass

from django.db.models import Count, Prefetch, Q, QuerySet

from tock_league.accounts.models import Player
from tock_league.common.errors import NotThere

from .models import Club, ClubRole, Membership, Team, TeamPlayer

CURRENT = Q(until__isnull=True)


def clubs() -> QuerySet[Club]:
    """Every club with `members`, its number of members now. One query."""
    return Club.objects.annotate(
        members=Count("memberships", filter=Q(memberships__until__isnull=True), distinct=True)
    ).order_by("name")


def club(slug: str) -> Club:
    """The club of that address, or NotThere. One query."""
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise NotThere
    return found


@dataclass(frozen=True)
class Member:
    """A player in a club's list: guest or at home, with the names of the roles held there."""

    player: Player
    home: bool
    roles: tuple[ClubRole, ...]

    @property
    def lacks(self) -> list[tuple[str, str]]:
        """The roles the member does not hold: (name, label)."""
        held = {role.name for role in self.roles}
        return [(str(name), str(label)) for name, label in ClubRole.Name.choices if name not in held]


def members(of: Club) -> list[Member]:
    """The club's members now by name. Two queries."""
    roles: dict[int, list[ClubRole]] = {}
    for role in ClubRole.objects.filter(CURRENT, club=of).order_by("name"):
        roles.setdefault(role.player_id, []).append(role)
    ties = Membership.objects.filter(CURRENT, club=of).select_related("player").order_by("player__display_name")
    return [Member(tie.player, tie.home, tuple(roles.get(tie.player_id, ()))) for tie in ties]


def with_players(teams: QuerySet[Team]) -> QuerySet[Team]:
    """`teams` with `now`, the list of TeamPlayer rows in force with their players, captain first. Two queries."""
    spells = TeamPlayer.objects.filter(left__isnull=True).select_related("player").order_by("slot")
    return teams.prefetch_related(Prefetch("spells", spells, to_attr="now"))


def teams_of_club(of: Club) -> QuerySet[Team]:
    """The club's own pairs by name; drawn ones are left out. Two queries."""
    return with_players(Team.objects.filter(club=of, drawn=False))


def teams_of_player(player: Player) -> QuerySet[Team]:
    """The named pairs a player plays in now. Two queries."""
    return with_players(
        Team.objects.filter(spells__player=player, spells__left__isnull=True, drawn=False).select_related("club")
    )


def home_club(player: Player) -> Club | None:
    """The player's home club. One query."""
    tie = Membership.objects.filter(CURRENT, player=player, home=True).select_related("club").first()
    return tie.club if tie else None


def membership(player: Player | None, of: Club) -> Membership | None:
    """The tie of `player` to the club now. At most one query."""
    if player is None:
        return None
    return Membership.objects.filter(CURRENT, player=player, club=of).first()
