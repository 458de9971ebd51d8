"""Following a player or a team: a private list. No page tells anybody else who follows whom."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from tock_league.accounts import blocks
from tock_league.accounts.minors import children
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, is_administrator, player_who_asks
from tock_league.common import clock
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.transactions import writing

from .models import Follow, Membership, Team, TeamPlayer
from .selectors import shows_page

MOST = 100  # that one person follows
CLUBS = Player.Readers.CLUBS


@dataclass(frozen=True)
class Followed:
    """Whom a person follows and may see now; `closed`: players whose page is not open to the person any more."""

    players: tuple[Player, ...] = ()
    teams: tuple[Team, ...] = ()
    closed: tuple[Player, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.players or self.teams or self.closed)


def follow_player(*, by: Person, player: Player) -> Follow:
    """Follow a player whose page one may open. Idempotent.

    Raises Refused naming `player`: oneself, `follows_most`; NotAllowed for a page that is not open to the person asking.
    """
    with writing():
        person = player_who_asks(by)
        if player.pk == person.pk:
            raise Refused("self_followed", _("Your own matches are on your pages already."), field="player")
        if not _is_open(player, person):
            raise NotAllowed(_("This player’s page is not open to you."), needed="reader")
        return _followed(person, player=player)


def follow_team(*, by: Person, team: Team) -> Follow:
    """Follow a team. Idempotent. Raises Refused naming `team`: dissolved, `follows_most`."""
    with writing():
        person = player_who_asks(by)
        if team.dissolved_at is not None:
            raise Refused("team_dissolved", _("%(team)s no longer exists.") % {"team": team.name}, field="team")
        return _followed(person, team=team)


def unfollow(*, by: Person, player: Player | None = None, team: Team | None = None) -> None:
    """Stop following the player or the team. Idempotent."""
    with writing():
        Follow.objects.filter(follower=player_who_asks(by), player=player, team=team).delete()


def follows(person: Player | None, *, player: Player | None = None, team: Team | None = None) -> bool:
    """Return whether `person` follows the player or the team. One query, none for a visitor."""
    return person is not None and Follow.objects.filter(follower=person, player=player, team=team).exists()


def followed(person: Player) -> Followed:
    """Return whom `person` follows, by name. One query, seven if there are players among them, a few more for each child."""
    rows = list(Follow.objects.filter(follower=person).select_related("player", "team__club"))
    people = sorted((row.player for row in rows if row.player is not None), key=lambda one: one.display_name)
    teams = sorted((row.team for row in rows if row.team is not None), key=lambda one: one.name)
    seen = _open_to(person, people)
    return Followed(
        players=tuple(one for one in people if one.pk in seen),
        teams=tuple(teams),
        closed=tuple(one for one in people if one.pk not in seen),
    )


def _is_open(player: Player, person: Player) -> bool:
    return not blocks.are_apart(player, person) and shows_page(player, person)


def _open_to(person: Player, people: Sequence[Player]) -> set[int]:
    """Return the keys of those of `people` for whom `_is_open` holds: for many at once, as a page asks at every visit."""
    if not people:
        return set()
    keys = [one.pk for one in people]
    young = set(children().filter(player__in=keys))
    near = _near(person, keys)
    may_all = is_administrator(person)
    apart = blocks.apart(person)
    return {
        one.pk
        for one in people
        if one.pk not in apart
        and (shows_page(one, person) if one.pk in young else may_all or one.page_for != CLUBS or one.pk in near)
    }


def _near(person: Player, keys: Sequence[int]) -> set[int]:
    """Return those of the players `keys` who share a club or a team with `person`, as the rule `profile.see` asks."""
    clubs = Membership.objects.filter(player=person, until__isnull=True).values("club")
    teams = TeamPlayer.objects.filter(player=person, left__isnull=True).values("team")
    members = Membership.objects.filter(player__in=keys, until__isnull=True, club__in=clubs)
    mates = TeamPlayer.objects.filter(player__in=keys, left__isnull=True, team__in=teams)
    return {*members.values_list("player", flat=True), *mates.values_list("player", flat=True)}


def _followed(person: Player, **whom: Player | Team) -> Follow:
    Player.objects.select_for_update().get(pk=person.pk)  # the limit holds for concurrent requests
    own = Follow.objects.filter(follower=person)
    known = own.filter(**whom).first()
    if known is not None:
        return known
    if own.count() >= MOST:
        raise Refused(
            "follows_most",
            _("You follow %(most)d players and teams, which is the most. Stop following one first.") % {"most": MOST},
            field=next(iter(whom)),
        )
    return Follow.objects.create(follower=person, since=clock.now(), **whom)
