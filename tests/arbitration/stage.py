"""The stage of random sequences: two played matches of a league, a cup on paper, a fair that takes entries, and their people.

Every pair of the league has a substitute. Its players are also on teams of the cup and of the fair.
"""

from dataclasses import dataclass

from tests.competitions.world import a_player, a_tournament
from tests.games.conftest import Sat
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Team, TeamPlayer
from tock_league.common import clock
from tock_league.competitions.models import Competition, Entry
from tock_league.competitions.services.entries import registration, rosters
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import draw
from tock_league.competitions.services.seasons import lifecycle, roles

from .world import World, a_referee, a_world

PLAYS = 8  # of each game before a side resigns


@dataclass
class Stage:
    """Where a sequence happens, and who may try something there."""

    league: Competition
    cup: Competition  # a knockout on paper, drawn
    fair: Competition  # takes entries, with check-in
    referees: list[Player]
    heads: list[Player]
    organiser: Player
    stranger: Player
    players: list[Player]  # of the league's first round, with the substitutes
    teams: list[Team]  # that may enter the fair

    @property
    def people(self) -> list[Player]:
        return [*self.players, *self.referees, *self.heads, self.organiser, self.stranger]


def a_stage() -> Stage:
    """Return a stage on which nothing has been complained of yet."""
    world = a_world()
    league, organiser = world.competition, world.organiser
    cup, fair = a_tournament(0, state="open"), a_tournament(0, state="open", check_in=True)
    referees = [*world.referees, *(a_referee(league) for _number in range(5))]
    heads = [world.head, world.another_head(), world.another_head()]
    for competition in (cup, fair):
        roles.give(by=SITE, competition=competition, player=organiser, name="organiser")
        roles.give(by=SITE, competition=competition, player=referees[0], name="referee")
    players, teams = [], []
    for number, entry in enumerate(league.entries.order_by("pk"), start=1):
        captain, partner = _starters(entry)
        reserve = a_player(f"Réserve {number}")
        _joins(entry.team, reserve)
        rosters.add_substitute(by=organiser, entry=entry, player=reserve)
        here = clubs.form_team(by=SITE, name=f"Les Papiers {number}", players=[captain, a_player(f"Ami {number}")])
        _joins(here, reserve)
        registration.register(by=SITE, competition=cup, team=here, substitutes=[reserve])
        there = clubs.form_team(by=SITE, name=f"Les Forains {number}", players=[a_player(f"Amie {number}"), partner])
        registration.register(by=SITE, competition=fair, team=there) if number % 2 else None
        players += [captain, partner, reserve]
        teams += [here, there]
    cup = lifecycle.run_through(by=SITE, competition=cup, to="closed")
    draw.draw(by=SITE, competition=cup)
    cup = lifecycle.advance(by=SITE, competition=cup, to="running")
    for match in league.matches.filter(round__number=1).order_by("number"):
        _play(World(league, match, referees, heads[0], organiser))
    for number, judge in enumerate([*referees, *heads]):  # the panel's seats go by name
        judge.display_name = f"Juge {number:02}"
        judge.save(update_fields=["display_name"])
    return Stage(league, cup, fair, referees, heads, organiser, a_player("Un Passant"), players, teams)


def _starters(entry: Entry) -> list[Player]:
    spots = entry.roster.filter(role="starter", left__isnull=True).select_related("player")
    return [spot.player for spot in spots.order_by("slot")]


def _joins(team: Team | None, player: Player) -> None:
    assert team is not None
    TeamPlayer.objects.create(team=team, player=player, slot=3, joined=clock.now())


def _play(world: World) -> None:
    """Play a few turns of the match's game; then a side resigns."""
    sat: Sat = world.sat()
    sat.play_on(PLAYS)
    assert not sat.send(1, "resign").code
    settlement.settle(game_id=sat.game.pk)
