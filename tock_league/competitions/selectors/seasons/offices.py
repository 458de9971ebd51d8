"""The organisers and referees of one competition."""

from dataclasses import dataclass

from django.db.models import Prefetch
from django.db.models.functions import Lower

from tock_league.accounts.merged import formers
from tock_league.accounts.models import Player
from tock_league.clubs.models import Membership

from ...models import Competition, CompetitionRole, RosterSpot

ORDER = {name: place for place, name in enumerate(("head_referee", "referee", "organiser"))}


@dataclass(frozen=True)
class Office:
    """An office in force."""

    role: CompetitionRole
    plays: bool  # whether its holder also plays here, and so may not rule on their own matches


def offices(competition: Competition) -> list[Office]:
    """Return the offices in force, referees first. Two queries."""
    held = CompetitionRole.objects.filter(competition=competition, until__isnull=True).select_related("player")
    playing = set(
        RosterSpot.objects.filter(competition=competition, left__isnull=True).values_list("player", flat=True)
    )
    return sorted(
        (Office(role, role.player_id in playing) for role in held),
        key=lambda office: (ORDER[office.role.name], office.role.player.display_name),
    )


@dataclass(frozen=True)
class Candidate:
    """A player who may be named, with the home club and whether they play in the competition."""

    player: Player
    club: str
    plays: bool


def candidates(competition: Competition, query: str, *, limit: int = 12) -> list[Candidate]:
    """Return players whose name holds `query`, by name. Three queries."""
    home = Membership.objects.filter(until__isnull=True, home=True).select_related("club")
    found = (
        Player.objects.filter(display_name__icontains=query, bot="")
        .exclude(pk__in=formers())
        .order_by(Lower("display_name"), "pk")
        .prefetch_related(Prefetch("memberships", home, to_attr="home_ties"))[:limit]
    )
    playing = set(
        RosterSpot.objects.filter(competition=competition, left__isnull=True).values_list("player", flat=True)
    )
    return [
        Candidate(
            player,
            ", ".join(tie.club.name for tie in player.home_ties),
            player.pk in playing,
        )
        for player in found
    ]
