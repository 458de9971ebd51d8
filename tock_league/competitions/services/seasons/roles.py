"""Offices in one competition: organiser, referee, head referee."""

from django.utils.translation import gettext_lazy as _

from games.models import Table
from games.services import referee
from tock_league.accounts.bot_accounts import require_person
from tock_league.accounts.merged import require_separate
from tock_league.accounts.minors import require_no_child
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import bus, clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...announcements import RoleEnded
from ...models import Competition, CompetitionRole
from ...permissions import REFEREES
from ..shared.journal import note
from ..shared.locking import lock_competition


def give(
    *, by: Person, competition: Competition, player: Player, name: str, outsider: bool = False, reason: str = ""
) -> CompetitionRole:
    """Return the open role `name` of `player`. Idempotent.

    `outsider`: named because nobody else is free of a conflict of interest; needs a reason, which is public.
    Raises Refused on `name` (unknown office) and on `reason`.
    """
    with writing():
        competition = lock_competition(competition.pk)
        if name not in CompetitionRole.Name.values:
            raise Refused("competition_role_name", _("Choose organiser, referee or head referee."), field="name")
        require(by, "competition.give_role", (competition, name), needed="organiser")
        if outsider and not reason.strip():
            raise Refused(
                "reason_missing", _("Say why an outsider is named; it is shown to everybody."), field="reason"
            )
        held = CompetitionRole.objects.filter(
            competition=competition, player=player, name=name, until__isnull=True
        ).first()
        if held is not None:
            return held
        require_no_child(player)
        require_person(player)
        require_separate(player.pk, field="player")
        role = CompetitionRole(
            competition=competition,
            player=player,
            name=name,
            since=clock.now(),
            given_by=by if isinstance(by, Player) else None,
            outsider=outsider,
            reason=reason.strip(),
        )
        checked(role).save()
        _at_the_tables(competition)
        note(competition, "role.given", by, role=name, player=player.slug, outsider=outsider, reason=role.reason)
        return role


def end(*, by: Person, role: CompetitionRole, reason: str = "") -> CompetitionRole:
    """End a role. Idempotent. A referee also loses the places at tables and the leases."""
    with writing():
        competition = lock_competition(role.competition_id)
        role = CompetitionRole.objects.select_for_update(of=("self",)).select_related("player").get(pk=role.pk)
        require(by, "competition.give_role", (competition, role.name), needed="organiser")
        if role.until is not None:
            return role
        role.until = clock.now()
        role.save(update_fields=["until"])
        _at_the_tables(competition)
        bus.publish(RoleEnded(competition.pk, role.player_id, role.name))
        note(competition, "role.ended", by, role=role.name, player=role.player.slug, reason=reason.strip())
        return role


def seat_referees(competition: Competition, table: Table) -> None:
    """Give the referees of the competition their places at a table, and remove all others."""
    offices = CompetitionRole.objects.filter(competition=competition, name__in=REFEREES, until__isnull=True)
    referee.appoint(table_id=table.pk, roles=[(office.player_id, office.name) for office in offices])


def _at_the_tables(competition: Competition) -> None:
    for table in Table.objects.filter(match__competition=competition).exclude(state=Table.State.FINISHED):
        seat_referees(competition, table)
