"""The demo league before its first game: clubs, people, teams, competitions and their calendars, all through services."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player
from tock_league.clubs.models import Club, Team
from tock_league.clubs.services import form_team, found_club, give_role, join
from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.competitions.models import Competition, Regulations
from tock_league.competitions.services.entries import entering
from tock_league.competitions.services.rounds import calendar
from tock_league.competitions.services.seasons import creation, lifecycle, nights, regulations

from .accounts import ACCOUNTS, EVERYBODY, create
from .dates import DAY, EVENING, NIGHT, WEEK, Dates, instant, night_name, rounds, season_name
from .names import CLUBS, DEMO_PLAYER, ENTRY_ORDER, Pair, Person
from .programme import FIRST_NIGHT, LAST_SEASON, RULES, SECOND_NIGHT, THIS_SEASON, Event

NIGHT_ROUND = 30  # minutes


def competition_of(event: Event) -> Competition | None:
    """Return the competition that was made for `event`, if it was."""
    return Competition.objects.filter(lots_seed=event.seed, bots_allowed=True).first()


def is_founded() -> bool:
    """Return whether the league has been written; it is written as a whole or not at all."""
    return competition_of(THIS_SEASON) is not None


def found(*, at: Dates, passwords: Mapping[str, str]) -> None:
    """Write the league with every match of its calendars still to be played, in one transaction."""
    with writing():
        with clock.frozen(at.founded):
            players = _people(passwords)
            clubs = [_club(plan.name, plan.town, plan.about, plan.teams, players) for plan in CLUBS]
            teams = {pair.name: team for plan, club in zip(CLUBS, clubs, strict=True)
                     for pair, team in _teams(plan.teams, club, players)}  # fmt: skip
            rules = settled_rules()
        _season(LAST_SEASON, rounds(at.last_season, a_week=2), rules, teams)
        _night(FIRST_NIGHT, at.first_night, rules, clubs[0], players)
        _season(THIS_SEASON, rounds(at.this_season, a_week=1), rules, teams)
        _night(SECOND_NIGHT, at.second_night, rules, clubs[1], players)


def settled_rules() -> Regulations:
    """Return the regulations of all the demo's competitions: one game a match, and no clock."""
    return regulations.freeze(code="demo", rules=RULES, best_of=1, clocks=None)


def _people(passwords: Mapping[str, str]) -> dict[str, Player]:
    """Return the sixteen players by slug; the one with an account is played by whoever signs in."""
    known = {account.slug: create(account, passwords[account.email]) for account in ACCOUNTS}
    for plan in CLUBS:
        for person in (person for team in plan.teams for person in team.players):
            if person.slug not in known:
                known[person.slug] = create_player(
                    display_name=person.name, slug=person.slug, bot=person.bot, page_for=EVERYBODY
                )
    return known


def _club(name: str, town: str, about: str, teams: Sequence[Pair], players: Mapping[str, Player]) -> Club:
    club = found_club(by=SITE, name=name, town=town, about=about)
    for team in teams:
        for person in team.players:
            join(by=SITE, club=club, player=players[person.slug])
    give_role(by=SITE, club=club, player=_player(players, teams[0].players[0]), name="officer")
    return club


def _teams(pairs: Sequence[Pair], club: Club, players: Mapping[str, Player]) -> list[tuple[Pair, Team]]:
    return [
        (pair, form_team(by=SITE, name=pair.name, players=[_player(players, one) for one in pair.players], club=club))
        for pair in pairs
    ]


def _player(players: Mapping[str, Player], person: Person) -> Player:
    return players[person.slug]


def _season(event: Event, times: Sequence[datetime], rules: Regulations, teams: Mapping[str, Team]) -> None:
    """Make a season of one division, enter the eight teams, and date its rounds."""
    first, last = times[0].date(), times[-1].date()
    name = season_name(first)
    with clock.frozen(instant(first - 2 * WEEK, EVENING)):
        season = creation.create_season(by=SITE, name=name, starts_on=first - DAY, ends_on=last + WEEK)
        league = creation.create_league(
            by=SITE,
            season=season,
            name=f"Ligue de Shawinigan, {name.removeprefix('Saison ')}",
            size=len(ENTRY_ORDER),
            regulations=rules,
            bots_allowed=True,
            lots_seed=event.seed,
        )
        lifecycle.run_through(by=SITE, competition=league, to=Competition.State.OPEN)
        for pair in ENTRY_ORDER:
            entering.enter_team(by=SITE, competition=league, team=teams[pair.name])
        calendar.make_calendar(by=SITE, competition=league, times=times, legs=event.legs)
        lifecycle.run_through(by=SITE, competition=league, to=Competition.State.RUNNING)


def _night(event: Event, day: date, rules: Regulations, club: Club, players: Mapping[str, Player]) -> None:
    """Announce a club night, and on its evening draw the partners among all sixteen, from the seed announced."""
    sixteen = [player for slug, player in players.items() if slug not in {account.slug for account in ACCOUNTS[1:]}]
    with clock.frozen(instant(day - 10 * DAY, EVENING)):
        night = nights.announce_night(
            by=SITE, club=club, name=night_name(day), regulations=rules, bots_allowed=True, lots_seed=event.seed
        )
    begins = instant(day, NIGHT)
    with clock.frozen(begins - DAY / 24):
        nights.draw_and_start(by=SITE, night=night, players=sixteen, starts_at=begins, minutes=NIGHT_ROUND)


def demo_team() -> Team:
    """Return the league team of the printed account, whatever it is called by now."""
    return Team.objects.get(entries__competition__lots_seed=THIS_SEASON.seed, spells__player__slug=DEMO_PLAYER.slug)
