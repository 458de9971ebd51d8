"""Queries of the pages about newcomers; each documents its number of queries."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from tock_league.accounts.merged import formers
from tock_league.accounts.models import Merge, Player
from tock_league.clubs.models import Club, Membership, Team, TeamPlayer
from tock_league.common import clock
from tock_league.common.errors import NotThere
from tock_league.competitions.models import Competition

from .doubles import Place
from .models import Claim, ClaimCode, ListedName, NameList


@dataclass(frozen=True)
class Newcomer:
    """A player without a login, the names of the teams, the code in force or None, and whether the place may make one."""

    player: Player
    teams: Sequence[str]
    code: ClaimCode | None
    in_care: bool


def in_care(place: Place, players: Collection[int]) -> set[int]:
    """Return which of `players` the place may vouch for: whom its lists made, and who has the home club here.

    Not a player of elsewhere whom a list has brought: whoever enters a name would else get the code of a stranger's record.
    At most two queries.
    """
    mine = {"made_by__club": place} if isinstance(place, Club) else {"made_by__competition": place}
    made = ListedName.objects.filter(player__in=players, made_player=True, **mine)
    found = set(made.values_list("player", flat=True))
    if isinstance(place, Club):
        brought = ListedName.objects.filter(made_player=False, made_tie__isnull=False).values("made_tie")
        homes = Membership.objects.filter(club=place, player__in=players, home=True, until__isnull=True)
        found |= set(homes.exclude(pk__in=brought).values_list("player", flat=True))
    return found


def newcomers(place: Place) -> list[Newcomer]:
    """Return the players without a login: members of the club, or named by lists of the event; by name. Five queries."""
    if isinstance(place, Club):
        ties = Membership.objects.filter(club=place, until__isnull=True)
        found = Player.objects.filter(pk__in=ties.values("player"))
    else:
        found = Player.objects.filter(listed__made_by__competition=place).distinct()
    spells = (
        TeamPlayer.objects.filter(left__isnull=True, team__drawn=False).select_related("team").order_by("team__name")
    )
    codes = ClaimCode.objects.filter(ended_at__isnull=True, expires_at__gt=clock.now())
    players = (
        found.filter(user__isnull=True, bot="")
        .exclude(pk__in=formers())
        .order_by("display_name", "pk")
        .prefetch_related(
            Prefetch("team_spells", spells, to_attr="now"), Prefetch("claim_codes", codes, to_attr="codes")
        )
    )
    care = in_care(place, [one.pk for one in players])
    return [
        Newcomer(one, [spell.team.name for spell in one.now], one.codes[0] if one.codes else None, one.pk in care)
        for one in players
    ]


def lists_of(place: Place) -> QuerySet[NameList]:
    """Return the lists of the place with `count`, `made` and the names of their makers, the newest first. One query."""
    rows = (
        NameList.objects.filter(club=place) if isinstance(place, Club) else NameList.objects.filter(competition=place)
    )
    return rows.select_related("by").annotate(
        count=Count("names"), made=Count("names", filter=Q(names__made_player=True))
    )


def names_of(slug: str) -> NameList:
    """Return the list of that address, or NotThere. One query."""
    found = NameList.objects.filter(slug=slug).select_related("club", "competition").first()
    if found is None:
        raise NotThere
    return found


def claims() -> QuerySet[Claim]:
    """Return the claims that wait: neither answered nor merged since, the oldest first. One query."""
    done = Merge.objects.filter(separated_at__isnull=True).filter(
        Q(former=OuterRef("player"), kept=OuterRef("own")) | Q(former=OuterRef("own"), kept=OuterRef("player"))
    )
    rows = Claim.objects.filter(~Exists(done), state=Claim.State.ASKED)
    return rows.select_related("player", "own")


def claim(pk: int) -> Claim:
    """Return the claim of that number, or NotThere. One query."""
    found = Claim.objects.filter(pk=pk).first()
    if found is None:
        raise NotThere
    return found


def teams_of_player(player: Player) -> QuerySet[Team]:
    """Return the named teams that the player is in now. One query."""
    return Team.objects.filter(spells__player=player, spells__left__isnull=True, drawn=False).order_by("name")


def first_team(names: NameList) -> Team | None:
    """Return the team of the list's first line that has one, None without. One query."""
    row = names.names.filter(team__isnull=False).select_related("team").order_by("line").first()
    return row.team if row is not None else None


def event(slug: str) -> Competition:
    """Return the tournament of that address, or NotThere. One query."""
    found = Competition.objects.filter(slug=slug).select_related("club", "regulations").first()
    if found is None or not found.is_planned:
        raise NotThere
    return found
