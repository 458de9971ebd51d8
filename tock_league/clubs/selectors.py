"""Queries of pages about clubs and teams; each documents its number of queries."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.merged import formers
from tock_league.accounts.minors import children, is_child
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can
from tock_league.common import clock
from tock_league.common.errors import NotThere

from .models import CAPTAIN, Club, ClubNews, ClubRole, Membership, Team, TeamInvitation, TeamPlayer, part_of

CURRENT = Q(until__isnull=True)
NEWS_ON_A_PAGE = 20
FEW_KEPT_S = 60  # seconds for which the names of all clubs are kept


def clubs() -> QuerySet[Club]:
    """Return every club with `members`, its number of members now. One query."""
    return Club.objects.annotate(
        members=Count("memberships", filter=Q(memberships__until__isnull=True), distinct=True)
    ).order_by("name")


class ClubName(NamedTuple):
    """A club in a list to choose from."""

    slug: str
    name: str
    town: str


def few(limit: int) -> list[ClubName] | None:
    """Return all clubs by name; None where there are more than `limit`. One query in FEW_KEPT_S."""
    key = f"clubs.few:{limit}"
    found: list[ClubName] | None = cache.get(key)
    if found is None:
        found = [
            ClubName(*row) for row in Club.objects.order_by("name").values_list("slug", "name", "town")[: limit + 1]
        ]
        cache.set(key, found, FEW_KEPT_S)
    return found if len(found) <= limit else None


def called(words: str, limit: int) -> list[Club]:
    """Return the clubs with these words in name or town, or with that slug, by name; at most `limit`. One query."""
    wanted = Q(name__icontains=words) | Q(town__icontains=words) | Q(slug=words)
    return list(Club.objects.filter(wanted).order_by("name")[:limit])


def club(slug: str) -> Club:
    """Return the club of that address, or NotThere. One query."""
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
    """Return the club's members now by name. Two queries."""
    roles: dict[int, list[ClubRole]] = {}
    for role in ClubRole.objects.filter(CURRENT, club=of).order_by("name"):
        roles.setdefault(role.player_id, []).append(role)
    ties = Membership.objects.filter(CURRENT, club=of).select_related("player__birth").order_by("player__display_name")
    return [Member(tie.player, tie.home, tuple(roles.get(tie.player_id, ()))) for tie in ties]


def with_players(teams: QuerySet[Team]) -> QuerySet[Team]:
    """`teams` with `now`, the list of TeamPlayer rows in force with their players, captain first. Two queries."""
    spells = TeamPlayer.objects.filter(left__isnull=True).select_related("player").order_by("slot")
    return teams.prefetch_related(Prefetch("spells", spells, to_attr="now"))


def teams_of_club(of: Club) -> QuerySet[Team]:
    """Return the club's own teams by name; drawn and dissolved ones are left out. Two queries."""
    return with_players(Team.objects.filter(club=of, drawn=False, dissolved_at__isnull=True))


def teams_of_player(player: Player) -> QuerySet[Team]:
    """Return the named teams a player plays in now. Two queries."""
    return with_players(
        Team.objects.filter(spells__player=player, spells__left__isnull=True, drawn=False).select_related("club")
    )


def teams_lacking(player: Player) -> list[Team]:
    """Return the teams that `player` captains and that lack more players than are invited, by name, each with `now`.

    Two queries.
    """
    offers = (
        _open_offers()
        .filter(team=OuterRef("pk"), slot__lte=OuterRef("size"))
        .order_by()
        .values("team")
        .annotate(count=Count("pk"))
    )
    own = Team.objects.filter(
        spells__player=player, spells__slot=CAPTAIN, spells__left__isnull=True, drawn=False, dissolved_at__isnull=True
    ).annotate(offered=Coalesce(Subquery(offers.values("count")), 0))
    return [team for team in with_players(own.order_by("name", "pk")) if team.lacks > team.offered]  # type: ignore[attr-defined]


def clubs_of(player: Player) -> list[Club]:
    """Return the clubs of which `player` is a member now, the home club first, then by name. One query."""
    ties = Membership.objects.filter(CURRENT, player=player).select_related("club").order_by("-home", "club__name")
    return [tie.club for tie in ties]


def home_club(player: Player) -> Club | None:
    """Return the player's home club. One query."""
    tie = Membership.objects.filter(CURRENT, player=player, home=True).select_related("club").first()
    return tie.club if tie else None


def membership(player: Player | None, of: Club) -> Membership | None:
    """Return the present membership of `player` in the club, or None. At most one query."""
    if player is None:
        return None
    return Membership.objects.filter(CURRENT, player=player, club=of).first()


def team(slug: str) -> Team:
    """Return the team of that address with `now`, its players in force; NotThere for an unknown one. Two queries."""
    found = with_players(Team.objects.filter(slug=slug).select_related("club")).first()
    if found is None:
        raise NotThere
    return found


@dataclass(frozen=True)
class Roster:
    """Who plays for a team now: captain first, then the other starters; then the substitutes."""

    starters: tuple[Player, ...]
    substitutes: tuple[Player, ...]


def roster(of: Team) -> Roster:
    """Return the players of a team in the order of their places. One query."""
    spells = list(TeamPlayer.objects.filter(team=of, left__isnull=True).select_related("player").order_by("slot"))
    return Roster(
        tuple(spell.player for spell in spells if of.starts(spell.slot)),
        tuple(spell.player for spell in spells if not of.starts(spell.slot)),
    )


def is_settled(of: Team) -> bool:
    """Return whether others than its captain have been in the team, so that its size is fixed. One query."""
    return TeamPlayer.objects.filter(team=of).exclude(slot=CAPTAIN).exists()


def history(of: Team) -> list[TeamPlayer]:
    """Return every spell in the team, the latest first. One query."""
    return list(TeamPlayer.objects.filter(team=of).select_related("player", "team").order_by("-joined", "slot"))


@dataclass(frozen=True)
class Place:
    """One place of a team: its player, or its open invitation."""

    slot: int
    size: int
    spell: TeamPlayer | None
    invitation: TeamInvitation | None

    @property
    def label(self) -> str:
        """The name of the place, in the reader's language."""
        return str(part_of(self.slot, self.size))

    @property
    def starts(self) -> bool:
        """Whether the player in this place sits at the table."""
        return self.slot <= self.size


def places(of: Team) -> list[Place]:
    """Return every place of a team, captain's first, substitutes' last. Two queries."""
    spells = {
        spell.slot: spell for spell in TeamPlayer.objects.filter(team=of, left__isnull=True).select_related("player")
    }
    offers = {offer.slot: offer for offer in _open_offers().filter(team=of).select_related("player")}
    return [Place(slot, of.size, spells.get(slot), offers.get(slot)) for slot in of.places]


def _open_offers() -> QuerySet[TeamInvitation]:
    return TeamInvitation.objects.filter(state=TeamInvitation.State.OPEN, expires_at__gt=clock.now())


def invitations_of(player: Player) -> QuerySet[TeamInvitation]:
    """Return the invitations by name that wait for a player's answer. One query."""
    return (
        _open_offers()
        .filter(player=player, team__dissolved_at__isnull=True)
        .select_related("team__club", "sent_by")
        .order_by("expires_at")
    )


def invitation(pk: int) -> TeamInvitation:
    """Return the invitation of that number, or NotThere. One query."""
    found = TeamInvitation.objects.filter(pk=pk).select_related("team__club", "sent_by", "player").first()
    if found is None:
        raise NotThere
    return found


def digest(token: str) -> str:
    """Return the SHA-256, hex, under which the database stores the secret of a link."""
    return hashlib.sha256(token.encode()).hexdigest()


def invitation_by_token(token: str) -> TeamInvitation:
    """Return the invitation of a link, in any state, or NotThere. One query."""
    found = (
        TeamInvitation.objects.filter(token_hash=digest(token))
        .select_related("team__club", "sent_by", "player")
        .first()
    )
    if found is None:
        raise NotThere(_("This link leads to no invitation. Check it, or ask the captain for a new one."))
    return found


def players_to_invite(of: Team, query: str, *, limit: int = 12) -> Sequence[Player]:
    """Return players who are not in the team and whose name holds `query`, by name; without one, the club's members.

    One query.
    """
    inside = TeamPlayer.objects.filter(team=of, left__isnull=True).values("player")
    found = Player.objects.exclude(pk__in=inside).exclude(pk__in=formers()).order_by("display_name", "pk")
    if query:
        found = found.filter(display_name__icontains=query)
    elif of.club_id is not None:
        found = found.filter(memberships__club=of.club_id, memberships__until__isnull=True)
    else:
        return []
    home = Membership.objects.filter(CURRENT, home=True).select_related("club")
    return list(found.distinct().prefetch_related(Prefetch("memberships", home, to_attr="home_ties"))[:limit])


def shows_page(player: Player, viewer: Player | None) -> bool:
    """Return whether `viewer`, None for a visitor, may open the player's page. One to five queries."""
    open_to_all = player.page_for == Player.Readers.EVERYBODY or bool(player.bot)
    return (open_to_all and not is_child(player)) or can(viewer, "profile.see", player)


def team_names(slugs: Sequence[str]) -> dict[str, str]:
    """Return the names of teams by the slugs of their addresses. One query."""
    return dict(Team.objects.filter(slug__in=slugs).values_list("slug", "name"))


def club_names(slugs: Sequence[str]) -> dict[str, str]:
    """Return the names of clubs by the slugs of their addresses. One query."""
    return dict(Club.objects.filter(slug__in=slugs).values_list("slug", "name"))


def news_texts(slugs: Sequence[str]) -> dict[str, str]:
    """Return the texts of clubs' news by their slugs: notices show them as they are now. One query."""
    return dict(ClubNews.objects.filter(slug__in=slugs).values_list("slug", "text"))


def news_of(club: Club) -> list[ClubNews]:
    """Return the newest news of the club, at most NEWS_ON_A_PAGE. One query."""
    return list(ClubNews.objects.filter(club=club).select_related("by")[:NEWS_ON_A_PAGE])


def pages_open_to(viewer: Player | None) -> QuerySet[Player]:
    """Return the players whose pages `viewer`, None for a visitor, finds in a list: `shows_page` for many. One query.

    A child is in nobody's list, although its guardian and the staff of its clubs may open its page.
    """
    everybody = Q(page_for=Player.Readers.EVERYBODY) | ~Q(bot="")
    if viewer is None:
        return Player.objects.filter(everybody).exclude(pk__in=children()).exclude(pk__in=formers())
    mine = Membership.objects.filter(CURRENT, player=viewer).values("club")
    mates = TeamPlayer.objects.filter(player=viewer, left__isnull=True).values("team")
    near = Q(pk__in=Membership.objects.filter(CURRENT, club__in=mine).values("player"))
    near |= Q(pk__in=TeamPlayer.objects.filter(left__isnull=True, team__in=mates).values("player"))
    known = everybody | Q(page_for=Player.Readers.SIGNED_IN) | near
    listed = known & ~Q(pk__in=children()) & ~Q(pk__in=formers())
    return Player.objects.filter(listed | Q(pk=viewer.pk))


def with_homes(players: QuerySet[Player]) -> QuerySet[Player]:
    """`players` with `home_ties`, the memberships in their home clubs with the club. One query more."""
    home = Membership.objects.filter(CURRENT, home=True).select_related("club")
    return players.prefetch_related(Prefetch("memberships", home, to_attr="home_ties"))


def all_names(_user: object) -> list[str]:
    """Return the names of all clubs. One query."""
    return list(Club.objects.values_list("name", flat=True))
