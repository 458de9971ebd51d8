"""A small tournament for teams of three at six seats, under other rules: played on boards in the hall, its results on paper."""

from datetime import timedelta

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs.models import Club, Team
from tock_league.clubs.services import form_team
from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.competitions.core.plan import TournamentPlan
from tock_league.competitions.models import Competition, Match, RosterSpot
from tock_league.competitions.services.entries import registration, seeding
from tock_league.competitions.services.results import paper
from tock_league.competitions.services.rounds import draw
from tock_league.competitions.services.seasons import lifecycle, regulations, tournaments

from .dates import AFTERNOON, DAY, EVENING, WEEK, Dates, instant
from .league import competition_of
from .names import CLUBS, DEMO_PLAYER
from .programme import Event

TRIOS = Event("trios", "tock-demo/trios", 1)
RULES, SEATS = "tock/1", 6
PLAN = TournamentPlan("knockout", pause_s=0)
ROUND = timedelta(minutes=50)
# In the order of the seeds; captains first.
TEAMS = (
    ("Les Trois Pieux", ("y-bellemare", "g-pronovost", "d-cloutier")),
    ("Trois fois rien", (DEMO_PLAYER.slug, "o-trudel", "f-marchand")),
    ("Le trio du rocher", ("s-doucet", "a-rojas", "b-matteau")),
    ("Une de trop", ("r-lampron", "c-heroux", "p-milot")),
)
# How each match of the bracket ended: the winner's position, and the marbles between the sides.
RESULTS = {"semi": [(0, 5), (1, 2)], "third_place": [(1, 3)], "final": [(1, 1)]}


def are_played() -> bool:
    """Return whether the tournament has been written; it is written as a whole or not at all."""
    return competition_of(TRIOS) is not None


def play(*, at: Dates) -> None:
    """Write the tournament with its results, on the day before the cup's groups."""
    day = at.cup - DAY
    with writing():
        cup = _enter(at)
        with clock.frozen(instant(day - DAY, EVENING)):
            cup = lifecycle.run_through(by=SITE, competition=cup, to=Competition.State.CLOSED)
            order = list(cup.entries.order_by("pk"))
            seeding.seed(by=SITE, competition=cup, how=Competition.Seeding.HAND, order=order)
            draw.draw(by=SITE, competition=cup)
            cup = lifecycle.run_through(by=SITE, competition=cup, to=Competition.State.RUNNING)
        start = instant(day, AFTERNOON)
        for number, labels in enumerate((("semi",), ("third_place", "final")), start=1):
            with clock.frozen(start + number * ROUND):
                for label in labels:
                    _report(cup, label)


def _enter(at: Dates) -> Competition:
    with clock.frozen(instant(at.cup - 2 * WEEK, EVENING)):
        cup = tournaments.create_tournament(
            by=SITE,
            name="Triplettes d’automne",
            plan=PLAN,
            regulations=regulations.freeze(code="demo-trios", rules=RULES, seats=SEATS, clocks=None),
            club=Club.objects.get(name=CLUBS[1].name),
            size=len(TEAMS),
            starts_at=instant(at.cup - DAY, AFTERNOON),
            on_paper=True,
            seeding=Competition.Seeding.HAND,
            bots_allowed=True,
            lots_seed=TRIOS.seed,
        )
        cup = lifecycle.run_through(by=SITE, competition=cup, to=Competition.State.OPEN)
        for team in _teams():
            registration.register(by=SITE, competition=cup, team=team)
        return cup


def _teams() -> list[Team]:
    people = {
        player.slug: player for player in Player.objects.filter(slug__in=[s for _name, three in TEAMS for s in three])
    }
    return [form_team(by=SITE, name=name, players=[people[slug] for slug in three]) for name, three in TEAMS]


def _report(cup: Competition, label: str) -> None:
    """Let the home captain report the matches of a round, and the other one accept."""
    matches = Match.objects.filter(competition=cup, label=label).order_by("number")
    for match, (winner, margin) in zip(matches, RESULTS[label], strict=True):
        home, away = (
            RosterSpot.objects.select_related("player").get(entry=side.entry_id, slot=1, left__isnull=True).player
            for side in match.side_rows.order_by("position")
        )
        version = paper.report(by=home, match=match, games=[paper.Game(winner, margin)])
        paper.accept(by=away, match=match, seen=version.version)
