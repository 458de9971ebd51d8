"""A match in each of its states, on paper and at a table, and what can be done in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from tests.arbitration.world import a_world
from tests.competitions.world import START, a_plan, a_player, a_tournament, play_on, under_way
from tests.games.conftest import Sat
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.arbitration.services.cases import result_disputes
from tock_league.common import clock
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.models import Match, ResultVersion
from tock_league.competitions.services.entries import withdrawals
from tock_league.competitions.services.results import corrections, paper, rulings, settlement
from tock_league.competitions.services.rounds import places, schedule
from tock_league.competitions.services.seasons import roles as offices

from . import roles
from .tried import Stage, Try, undone

WORDS = "La feuille disait le contraire."
FIRST, SECOND, RIGHT = [paper.Game(0, 3)], [paper.Game(1, 3)], [paper.Game(0, 2)]  # results on paper
# The states of the stages that are not named after their state.
STATES = {
    "open": "called",
    "reported": "contested",
    "not_begun": "called",
    "live": "called",  # until the first of several games is over
    "provisional": "confirmed",
    "final": "confirmed",
    "ruled": "confirmed",
    "played": "confirmed",
}


def stages() -> Iterator[Stage]:
    """Walk through a match on paper, then through one at a table; branches that end early are rolled back."""
    with undone():
        yield from _on_paper()
    with undone():
        yield from _at_a_table()


def _on_paper() -> Iterator[Stage]:
    """A match of a group, because a ruling makes no match of a bracket void."""
    with clock.frozen(START) as hand:
        cup = a_tournament(4, plan=a_plan("groups_knockout", qualify=1))
        walk = Walk(under_way(cup)[0])
        yield walk.stage("waiting", cup.matches.get(label="final"))
        yield walk.stage("open")
        with undone():
            settlement.award(by=SITE, match=walk.match, winner=0, reason=WORDS)
            yield walk.stage("awarded")
        first = paper.report(by=walk.captain, match=walk.match, games=FIRST)
        second = paper.contest(by=walk.other_captain, match=walk.match, games=SECOND, seen=first.version)
        yield walk.stage("reported")
        paper.accept(by=walk.captain, match=walk.match, seen=second.version)
        with undone():
            play_on(cup)
            cup.refresh_from_db()
            assert cup.state == "finished"
            yield walk.stage("provisional")
        with undone():
            walk.rule(EffectPlan("result", walk.match.pk, position=0))
            yield walk.stage("ruled")
        with undone():
            walk.rule(EffectPlan("void", walk.match.pk))
            yield walk.stage("void")
        hand.advance(minutes=31)
        yield walk.stage("final")


def _at_a_table() -> Iterator[Stage]:
    with clock.frozen(START):
        world = a_world()
        walk = Walk(world.match)
        with undone():
            world.played()
            yield walk.stage("played")
        world.open()
        yield walk.stage("not_begun")
        Sat(world.match.table, world.players).all_ready()
        yield walk.stage("live")


@dataclass
class Things:
    """The match. `digest`: of the preview of its correction, which is the same for everybody."""

    match: Match
    digest: str = ""


class Walk:
    """A match, and its people; the captain's side has position 0."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.captain, self.other_captain, partner, playing = _players(match)
        self.people = {
            roles.PLAYER.title: partner,
            roles.CAPTAIN.title: self.captain,
            roles.OTHER_SIDE.title: self.other_captain,
            roles.PLAYING_ORGANISER.title: self._named("organiser", playing),
            roles.REFEREE.title: self._named("referee", a_player("Arbitre")),
            roles.HEAD.title: self._named("head_referee", a_player("Arbitre en chef")),
            roles.ORGANISER.title: self._named("organiser", a_player("Organisatrice")),
            roles.ADMINISTRATOR.title: a_player("Administratrice"),
        }
        give_role(player=self.people[roles.ADMINISTRATOR.title], name="administrator", by=SITE)

    def _named(self, office: str, player: Player) -> Player:
        offices.give(by=SITE, competition=self.match.competition, player=player, name=office)
        return player

    def rule(self, effect: EffectPlan) -> None:
        rulings.apply(competition=self.match.competition, ruling="TL-2026-000001/1", effects=[effect])

    def stage(self, name: str, match: Match | None = None) -> Stage:
        found = Match.objects.select_related("competition").get(pk=(match or self.match).pk)
        assert found.state == STATES.get(name, name), (name, found.state)
        return Stage(name, self.people, Things(found))


def _players(match: Match) -> list[Player]:
    """Return the captains of both sides, then their partners."""
    rosters = [
        list(side.entry.roster.filter(role="starter").select_related("player").order_by("slot"))
        for side in match.side_rows.order_by("position")
        if side.entry is not None
    ]
    return [roster[slot].player for slot in (0, 1) for roster in rosters]


def _report(by: Player, things: Things) -> None:
    newest = ResultVersion.objects.filter(match=things.match).order_by("version").last()
    paper.report(by=by, match=things.match, games=RIGHT, seen=newest.version if newest is not None else 0)


def _correct(by: Player, things: Things) -> None:
    right = corrections.Right("paper", games=tuple(RIGHT))
    if not things.match.competition.on_paper:
        right = corrections.Right("no_show", absent=0)
    things.digest = things.digest or corrections.preview(by=by, match=things.match, right=right).digest
    corrections.correct(by=by, match=things.match, right=right, reason=WORDS, digest=things.digest)


TRIES: dict[str, Try] = {
    "place": lambda by, things: places.decide(by=by, match=things.match, on_board=not things.match.is_on_board),
    "move": lambda by, things: schedule.move(by=by, match=things.match, starts_at=clock.now() + timedelta(days=1)),
    "award": lambda by, things: settlement.award(by=by, match=things.match, winner=0, reason=WORDS),
    "give up": lambda by, things: withdrawals.forfeit(by=by, match=things.match, position=0, reason=WORDS),
    "give up for the other": lambda by, things: withdrawals.forfeit(
        by=by, match=things.match, position=1, reason=WORDS
    ),
    "report": _report,
    "certify": lambda by, things: paper.certify(by=by, match=things.match, games=RIGHT),
    "correct": _correct,
    "dispute the result": lambda by, things: result_disputes.file(
        by=by, match=things.match, kind="result", asks="score", text=WORDS
    ),
}
