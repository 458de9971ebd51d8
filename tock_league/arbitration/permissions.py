"""Permission rules of cases. Administrators pass every rule (accounts.permissions).

For everybody, administrators included, the services also check conflicts of interest, the lease and the parties.
"""

from collections.abc import Collection, Iterable

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Game, Seating
from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import can, has_role, in_force, offices, protected, rule
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.competitions.models import Competition, CompetitionRole, Match, RosterSpot

from .models import Case, Lease, PanelSeat

REFEREES = (CompetitionRole.Name.REFEREE, CompetitionRole.Name.HEAD_REFEREE)


def referees(person: Player, competition: Competition) -> bool:
    """Return whether `person` is a referee of the event now, or of the whole site."""
    return (
        CompetitionRole.objects.filter(in_force(), competition=competition, player=person, name__in=REFEREES).exists()
        or has_role(person, Role.Name.REFEREE)
        or has_role(person, Role.Name.HEAD_REFEREE)
    )


def referees_among(competition: Competition, people: Collection[int]) -> set[int]:
    """Return which of these players, by their keys, are referees of the event now, or of the whole site. Two queries."""
    here = CompetitionRole.objects.filter(in_force(), competition=competition, player__in=people, name__in=REFEREES)
    everywhere = Role.objects.filter(
        in_force(), player__in=people, name__in=[Role.Name.REFEREE, Role.Name.HEAD_REFEREE]
    )
    return {*here.values_list("player", flat=True), *everywhere.values_list("player", flat=True)}


def heads(person: Player, competition: Competition) -> bool:
    """Return whether `person` is a head referee of the event now, or of the whole site."""
    return CompetitionRole.objects.filter(
        in_force(), competition=competition, player=person, name=CompetitionRole.Name.HEAD_REFEREE
    ).exists() or has_role(person, Role.Name.HEAD_REFEREE)


def refereed_by(person: Player, competitions: Collection[int]) -> set[int]:
    """Return which of these competitions, by their keys, `person` referees now: `referees` for many. Two queries."""
    return _served(person, competitions, REFEREES, (Role.Name.REFEREE, Role.Name.HEAD_REFEREE))


def headed_by(person: Player, competitions: Collection[int]) -> set[int]:
    """Return in which of these competitions, by their keys, `person` is a head referee now: `heads` for many. Two queries."""
    return _served(person, competitions, [CompetitionRole.Name.HEAD_REFEREE], [Role.Name.HEAD_REFEREE])


def _served(
    person: Player, competitions: Collection[int], here: Collection[str], everywhere: Collection[str]
) -> set[int]:
    if Role.objects.filter(in_force(), player=person, name__in=everywhere).exists():
        return set(competitions)
    held = CompetitionRole.objects.filter(in_force(), competition__in=competitions, player=person, name__in=here)
    return set(held.values_list("competition", flat=True))


def require_fresh(*, fresh: bool) -> None:
    """Raise Refused `sign_in_again` unless the person has signed in a few minutes ago (`fresh`)."""
    if not fresh:
        sentence = _("This signature asks for your password once more.")
        raise Refused("sign_in_again", sentence, status=403)


def holds_lease(person: Player, case: Case) -> bool:
    """Return whether the open lease of the case is `person`'s; the service checks whether it has expired."""
    return Lease.objects.filter(case=case, referee=person, ended_at__isnull=True).exists()


def position_of(person: Player, case: Case) -> int | None:
    """Return the side of the case's match to which `person` belongs, by seat at its table or by roster, or None."""
    match = case.match
    if match.table_id is not None:
        seat = Seating.objects.filter(table_id=match.table_id, player=person).first()
        if seat is not None:
            return seat.seat % match.sides
    since = case.filed_at or clock.now()
    spot = RosterSpot.objects.filter(
        Q(left__isnull=True) | Q(left__gte=since), player=person, entry__side_rows__match=match
    ).first()
    side = match.side_rows.filter(entry=spot.entry_id).first() if spot is not None else None
    return side.position if side is not None else None


@offices
def _of_panels(person: Player) -> Iterable[str]:
    return ["panel"] if PanelSeat.objects.filter(member=person, left_at__isnull=True).exists() else []


def panel_usable() -> Q:
    """Return the condition that the row's member of a panel may act as one: with a second factor, where panels need it."""
    return Q() if "panel" not in settings.MFA_REQUIRED_ROLES else protected("member")


def sits_on(person: Player, case: Case) -> bool:
    """Return whether `person` is one of the three of the case's panel."""
    sits = PanelSeat.objects.filter(panel_usable(), case=case, member=person, place__isnull=False)
    return sits.filter(left_at__isnull=True).exists()


def reads_as_panel(person: Player, case: Case) -> bool:
    """Return whether `person` is or was on the case's panel, or in its reserve, and may read as such."""
    return PanelSeat.objects.filter(panel_usable(), case=case, member=person).exists()


@rule("case.file")
def _file(person: Player, game: Game) -> bool:
    """Allow a player of the table, or of the roster of one of its sides."""
    if Seating.objects.filter(table_id=game.table_id, player=person).exists():
        return True
    return RosterSpot.objects.filter(
        player=person, left__isnull=True, entry__side_rows__match__table_id=game.table_id
    ).exists()


@rule("case.dispute_result")
def _dispute_result(person: Player, match: Match) -> bool:
    """Allow a player of the roster of one of its sides; no programs."""
    return not person.bot and position_of(person, Case(match=match)) is not None


@rule("case.see")
def _see(person: Player, case: Case) -> bool:
    """Allow the parties, the referees of the event, its panel and its organisers."""
    return (
        position_of(person, case) is not None
        or referees(person, case.competition)
        or reads_as_panel(person, case)
        or can(person, "competition.organise", case.competition)
    )


@rule("case.state")
def _state(person: Player, case: Case) -> bool:
    return position_of(person, case) is not None


@rule("case.answer")
def _answer(person: Player, case: Case) -> bool:
    side = position_of(person, case)
    return side is not None and side != case.side


@rule("case.withdraw")
def _withdraw(person: Player, case: Case) -> bool:
    return case.opened_by_id == person.pk


@rule("case.take")
def _take(person: Player, case: Case) -> bool:
    return referees(person, case.competition)


@rule("case.queue")
def _queue(person: Player, competition: Competition) -> bool:
    return referees(person, competition) or can(person, "competition.organise", competition)


@rule("case.rule")
def _rule(person: Player, case: Case) -> bool:
    """Allow the holder of the lease who is still a referee."""
    return referees(person, case.competition) and holds_lease(person, case)


@rule("case.second")
def _second(person: Player, case: Case) -> bool:
    return referees(person, case.competition)


@rule("case.appeal")
def _appeal(person: Player, case: Case) -> bool:
    return position_of(person, case) is not None


@rule("case.form_panel")
def _form_panel(person: Player, case: Case) -> bool:
    return heads(person, case.competition) or can(person, "competition.organise", case.competition)


@rule("case.vote")
def _vote(person: Player, case: Case) -> bool:
    return sits_on(person, case)


@rule("case.name_outsider")
def _name_outsider(person: Player, case: Case) -> bool:
    return can(person, "competition.organise", case.competition)


@rule("case.review")
def _review(person: Player, case: Case) -> bool:
    return heads(person, case.competition)


@rule("case.recuse")
def _recuse(person: Player, case: Case) -> bool:
    return referees(person, case.competition) or reads_as_panel(person, case)
