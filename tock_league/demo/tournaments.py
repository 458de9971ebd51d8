"""Two tournaments: one whose groups are played and whose semi-finals come next, one that teams register for."""

from collections.abc import Mapping
from datetime import datetime

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player
from tock_league.clubs.models import Club, Team
from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.competitions.core.plan import TournamentPlan
from tock_league.competitions.models import Competition, Match, Regulations
from tock_league.competitions.services.entries import registration, seeding
from tock_league.competitions.services.rounds import draw, schedule
from tock_league.competitions.services.seasons import lifecycle, roles, tournaments

from .accounts import ACCOUNTS, create
from .dates import AFTERNOON, DAY, EVENING, WEEK, Dates, instant
from .league import competition_of, settled_rules
from .names import CLUBS, ENTRY_ORDER, HEAD_REFEREE, REFEREES
from .programme import CUP, THIS_SEASON

OPEN_SEED = "tock-demo/open"
PAUSE_S = 1_200  # longer than a table is open beforehand: the records of the next round still find it without one
REGISTERED = 4  # teams of the tournament that is still open
CUP_PLAN = TournamentPlan("groups_knockout", groups=CUP.pools, qualify=2, pause_s=PAUSE_S)
OPEN_PLAN = TournamentPlan("swiss", rounds=4, pause_s=600)
CHECK_IN = DAY / 24 / 2  # half an hour


def are_founded() -> bool:
    """Return whether both tournaments have been written; they are written together or not at all."""
    return competition_of(CUP) is not None


def found(*, at: Dates, passwords: Mapping[str, str]) -> None:
    """Write both tournaments and their referees in one transaction; the games of the groups are still to be played."""
    with writing():
        referees = _referees(at, passwords)
        clubs = [Club.objects.get(name=plan.name) for plan in CLUBS]
        league = competition_of(THIS_SEASON)
        assert league is not None
        _appoint(league, referees)
        cup = _cup(at, settled_rules(), clubs[0], referees)
        _start(at, cup)
        _open(at, settled_rules(), clubs[1], referees)


def _referees(at: Dates, passwords: Mapping[str, str]) -> list[Player]:
    """Return the referees, the head referee first; she can sign in."""
    with clock.frozen(at.founded):
        account = next(account for account in ACCOUNTS if account.slug == HEAD_REFEREE[0])
        known = {player.slug: player for player in Player.objects.filter(slug__in=[slug for slug, _name in REFEREES])}
        head = Player.objects.filter(slug=account.slug).first() or create(account, passwords.get(account.email))
        return [head, *(known.get(slug) or create_player(display_name=name, slug=slug) for slug, name in REFEREES)]


def _appoint(competition: Competition, referees: list[Player]) -> None:
    for number, referee in enumerate(referees):
        office = "referee" if number else "head_referee"
        roles.give(by=SITE, competition=competition, player=referee, name=office)


def _teams() -> list[Team]:
    """Return the league's teams in the order of entry, as this season knows them."""
    league = competition_of(THIS_SEASON)
    found = {team.name: team for team in Team.objects.filter(entries__competition=league)}
    return [found[pair.name] for pair in ENTRY_ORDER if pair.name in found]


def _cup(at: Dates, rules: Regulations, club: Club, referees: list[Player]) -> Competition:
    """Announce the tournament a fortnight before, take the entries, close them."""
    with clock.frozen(instant(at.cup - 2 * WEEK, EVENING)):
        cup = tournaments.create_tournament(
            by=SITE,
            name=f"Coupe d’automne {at.cup.year}",
            plan=CUP_PLAN,
            regulations=rules,
            club=club,
            size=len(ENTRY_ORDER),
            starts_at=instant(at.cup, AFTERNOON),
            entries_close_at=instant(at.cup - DAY, EVENING),
            seeding=Competition.Seeding.HAND,
            bots_allowed=True,
            lots_seed=CUP.seed,
        )
        _appoint(cup, referees)
        cup = lifecycle.run_through(by=SITE, competition=cup, to=Competition.State.OPEN)
        for team in _teams():
            registration.register(by=SITE, competition=cup, team=team)
        return cup


def _start(at: Dates, cup: Competition) -> None:
    """Draw the groups and begin: the first round at its hour, each further one when all results of the last are in."""
    with clock.frozen(instant(at.cup - DAY, EVENING)):
        cup = lifecycle.run_through(by=SITE, competition=cup, to=Competition.State.CLOSED)
        order = list(cup.entries.order_by("pk"))
        seeding.seed(by=SITE, competition=cup, how=Competition.Seeding.HAND, order=order)
        draw.draw(by=SITE, competition=cup)
        lifecycle.run_through(by=SITE, competition=cup, to=Competition.State.RUNNING)


def _open(at: Dates, rules: Regulations, club: Club, referees: list[Player]) -> None:
    """Announce the next tournament yesterday; some teams have registered, one waits for the partner's word."""
    with clock.frozen(instant(at.today - DAY, EVENING)):
        starts_at = instant(at.today + 3 * WEEK, EVENING)
        made = tournaments.create_tournament(
            by=SITE,
            name="Tournoi du vieux plateau",
            plan=OPEN_PLAN,
            regulations=rules,
            club=club,
            size=2 * len(ENTRY_ORDER),
            starts_at=starts_at,
            entries_close_at=starts_at - DAY,
            check_in_from=starts_at - 2 * CHECK_IN,
            check_in_until=starts_at - CHECK_IN / 3,
            seeding=Competition.Seeding.RATING,
            bots_allowed=True,
            lots_seed=OPEN_SEED,
        )
        _appoint(made, referees)
        made = lifecycle.run_through(by=SITE, competition=made, to=Competition.State.OPEN)
        *sure, asked = _teams()[1 : REGISTERED + 2]
        for team in sure:
            registration.register(by=SITE, competition=made, team=team)
        captain = asked.spells.get(slot=1, left__isnull=True).player
        registration.register(by=captain, competition=made, team=asked)


def look_ahead(now: datetime) -> None:
    """Keep in the future what visitors should find there: semi-finals not yet begun, and an open registration."""
    with writing():
        today = Dates.at(now).today
        for match in _waiting(now):
            schedule.move(by=SITE, match=match, starts_at=instant(today + 2 * DAY, EVENING))
        made = Competition.objects.filter(lots_seed=OPEN_SEED, bots_allowed=True, state=Competition.State.OPEN).first()
        if made is not None and made.entries_close_at is not None and made.entries_close_at < now + WEEK:
            starts_at = instant(today + 3 * WEEK, EVENING)
            tournaments.edit(
                by=SITE,
                competition=made,
                entries_close_at=starts_at - DAY,
                check_in_from=starts_at - 2 * CHECK_IN,
                check_in_until=starts_at - CHECK_IN / 3,
                starts_at=starts_at,
            )


def _waiting(now: datetime) -> list[Match]:
    """Return the semi-finals that are dated, have no table yet, and would come within a day."""
    return list(
        Match.objects.filter(
            competition=competition_of(CUP),
            label=Match.Label.SEMI,
            state=Match.State.SCHEDULED,
            table=None,
            starts_at__lt=now + DAY,
        )
    )
