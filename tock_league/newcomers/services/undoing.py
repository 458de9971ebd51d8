"""Undoes a list. What others rely on since stays: whoever has played, is entered, or has a login."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Model, Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE, Person, label
from tock_league.clubs.models import Club, ClubRole, Membership, Team, TeamPlayer
from tock_league.clubs.services import dissolve
from tock_league.clubs.services.clubs import end_ties
from tock_league.clubs.services.naming import locked_club
from tock_league.common import clock
from tock_league.common.errors import Conflict
from tock_league.common.transactions import writing
from tock_league.competitions.models import Entry
from tock_league.competitions.models.entry import OUT
from tock_league.competitions.services.entries.registration import withdraw_before_draw
from tock_league.competitions.services.shared.locking import lock_competition
from tock_league.journal.services import OPEN, record

from ..models import ClaimCode, ListedName, NameList
from .lists import may


@dataclass(frozen=True)
class Undone:
    """What an undo did: how many players are gone and how many left the club, and the names of those who stay."""

    removed: int
    left: int
    stay: Sequence[str]


def undo(*, by: Person, names: NameList) -> Undone:
    """Take back what the list made, and return what stayed. Raise Conflict `undone` the second time.

    A list of a club: its players without any trace but the list are deleted, others who joined by it leave. A list of an
    event: its entries are withdrawn before the draw and its teams dissolved; after the draw Conflict `drawn`.
    """
    with writing():
        found = NameList.objects.select_related("club", "competition").get(pk=names.pk)
        place = found.club or found.competition
        assert place is not None
        place = locked_club(place) if isinstance(place, Club) else lock_competition(place.pk, changes=False)
        may(by, place)
        found = NameList.objects.select_for_update(of=("self",)).get(pk=found.pk)
        if found.undone_at is not None:
            raise Conflict("undone", _("This list is undone already."))
        rows = list(ListedName.objects.filter(made_by=found).select_related("player__user", "made_tie", "team"))
        if not isinstance(place, Club):
            _withdraw(by, found, rows)
        done = _taken_back(by, place if isinstance(place, Club) else None, rows)
        found.undone_at, found.undone_by = clock.now(), by if isinstance(by, Player) else None
        found.save(update_fields=["undone_at", "undone_by"])
        body = {"list": found.slug, "removed": done.removed, "left": done.left, "stayed": len(done.stay)}
        record(OPEN, "names.undone", actor=label(by), body=body)
        return done


def _withdraw(by: Person, names: NameList, rows: Sequence[ListedName]) -> None:
    """Withdraw the entries of the list's teams. Raises Conflict after the draw."""
    teams = {row.team_id for row in rows if row.team_id is not None}
    for entry in Entry.objects.filter(competition=names.competition_id, team__in=teams).exclude(state__in=OUT):
        withdraw_before_draw(by=by, entry=entry)


def _taken_back(by: Person, club: Club | None, rows: Sequence[ListedName]) -> Undone:
    made = {row.player_id for row in rows if row.made_player}
    teams = {row.team_id for row in rows if row.made_team and row.team_id is not None}
    stays = {row.player_id for row in rows if row.player.user_id is not None} | _used(Player, made, rows)
    busy = _used(Team, teams, rows) | {row.team_id for row in rows if row.player_id in stays and row.team_id in teams}
    stays |= {row.player_id for row in rows if row.team_id in busy}  # a team that stays keeps its players
    Team.objects.filter(pk__in=teams - busy).delete()
    if club is None:
        for team in Team.objects.filter(pk__in=busy, dissolved_at__isnull=True):
            if not Entry.objects.filter(team=team).exclude(state__in=OUT).exists():
                dissolve(by=SITE, team=team)
    left = _leave(by, club, rows, made, stays) if club is not None else 0
    Player.objects.filter(pk__in=made - stays).delete()
    return Undone(len(made - stays), left, [row.player.display_name for row in rows if row.player_id in made & stays])


def _leave(by: Person, club: Club, rows: Sequence[ListedName], made: Collection[int], stays: Collection[int]) -> int:
    """End the memberships that the list began; return how many of players who are not deleted then.

    Officers and players of the club's teams remain members.
    """
    keys = [row.player_id for row in rows]
    held = set(ClubRole.objects.filter(club=club, player__in=keys, until__isnull=True).values_list("player", flat=True))
    playing = TeamPlayer.objects.filter(team__club=club, player__in=keys, left__isnull=True)
    held |= set(playing.values_list("player", flat=True))
    left = 0
    for row in rows:
        deleted = row.player_id in made and row.player_id not in stays
        leaves = deleted or (row.player_id not in made and row.player_id not in held)
        if leaves and row.made_tie is not None and row.made_tie.until is None:
            end_ties(by=by, club=club, player=row.player)
            left += not deleted
    return left


def _used(model: type[Model], keys: Collection[int], rows: Sequence[ListedName]) -> set[int]:
    """Return which of `keys` some row of the site names, other than those that the list itself made. A query a relation."""
    ties = [row.made_tie_id for row in rows if row.made_tie_id is not None]
    teams = [row.team_id for row in rows if row.made_team]
    own = {
        ListedName: Q(made_by=rows[0].made_by_id) | Q(made_by__undone_at__isnull=False),
        Membership: Q(pk__in=ties, until__isnull=True),
        TeamPlayer: Q(team__in=teams, left__isnull=True),
        ClaimCode: Q(),
    }
    found: set[int] = set()
    for relation in model._meta.get_fields(include_hidden=True):
        if not relation.auto_created or relation.concrete or relation.many_to_many:
            continue
        other, name = relation.related_model, relation.field.name  # type: ignore[union-attr]
        named = other._default_manager.filter(**{f"{name}__in": keys})  # type: ignore[union-attr]
        if other in own:
            named = named.exclude(pk__in=other._default_manager.filter(own[other]).values("pk"))
        found |= set(named.values_list(name, flat=True))
    return found
