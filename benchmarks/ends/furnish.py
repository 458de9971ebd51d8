"""Leagues and casual tables whose games are one resignation away from their end."""

import json
from datetime import timedelta

from games.models import Game, Table
from games.services import tables
from games.services.tables import SeatPlan
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import unhurried, writing
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.entries import entering
from tock_league.competitions.services.rounds import calendar, publishing
from tock_league.competitions.services.seasons import creation, lifecycle, regulations
from tock_league.embedded.process import migrate

from ..table_load.furnish import SEATS, SLOW, hurry, people, send, state_of

Ending = tuple[int, int]  # the keys of a game and of who resigns from seat 0
RULES = "shawinigan/1"
ROUNDS = 3  # of a league that are played at once, to furnish fewer leagues


def league(number: int, players: list[Player]) -> Competition:
    """Return a running league of pairs of these players, each pair meeting each other once."""
    now = clock.now()
    season = creation.create_season(
        by=SITE, name=f"Season {number}", starts_on=now.date(), ends_on=now.date() + timedelta(days=300)
    )
    made = creation.create_league(
        by=SITE,
        season=season,
        name=f"League {number}",
        size=len(players) // 2,
        division_name=str(number),
        regulations=regulations.freeze(code="league", best_of=1, rules=RULES, clocks=None),
    )
    for place in range(0, len(players), 2):
        pair = players[place : place + 2]
        team = clubs.form_team(by=SITE, name=f"Team {number}.{place // 2}", players=pair)
        entering.enter_team(by=SITE, competition=made, team=team)
    rounds = calendar.rounds_needed(made, legs=1)
    calendar.make_calendar(
        by=SITE, competition=made, times=[now + timedelta(days=1 + 7 * each) for each in range(rounds)], legs=1
    )
    return lifecycle.run_through(by=SITE, competition=made, to="running")


def first_rounds(made: Competition) -> list[Ending]:
    """Open the tables of the first rounds; everybody is ready."""
    found = []
    for match in Match.objects.filter(competition=made, round__number__lte=ROUNDS).order_by("round__number", "number"):
        publishing.open_table(match_id=match.pk, early=True)
        match.refresh_from_db()
        assert match.table is not None
        found.append(_begin(match.table))
    return found


def casual(number: int, four: list[Player]) -> Ending:
    """Open a rated casual table at which everybody is ready."""
    table = Table(
        kind=Table.Kind.CASUAL, name=f"Casual {number}", rules=RULES, teams=2, clocks=SLOW.to_json(), rated=True
    )
    with writing():
        tables.open_seats(table, [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(four)], ["A", "B"])
        tables.new_game(table)
    return _begin(table)


def _begin(table: Table) -> Ending:
    game = Game.objects.get(table=table)
    seats = {seating.seat: seating.player for seating in table.seatings.select_related("player")}
    for seat in range(SEATS):
        player = seats[seat]
        assert player is not None
        send(game.pk, seat, state_of(game.pk).decision_id, "ready", {}, player)
    first = seats[0]
    assert first is not None
    return game.pk, first.pk


def everything(matches: int, casuals: int, teams: int) -> list[Ending]:
    """Return `matches` games of leagues of so many teams and `casuals` rated casual games, mixed, ready to end."""
    leagues = -(-matches // (ROUNDS * (teams // 2)))
    seated = [player for player, _key in people(2 * teams * leagues + SEATS * casuals)]
    found: list[Ending] = []
    with writing():  # one commit: nothing is measured here
        unhurried()
        for number in range(leagues):
            made = league(number, seated[2 * teams * number : 2 * teams * (number + 1)])
            found += first_rounds(made)
        found = found[:matches]
        rest = seated[2 * teams * leagues :]
        lone = [casual(number, rest[SEATS * number : SEATS * (number + 1)]) for number in range(casuals)]
    mixed: list[Ending] = []
    while found or lone:
        mixed += found[:1] + lone[:1]
        found, lone = found[1:], lone[1:]
    return mixed


def main(matches: int, casuals: int, teams: int) -> None:
    """Fill an empty database; print what ends as JSON."""
    hurry()
    migrate(lambda line: None)
    hurry()  # the migrations closed their connection
    endings = everything(matches, casuals, teams)
    OutboxRow.objects.filter(done_at__isnull=True).delete()  # mails of the furnishing
    print(json.dumps(endings))
