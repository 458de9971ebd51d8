"""Services of teams: founding, changing places, leaving, dissolving."""

from collections.abc import Sequence

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.merged import require_separate
from tock_league.accounts.minors import require_consent
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, is_administrator, player_who_asks, require
from tock_league.common import bus, clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.limits import spend_of_day
from tock_league.common.names import checked_name
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ..announcements import TeamRenaming
from ..models import CAPTAIN, PAIR, SIZES, Club, Team, TeamInvitation, TeamPlayer
from ..selectors import is_settled
from .naming import locked_club, no_team_alike

TOO_MANY_TEAMS = _("You have made many teams today. Come back tomorrow.")


def found_team(*, by: Person, name: str, size: int = PAIR, club: Club | None = None) -> Team:
    """Return a new team of `club`, or a free one, with the person asking as its captain and only player.

    `size`: how many of it play at once. Raises Refused naming `size` when no table has two sides of it, `name` when the
    club, or the captain, has a team of that name already; NotAllowed unless the captain is a member of the club.
    """
    with writing():
        by = player_who_asks(by)
        require(by, "team.found", club, needed="member")
        require_consent(by.pk)
        if club is not None:
            locked_club(club)
        Player.objects.select_for_update().get(pk=by.pk)  # two concurrent clicks found one team
        _fits_a_table(size)
        team = Team(name=checked_name(name, field="name"), size=size, club=club)
        no_team_alike(team)
        own = Team.objects.filter(
            spells__player=by, spells__slot=CAPTAIN, spells__left__isnull=True, dissolved_at__isnull=True
        )
        if own.filter(name=team.name, club=club).exists():
            raise Refused("team_name_taken", _("You already have a team of that name."), field="name")
        checked(team)
        spend_of_day(by, "team", count=settings.TEAMS_PER_DAY, sentence=TOO_MANY_TEAMS)
        team.save()
        TeamPlayer.objects.create(team=team, player=by, slot=CAPTAIN, joined=clock.now())
        return team


def form_team(
    *, by: Person, name: str, players: Sequence[Player], club: Club | None = None, drawn: bool = False
) -> Team:
    """Return a new team of all `players` without asking them; the first one is its captain. For officers and organisers.

    `drawn`: for one club night, by lots; the name of such a team need not be unique in the club, and it does not count
    against the day's limit, because a night is drawn once.
    Raises Refused naming `players` when they are not two to four different people, `name` when the club has such a team.
    """
    with writing():
        if len(players) not in SIZES or len({player.pk for player in players}) != len(players):
            raise Refused("team_size", _("A team is two, three or four different players."), field="players")
        require(by, "team.form", (club, players), needed="club_officer")
        require_consent(*(player.pk for player in players), field="players")
        require_separate(*(player.pk for player in players), field="players")
        if club is not None and not drawn:
            locked_club(club)
        team = Team(name=checked_name(name, field="name"), size=len(players), club=club, drawn=drawn)
        no_team_alike(team)
        checked(team)
        if not drawn:
            spend_of_day(by, "team-formed", count=settings.TEAMS_FORMED_PER_DAY, sentence=TOO_MANY_TEAMS)
        team.save()
        now = clock.now()
        for slot, player in enumerate(players, start=1):
            TeamPlayer.objects.create(team=team, player=player, slot=slot, joined=now)
        return team


def rename_team(*, by: Person, team: Team, name: str) -> Team:
    """Rename a team. Events that have begun keep the name under which it plays there (decision 65).

    An administrator who does not play for the team corrects its name everywhere, in past events too.
    Raises Refused naming `name` when it looks like that of another team of the club, or of an event that it is in.
    """
    with writing():
        require(by, "team.edit", team, needed="captain")
        if name.strip() == Team.objects.values_list("name", flat=True).get(pk=team.pk):
            return locked(team)
        name = checked_name(name, field="name")
        bus.publish(TeamRenaming(team.pk, name, everywhere=_corrects(by, team)))
        if team.club is not None:
            locked_club(team.club)
        team = locked(team)
        team.name = name
        no_team_alike(team)
        checked(team).save()
        return team


def _corrects(by: Person, team: Team) -> bool:
    """Return whether `by` renames a team that is not the own one, as the site or an administrator."""
    if not isinstance(by, Player):
        return True
    return is_administrator(by) and not TeamPlayer.objects.filter(team=team, player=by).exists()


def resize_team(*, by: Person, team: Team, size: int) -> Team:
    """Change how many of the team play at once, while the captain is the only one who has ever been in it.

    Later the size is fixed, because history and results belong to a pair, or to a team of three or four.
    Raises Refused naming `size`: no table has two sides of it, somebody has joined, or an invitation is open.
    """
    with writing():
        team = locked(team)
        require(by, "team.edit", team, needed="captain")
        if size == team.size:
            return team
        _fits_a_table(size)
        if is_settled(team):
            raise Refused(
                "team_size_fixed",
                _("Others have played in this team: its number of players stays. Found another team."),
                field="size",
            )
        waiting = TeamInvitation.objects.filter(team=team, state=TeamInvitation.State.OPEN)
        if waiting.filter(expires_at__gt=clock.now()).exists():
            raise Refused("invitation_open", _("An invitation is open: take it back first."), field="size")
        team.size = size
        checked(team).save()
        return team


def set_place(*, by: Person, team: Team, player: Player, slot: int) -> Team:
    """Put a player of the team into another place; a player in that place takes the first one's place.

    Raises Refused naming `slot` for a place no team has, and when the captain's place would be left empty; Conflict
    when the player is no longer in the team.
    """
    with writing():
        team = locked(team)
        require(by, "team.edit", team, needed="captain")
        if slot not in team.places:
            raise Refused(
                "place_unknown",
                _("A team of %(size)d has that many players and two substitutes.") % {"size": team.size},
                field="slot",
            )
        spell = _spell(team, player)
        if spell.slot == slot:
            return team
        other = TeamPlayer.objects.filter(team=team, slot=slot, left__isnull=True).first()
        if other is None and spell.slot == CAPTAIN:
            raise Refused("captain_needed", _("A team has a captain: choose who takes that place."), field="slot")
        now = clock.now()
        old = spell.slot
        for moved in (spell, other):
            if moved is not None:
                moved.left = now
                moved.save(update_fields=["left"])
        TeamPlayer.objects.create(team=team, player=player, slot=slot, joined=now)
        if other is not None:
            TeamPlayer.objects.create(team=team, player=other.player, slot=old, joined=now)
        return team


def leave_team(*, by: Person, team: Team) -> Team:
    """End the spell of the person asking. A captain's place goes to the next in line; the last one dissolves the team."""
    with writing():
        by = player_who_asks(by)
        team = locked(team)
        return without(team, _spell(team, by))


def remove_player(*, by: Person, team: Team, player: Player) -> Team:
    """End somebody else's spell in the team."""
    with writing():
        team = locked(team)
        require(by, "team.edit", team, needed="captain")
        return without(team, _spell(team, player))


def dissolve(*, by: Person, team: Team) -> Team:
    """End the team: its spells and its open invitations. Its name is free again, its games and history stay."""
    with writing():
        team = locked(team)
        require(by, "team.edit", team, needed="captain")
        return _dissolved(team)


def locked(team: Team) -> Team:
    """Return the team under lock. Raises Conflict for a dissolved one."""
    team = Team.objects.select_for_update(of=("self",)).select_related("club").get(pk=team.pk)
    if team.dissolved_at is not None:
        raise Conflict("team_dissolved", _("%(team)s is dissolved.") % {"team": team.name})
    return team


def _fits_a_table(size: int) -> None:
    """Raise Refused naming `size` unless some table has two sides of that many."""
    if size not in SIZES:
        raise Refused("team_size", _("Two, three or four players of a team play at once."), field="size")


def _spell(team: Team, player: Player) -> TeamPlayer:
    spell = TeamPlayer.objects.filter(team=team, player=player, left__isnull=True).select_related("player").first()
    if spell is None:
        raise Conflict("not_in_team", _("%(player)s is not in this team.") % {"player": player.display_name})
    return spell


def without(team: Team, spell: TeamPlayer) -> Team:
    """End a spell; a captain's place goes to the next in line, and the last one dissolves the team. The team is locked."""
    now = clock.now()
    spell.left = now
    spell.save(update_fields=["left"])
    rest = TeamPlayer.objects.filter(team=team, left__isnull=True).order_by("slot")
    heir = rest.first()
    if heir is None:
        return _dissolved(team)
    if spell.slot == CAPTAIN:
        heir.left = now
        heir.save(update_fields=["left"])
        TeamPlayer.objects.create(team=team, player=heir.player, slot=CAPTAIN, joined=now)
    return team


def _dissolved(team: Team) -> Team:
    now = clock.now()
    TeamPlayer.objects.filter(team=team, left__isnull=True).update(left=now)
    TeamInvitation.objects.filter(team=team, state=TeamInvitation.State.OPEN).update(
        state=TeamInvitation.State.REVOKED, answered_at=now
    )
    team.dissolved_at = now
    team.save(update_fields=["dissolved_at", "updated_at"])
    return team
