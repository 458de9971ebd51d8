"""A tournament with check-in in each of its states, and what can be done with its entries."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.competitions.world import START, a_plan, a_player, a_team, a_tournament, play_on
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Team, TeamPlayer
from tock_league.common import clock
from tock_league.common.errors import Conflict
from tock_league.competitions.models import Competition, Entry, RosterSpot
from tock_league.competitions.services.entries import checkin, late, registration, returning, rosters, withdrawals
from tock_league.competitions.services.rounds import draw
from tock_league.competitions.services.seasons import lifecycle
from tock_league.competitions.services.seasons import roles as offices

from . import roles
from .tried import Stage, Try, undone

WORDS = "Son partenaire est malade."


@dataclass
class Things:
    """An entry with its captain, partner and a substitute of its team; and a team that is not entered."""

    cup: Competition
    entry: Entry
    players: tuple[Player, Player, Player]
    other: Team
    digests: dict[str, str] = field(default_factory=dict)  # of previews, which are the same for everybody

    @property
    def drawn(self) -> bool:
        return self.cup.stages.exists()


def stages() -> Iterator[Stage]:
    """Walk through a tournament of three rounds from its entries to its end."""
    with undone(), clock.frozen(START) as hand:
        officer = a_player("Officière")
        club = clubs.found_club(by=officer, name="Club de tock de Shawinigan", town="Shawinigan")
        cup = a_tournament(3, plan=a_plan("swiss", rounds=3), check_in=True, state="open", club=club)
        team = a_team("Draveurs")
        spare = TeamPlayer.objects.create(team=team, player=a_player("Remplaçante"), slot=3, joined=START).player
        entry = registration.register(by=SITE, competition=cup, team=team)
        captain, partner = (spot.player for spot in entry.roster.select_related("player").order_by("slot"))
        things = Things(cup, entry, (captain, partner, spare), a_team("Retardataires"))
        people = _people(cup) | {
            roles.PLAYER.title: partner,
            roles.CAPTAIN.title: captain,
            roles.CLUB_STAFF.title: officer,
        }
        yield Stage("open", people, things)
        hand.advance(minutes=45)
        lifecycle.advance(by=SITE, competition=cup, to="closed")
        yield Stage("closed", people, things)
        for spot in RosterSpot.objects.filter(competition=cup).select_related("entry", "player"):
            checkin.check_in(by=SITE, entry=spot.entry, player=spot.player)
        hand.advance(minutes=46)
        checkin.close(by=SITE, competition=cup)
        draw.draw(by=SITE, competition=cup)
        cup = lifecycle.advance(by=SITE, competition=cup, to="running")
        yield Stage("running", people, things)
        play_on(cup)
        yield Stage("finished", people, things)


def _people(cup: Competition) -> dict[str, Player]:
    people = {}
    for role, office in (
        (roles.REFEREE, "referee"),
        (roles.HEAD, "head_referee"),
        (roles.EVENT_ORGANISER, "organiser"),
    ):
        people[role.title] = a_player(role.title)
        offices.give(by=SITE, competition=cup, player=people[role.title], name=office)
    for role, office in ((roles.SITE_ORGANISER, "organiser"), (roles.ADMINISTRATOR, "administrator")):
        people[role.title] = a_player(role.title)
        give_role(player=people[role.title], name=office, by=SITE)
    return people


def _enter(by: Player, things: Things) -> None:
    """The captain's team, which is taken out first."""
    registration.withdraw_before_draw(by=SITE, entry=things.entry)
    registration.register(by=by, competition=things.cup, team=things.entry.team)


def _change(by: Player, things: Things, *, drawn: bool) -> None:
    """The page has a row for the time before the draw and one for the time after it."""
    if things.drawn != drawn:
        raise Conflict("state", "This is the other row.")
    rosters.add_substitute(by=by, entry=things.entry, player=things.players[2])


def _withdraw(by: Player, things: Things) -> None:
    if things.drawn:
        withdrawals.withdraw(by=by, entry=things.entry, reason=WORDS)
    else:
        registration.withdraw_before_draw(by=by, entry=things.entry, reason=WORDS)


def _bring_back(by: Player, things: Things) -> None:
    withdrawals.withdraw(by=SITE, entry=things.entry, reason=WORDS)
    if "return" not in things.digests:
        things.digests["return"] = returning.preview(by=by, entry=things.entry).digest
    returning.bring_back(by=by, entry=things.entry, reason=WORDS, digest=things.digests["return"])


def _enter_late(by: Player, things: Things) -> None:
    if "late" not in things.digests:
        things.digests["late"] = late.preview(by=by, competition=things.cup, team=things.other).digest
    late.enter_late(by=by, competition=things.cup, team=things.other, digest=things.digests["late"])


TRIES: dict[str, Try] = {
    "enter": _enter,
    "decline": lambda by, things: registration.refuse(by=by, entry=things.entry),
    "check the captain in": lambda by, things: checkin.check_in(by=by, entry=things.entry, player=things.players[0]),
    "check another in": lambda by, things: checkin.check_in(by=by, entry=things.entry, player=things.players[1]),
    "change the roster": lambda by, things: _change(by, things, drawn=False),
    "change the roster later": lambda by, things: _change(by, things, drawn=True),
    "withdraw": _withdraw,
    "bring back": _bring_back,
    "disqualify": lambda by, things: withdrawals.disqualify(by=by, entry=things.entry, reason=WORDS),
    "enter late": _enter_late,
}
