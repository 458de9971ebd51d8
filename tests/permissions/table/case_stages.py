"""A case in each of its states, and what can be done in them."""

from collections.abc import Iterator

from tests.arbitration.world import World, a_world, fresh, replied
from tests.competitions.world import START, a_player
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.arbitration.models import Case
from tock_league.arbitration.services.appeals import hearing, replies, reviews
from tock_league.arbitration.services.cases import admissibility, disputes, overdue
from tock_league.arbitration.services.referees import leases, outsiders, recusals
from tock_league.arbitration.services.rulings import signing
from tock_league.common import clock
from tock_league.competitions.models import CompetitionRole
from tock_league.competitions.services.seasons import roles as offices

from . import roles
from .tried import Stage, Try, undone

WORDS = "Le témoin l’a entendu."
Things = tuple[World, Case]
# The states of the stages that are not named after their state.
STATES = {"panel_heard": "panel_formed", "voted": "deliberating", "final_on_appeal": "final"}


def stages() -> Iterator[Stage]:
    """Walk through a case from its filing to its end; branches that end early are rolled back."""
    with clock.frozen(START) as hand:
        world = a_world()
        administrator = a_player("Administratrice")
        give_role(player=administrator, name="administrator", by=SITE)
        walk = Walk(world, world.dispute(), administrator)
        yield walk.stage("filed")
        with undone():
            disputes.withdraw_case(by=walk.filer, case=walk.case)
            yield walk.stage("withdrawn")
        leases.take(by=walk.holder, case=walk.case)
        yield walk.stage("assigned")
        with undone():
            admissibility.dismiss(by=walk.holder, case=fresh(walk.case), reason=WORDS, fresh=True)
            yield walk.stage("triage")
            admissibility.agree(by=world.referees[1], case=fresh(walk.case), fresh=True)
            yield walk.stage("inadmissible")
        world.heard(walk.case)
        yield walk.stage("hearing")
        world.rule(fresh(walk.case), world.against(walk.case), by=walk.holder)
        yield walk.stage("ruled")
        with undone():
            hand.advance(hours=48, seconds=1)
            overdue.sweep()
            yield walk.stage("final")
            again = reviews.open_review(by=world.head, case=fresh(walk.case), reason=WORDS)
            again = world.taken(world.both_heard(fresh(again)), world.another_head())
            holder = leases.Lease.objects.get(case=again, ended_at=None).referee
            world.rule(again, world.against(walk.case), by=holder)
            yield walk.stage("superseded")
        hand.set(START)
        hearing.appeal(by=walk.other_side, case=fresh(walk.case), grounds="fact", text=WORDS)
        yield walk.stage("appealed")
        hearing.form_panel(by=world.organiser, case=fresh(walk.case))
        yield walk.stage("panel_formed")
        replied(fresh(walk.case), world.players)
        members = walk.panel()
        yield walk.stage("panel_heard")
        hearing.vote(by=members[0], case=fresh(walk.case), vote="uphold", note=WORDS)
        yield walk.stage("deliberating", panel=members[1])
        for member in members[1:]:
            hearing.vote(by=member, case=fresh(walk.case), vote="uphold", note=WORDS)
        yield walk.stage("voted")
        hearing.rule(by=members[0], case=fresh(walk.case), reasons=WORDS)
        yield walk.stage("final_on_appeal")


class Walk:
    """The case, and its people in each stage."""

    def __init__(self, world: World, case: Case, administrator: Player) -> None:
        self.world, self.case, self.administrator = world, case, administrator
        players = world.players
        self.other_side, self.filer, self.partner = players[0], players[1], players[3]
        self.holder = world.referees[0]

    def panel(self, *, reserve: bool = False) -> list[Player]:
        seats = self.case.panel.filter(left_at=None, place__isnull=reserve).order_by("place", "pk")
        return [seat.member for seat in seats.select_related("member")]

    def stage(self, name: str, *, panel: Player | None = None) -> Stage:
        case = fresh(self.case)
        assert case.state == STATES.get(name, name)
        members, reserves = self.panel(), self.panel(reserve=True)
        free = [person for person in self.world.referees[1:] if person not in (*members, *reserves)]
        people = {
            roles.FILER: self.filer,
            roles.FILERS_SIDE: self.partner,
            roles.ANSWERING: self.other_side,
            roles.ANY_REFEREE: next(iter(free), self.world.referees[0]),
            roles.HOLDER: self.holder if name in ("assigned", "hearing") else None,
            roles.ANY_HEAD: self.world.head if self.world.head not in (*members, *reserves) else None,
            roles.PANEL: panel or next(iter(members), None),
            roles.RESERVE: next(iter(reserves), None),
            roles.ORGANISER: self.world.organiser,
            roles.ADMINISTRATOR: self.administrator,
        }
        return Stage(name, {role.title: person for role, person in people.items()}, (self.world, case))


def _rule(by: Player, things: Things) -> None:
    world, case = things
    shown = signing.preview(by=by, case=case, decision=world.against(case))
    signing.sign(by=by, case=case, decision=world.against(case), preview_digest=shown.digest, fresh=True)


def _name_outsider(by: Player, things: Things) -> None:
    """Nobody is left: every referee loses the role first."""
    world, case = things
    for role in CompetitionRole.objects.filter(competition=world.competition, until=None).exclude(name="organiser"):
        offices.end(by=SITE, role=role)
    outsiders.name_outsider(by=by, case=fresh(case), player=a_player("Arbitre du dehors"), reason=WORDS)


TRIES: dict[str, Try] = {
    "answer": lambda by, things: disputes.answer(by=by, case=things[1], text=WORDS),
    "state": lambda by, things: disputes.add(by=by, case=things[1], text=WORDS),
    "take back": lambda by, things: disputes.withdraw_case(by=by, case=things[1]),
    "take": lambda by, things: leases.take(by=by, case=things[1]),
    "give back": lambda by, things: leases.release(by=by, case=things[1]),
    "rule": _rule,
    "dismiss": lambda by, things: admissibility.dismiss(by=by, case=things[1], reason=WORDS, fresh=True),
    "second": lambda by, things: admissibility.agree(by=by, case=things[1], fresh=True),
    "step aside": lambda by, things: recusals.recuse(by=by, case=things[1], reason=WORDS),
    "name an outsider": _name_outsider,
    "appeal": lambda by, things: hearing.appeal(by=by, case=things[1], grounds="fact", text=WORDS),
    "reply": lambda by, things: replies.reply(by=by, case=things[1], text=WORDS),
    "form the panel": lambda by, things: hearing.form_panel(by=by, case=things[1]),
    "vote": lambda by, things: hearing.vote(by=by, case=things[1], vote="uphold", note=WORDS),
    "write": lambda by, things: hearing.rule(by=by, case=things[1], reasons=WORDS),
    "re-examine": lambda by, things: reviews.open_review(by=by, case=things[1], reason=WORDS),
}
