"""One club, a club of strangers, a league between their teams, and people of every kind, built by services."""

from dataclasses import dataclass, field

from games.models import Game
from tests.competitions.world import FIRST_ROUND, a_season, finish_game
from tests.remembered import remembered
from tock_league.accounts import services as accounts
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE, Site
from tock_league.arbitration.models import Case, PanelSeat
from tock_league.arbitration.services.cases import disputes
from tock_league.arbitration.services.referees import leases
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club, Team
from tock_league.common import clock
from tock_league.competitions.models import Competition, Entry, Match
from tock_league.competitions.services.entries import entering
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import calendar, opening
from tock_league.competitions.services.seasons import creation, lifecycle, regulations, roles

# Those who pass every rule that exists, and those who pass none.
ALWAYS = ("administrator", "superuser", "site")
NEVER = ("visitor",)
PEOPLE = (
    "newcomer",  # signed up, and nothing else
    "player",  # a member of the club
    "captain",
    "partner",
    "officer",
    "club_organiser",
    "event_organiser",  # named for this league
    "organiser",  # of the whole site
    "referee",
    "head_referee",
    "club_referee",  # a referee of this league who is a member of the club of one side only
    "playing_referee",  # the captain of a team that plays in this league, in another match, and a referee of it
    "case_referee",  # a referee of this league who holds the case
    "panel_member",  # on the panel of the case's appeal, referee of another league
    "panel_reserve",
    "site_referee",
    "site_head_referee",
    "other_captain",  # of the team that plays against the captain's
    "playing_organiser",  # the other captain's partner, and an organiser of this league
    # without any role here
    "stranger",  # a member of another club
    "strange_captain",
    "strange_officer",
    "strange_club_organiser",
    "strange_event_organiser",
    "strange_referee",
    "strange_head_referee",
    # had a role here once
    "former_officer",
    "former_referee",
    "former_organiser",
    "former_captain",  # of a team that was dissolved
)


@dataclass
class World:
    """`people` by the names of PEOPLE, ALWAYS and NEVER; the objects of the rules."""

    people: dict[str, Player | Site | None] = field(default_factory=dict)
    club: Club = field(init=False)
    elsewhere: Club = field(init=False)
    team: Team = field(init=False)
    dissolved: Team = field(init=False)
    league: Competition = field(init=False)
    other_league: Competition = field(init=False)
    match: Match = field(init=False)
    entry: Entry = field(init=False)
    early_entry: Entry = field(init=False)  # of the same team, in a competition that is not drawn yet
    game: Game = field(init=False)
    case: Case = field(init=False)

    def player(self, name: str) -> Player:
        found = self.people[name]
        assert isinstance(found, Player)
        return found


@remembered
def build() -> World:
    """Return the world; use it in frozen time, on the evening of FIRST_ROUND."""
    world = World()
    for name in PEOPLE:
        world.people[name] = accounts.create_player(display_name=name.replace("_", " ").capitalize())
    _clubs(world)
    _teams(world)
    _leagues(world)
    _site_roles(world)
    _case(world)
    return world


def _clubs(world: World) -> None:
    world.club = clubs.found_club(by=world.player("officer"), name="Club de tock de Shawinigan", town="Shawinigan")
    world.elsewhere = clubs.found_club(by=world.player("strange_officer"), name="Tock de la Rive", town="Bécancour")
    here = ("player", "captain", "partner", "club_organiser", "club_referee", "playing_referee", "former_officer")
    for name in (*here, "former_captain"):
        clubs.join(by=world.player(name), club=world.club)
    away = ("stranger", "strange_captain", "strange_club_organiser", "other_captain", "playing_organiser")
    for name in away:
        clubs.join(by=world.player(name), club=world.elsewhere)
    give = clubs.give_role
    give(by=world.player("officer"), club=world.club, player=world.player("club_organiser"), name="organiser")
    by = world.player("strange_officer")
    give(by=by, club=world.elsewhere, player=world.player("strange_club_organiser"), name="organiser")
    once = give(by=world.player("officer"), club=world.club, player=world.player("former_officer"), name="officer")
    clubs.end_role(by=world.player("officer"), role=once)


def _pair(world: World, name: str, captain: str, partner: Player | None = None, *, club: Club) -> Team:
    second = partner or accounts.create_player(display_name=f"{name}, partner")
    return clubs.form_team(by=SITE, name=name, players=[world.player(captain), second], club=club)


def _teams(world: World) -> None:
    world.team = _pair(world, "Castors", "captain", world.player("partner"), club=world.club)
    world.dissolved = _pair(world, "Anciens", "former_captain", club=world.club)
    clubs.dissolve(by=world.player("former_captain"), team=world.dissolved)


def _league(world: World, name: str, club: Club, teams: list[Team], *, drawn: bool = True) -> Competition:
    season = world.league.division.season if hasattr(world, "league") and world.league.division else a_season()
    league = creation.create_league(
        by=SITE,
        season=season,
        name=name,
        size=4,
        division_name=name,
        regulations=regulations.freeze(code="league", best_of=1),
        club=club,
    )
    for team in teams:
        entering.enter_team(by=SITE, competition=league, team=team)
    if not drawn:
        return league
    calendar.make_calendar(
        by=SITE, competition=league, times=[FIRST_ROUND] * calendar.rounds_needed(league, legs=1), legs=1
    )
    return lifecycle.run_through(by=SITE, competition=league, to="running")


def _leagues(world: World) -> None:
    other = _pair(world, "Remparts", "other_captain", world.player("playing_organiser"), club=world.elsewhere)
    referees = _pair(world, "Sifflets", "playing_referee", club=world.club)
    world.league = _league(world, "Ligue du mercredi", world.club, [world.team, other, referees])
    strange = [_pair(world, f"Rive {number}", name, club=world.elsewhere) for number, name in ((1, "strange_captain"),)]
    strange.append(clubs.form_team(by=SITE, name="Rive 2", players=_two(), club=world.elsewhere))
    world.other_league = _league(world, "Ligue de la Rive", world.elsewhere, strange)
    world.entry = Entry.objects.get(competition=world.league, team=world.team)
    world.match = Match.objects.filter(side_rows__entry=world.entry).get(side_rows__entry__team=other)
    early = _league(world, "Ligue d’hiver", world.club, [world.team], drawn=False)
    world.early_entry = Entry.objects.get(competition=early)
    for name, office in OFFICES.items():
        for league in [world.other_league] if name.startswith("strange") else [world.league, early]:
            role = roles.give(by=SITE, competition=league, player=world.player(name), name=office)
            if name.startswith("former"):
                roles.end(by=SITE, role=role)


def _two() -> list[Player]:
    return [accounts.create_player(display_name=f"Rive {letter}") for letter in "AB"]


OFFICES = {
    "event_organiser": "organiser",
    "playing_organiser": "organiser",
    "case_referee": "referee",
    "referee": "referee",
    "head_referee": "head_referee",
    "club_referee": "referee",
    "playing_referee": "referee",
    "strange_event_organiser": "organiser",
    "strange_referee": "referee",
    "strange_head_referee": "head_referee",
    "former_referee": "referee",
    "former_organiser": "organiser",
}


def _site_roles(world: World) -> None:
    give = accounts.give_role
    give(player=world.player("organiser"), name="organiser", by=SITE)
    give(player=world.player("site_referee"), name="referee", by=SITE)
    give(player=world.player("site_head_referee"), name="head_referee", by=SITE)
    boss = accounts.create_player(display_name="Administrator")
    give(player=boss, name="administrator", by=SITE)
    user = accounts.create_user(email="root@example.org")
    user.is_superuser = True
    user.save(update_fields=["is_superuser"])
    super_ = accounts.create_player(display_name="Superuser", user=user)
    world.people |= {"administrator": boss, "superuser": super_, "site": SITE, "visitor": None}


def _case(world: World) -> None:
    """Play the match, let the captain dispute it and a referee take the case; an appeal panel is formed too."""
    opening.open_table(match_id=world.match.pk, early=True)
    world.match.refresh_from_db()
    world.game = Game.objects.get(pk=finish_game(world.match, 1))
    settlement.settle(game_id=world.game.pk)
    by, text = world.player("captain"), "Ils se sont parlé."
    world.case = disputes.file(by=by, game=world.game, seq=world.game.last_seq, kind="talk", text=text)
    leases.take(by=world.player("case_referee"), case=world.case)
    # A panel is formed only after a ruling and an appeal; the permissions depend only on its seats.
    for name, place in (("panel_member", 1), ("panel_reserve", None)):
        PanelSeat.objects.create(case=world.case, member=world.player(name), place=place, since=clock.now())
