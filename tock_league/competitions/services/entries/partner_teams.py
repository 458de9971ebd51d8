"""The team that an accepted answer on the partner desk makes, from the services of clubs."""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.clubs import services as clubs
from tock_league.clubs.models import CAPTAIN, PAIR, TEAM_NAME_LENGTH, Club, Membership, Team
from tock_league.clubs.selectors import with_players
from tock_league.common.errors import Conflict, Refused

from ...models import PartnerSearch
from ..seasons.nights import drawn_name

NAMES_TRIED = 9


def team_with(search: PartnerSearch, partner: Player) -> Team:
    """Return the team of the one who searches with `partner` in it, its players in `now`; call it inside `writing()`.

    A pair that is a team already stays that team. Else a new one is called by both names; its captain can rename it. Of
    three or four players it lacks the others, who answer too.
    """
    captain, size = search.player, PAIR if search.competition is None else search.competition.side_size
    team = _alive(search) or (_pair_of(captain, partner, _club_for(search, partner)) if size == PAIR else None)
    if team is None:
        team = _founded(captain, partner, size, _club_for(search, partner))
    inside = {spell.player_id for spell in _read(team).now}  # type: ignore[attr-defined]
    if partner.pk not in inside:
        _join(captain, partner, team)
    return _read(team)


def _alive(search: PartnerSearch) -> Team | None:
    """Return the team that an earlier answer has made and that still lacks players."""
    team = search.team
    return team if team is not None and team.dissolved_at is None and _read(team).lacks else None


def _club_for(search: PartnerSearch, partner: Player) -> Club | None:
    """Return the club of the new team: that of the desk if both are members of it, else none."""
    club = search.club or (search.competition.club if search.competition is not None else None)
    if club is None:
        return None
    members = Membership.objects.filter(club=club, player__in=[search.player, partner], until__isnull=True)
    return club if members.count() == 2 else None


def _pair_of(captain: Player, partner: Player, club: Club | None) -> Team | None:
    """Return the pair that the two are already, of that club and led by `captain`."""
    own = Team.objects.filter(
        size=PAIR, club=club, drawn=False, dissolved_at__isnull=True, spells__player=captain, spells__slot=CAPTAIN,
        spells__left__isnull=True,
    )  # fmt: skip
    for team in with_players(own.order_by("pk")):
        starters = {spell.player_id for spell in team.now if team.starts(spell.slot)}  # type: ignore[attr-defined]
        if starters == {captain.pk, partner.pk}:
            return team
    return None


def _founded(captain: Player, partner: Player, size: int, club: Club | None) -> Team:
    """Return a new team, called by both names, with a number where the club has such a team."""
    name = drawn_name([captain, partner])
    for number in range(1, NAMES_TRIED + 1):
        wanted = name if number == 1 else f"{name[: TEAM_NAME_LENGTH - 2]} {number}"
        try:
            return clubs.found_team(by=captain, name=wanted, size=size, club=club)
        except Refused as error:
            if error.field != "name" or number == NAMES_TRIED:
                raise
    raise AssertionError("unreachable")


def _join(captain: Player, partner: Player, team: Team) -> None:
    """Put `partner`, who has offered to play, into the first free place of a starter."""
    places = _read(team)
    taken = {spell.slot for spell in places.now}  # type: ignore[attr-defined]
    free = next((slot for slot in team.places if slot not in taken and team.starts(slot)), None)
    if free is None:
        raise Conflict("team_full", _("%(team)s is complete already.") % {"team": team.name})
    invitation = clubs.invite(by=captain, team=team, player=partner, slot=free)
    clubs.answer(by=partner, invitation=invitation, accept=True)


def _read(team: Team) -> Team:
    return with_players(Team.objects.filter(pk=team.pk)).get()
