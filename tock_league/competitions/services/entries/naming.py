"""Names inside an event: no two players on rosters, and no two entered teams, whose names look alike.

The competition's row is locked by whoever enters and by whoever changes a name, so that of two at the same moment the
second one is refused. Entries of before are kept as they are.
"""

from collections.abc import Sequence

from django.db.models import Case, F, When
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.announcements import PlayerRenaming
from tock_league.accounts.models import Player
from tock_league.clubs.announcements import TeamRenaming
from tock_league.clubs.models import Membership, Team
from tock_league.common.errors import Refused
from tock_league.common.names import first_confusable

from ...models import Competition, Entry, RosterSpot
from ...models.entry import OUT
from ...selectors.seasons.competitions import OVER
from ..shared.locking import lock_competition

BEGUN = (Competition.State.RUNNING, Competition.State.SUSPENDED, *OVER)


def no_player_alike(competition: Competition, players: Sequence[Player], *, field: str = "team") -> None:
    """Raise Refused naming `field` when a player's name looks like another's in this event. One query, where no names do.

    Two members of the organising club are let in: its names differ but for those of before, which are kept.
    """
    own = [player.pk for player in players]
    others = RosterSpot.objects.filter(competition=competition, left__isnull=True).exclude(player__in=own)
    named = list(others.values_list("player_id", "player__display_name"))
    for player in players:
        if first_confusable(player.display_name, [name for _pk, name in named]) is not None:
            members = _members(competition)
            kept = members if player.pk in members else set()
            _refuse_alike(player.display_name, [name for pk, name in named if pk not in kept], field)
        named.append((player.pk, player.display_name))


def no_entry_alike(competition: Competition, team: Team, name: str = "", *, field: str = "team") -> None:
    """Raise Refused naming `field` when another entered team has a name that looks like `name`. Two queries.

    `name`: by default the present name of the team, which may have changed since `team` was read.
    Teams drawn for one evening are called by their players, and may have any name.
    """
    if team.drawn:
        return
    name = name or Team.objects.values_list("name", flat=True).get(pk=team.pk)
    others = Entry.objects.filter(competition=competition, team__isnull=False, team__drawn=False)
    others = others.exclude(team=team).exclude(state__in=OUT)
    named = others.annotate(shown=Case(When(name="", then=F("team__name")), default=F("name")))
    _refuse_alike(name, list(named.values_list("shown", flat=True)), field)


def judge_player_renaming(renaming: PlayerRenaming) -> None:
    """Handle PlayerRenaming: lock the events that the player is in, and raise Refused when another has such a name."""
    player = Player.objects.get(pk=renaming.player_id)
    player.display_name = renaming.name
    spots = RosterSpot.objects.filter(player=player, left__isnull=True).exclude(competition__state__in=OVER)
    for pk in sorted(set(spots.values_list("competition_id", flat=True))):
        no_player_alike(lock_competition(pk), [player], field="display_name")


def judge_team_renaming(renaming: TeamRenaming) -> None:
    """Handle TeamRenaming: lock the events that the team is in, and raise Refused when another has such a name.

    Events that have begun keep the name of before, unless it is corrected everywhere.
    """
    team = Team.objects.get(pk=renaming.team_id)
    entries = Entry.objects.filter(team=team).exclude(state__in=OUT).exclude(competition__state__in=OVER)
    for pk in sorted(entries.values_list("competition_id", flat=True)):
        no_entry_alike(lock_competition(pk), team, renaming.name, field="name")
    if renaming.everywhere:
        Entry.objects.filter(team=team).exclude(name="").update(name="")
    else:
        Entry.objects.filter(team=team, competition__state__in=BEGUN, name="").update(name=team.name)


def _members(competition: Competition) -> set[int]:
    """Return the ids of the present members of the organising club; none where no club organises."""
    present = Membership.objects.filter(club=competition.club_id, until__isnull=True)
    return set(present.values_list("player_id", flat=True)) if competition.club_id is not None else set()


def _refuse_alike(name: str, others: Sequence[str], field: str) -> None:
    other = first_confusable(name, others)
    if other is not None:
        raise Refused(
            "name_confusable",
            _("In this event, %(name)s looks the same as another name, %(other)s. One of the two must change it.")
            % {"name": name, "other": other},
            field=field,
        )
