"""A small league, built through the services as an organiser would."""

from datetime import UTC, date, datetime, timedelta

from games.permissions import Person
from games.services import play
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club, Team
from tock_league.competitions.models import Competition, Match, Season
from tock_league.competitions.services import entries, lifecycle, regulations, results, rounds, seasons, stages

START = datetime(2026, 9, 2, 16, 0, tzinfo=UTC)  # a Wednesday noon in Shawinigan
FIRST_ROUND = datetime(2026, 9, 2, 23, 0, tzinfo=UTC)  # 19:00 there
NAMES = ["Martine Gélinas", "Océane Trudel", "Réjean Lampron", "Yvon Bellemare", "Sylvie Doucet", "Marc Villemure"]


def a_player(name: str = "Martine Gélinas", *, bot: str = "") -> Player:
    return create_player(display_name=name, bot=bot)


def a_signed_up_player(email: str, name: str = "Martine Gélinas") -> Player:
    return create_player(display_name=name, user=create_user(email=email, password="le tock du mercredi"))


def a_club(name: str = "Club de tock de Shawinigan", *, town: str = "Shawinigan", by=SITE) -> Club:
    return clubs.found_club(by=by, name=name, town=town)


def a_team(name: str, *, club: Club | None = None, bot: str = "") -> Team:
    pair = [a_player(f"{name} {letter}", bot=bot) for letter in "AB"]
    return clubs.form_team(by=SITE, name=name, players=pair, club=club)


def a_season() -> Season:
    return seasons.create_season(by=SITE, name="Automne 2026", starts_on=date(2026, 9, 1), ends_on=date(2026, 12, 20))


def a_league(
    teams: int = 4,
    *,
    club: Club | None = None,
    state: str = "running",
    legs: int = 2,
    best_of: int = 1,
    size: int | None = None,
    bot: str = "",
) -> Competition:
    """A league of pairs in `state`; from `closed` on with a round each week from FIRST_ROUND. Use it in frozen time."""
    season = Season.objects.first() or a_season()
    league = seasons.create_league(
        by=SITE,
        season=season,
        name=f"Ligue du mercredi {Competition.objects.count() + 1}",
        size=size or max(teams, 2),
        division_name=str(Competition.objects.count() + 1),
        regulations=regulations.freeze(code="league", best_of=best_of),
        club=club,
        bots_allowed=bool(bot),
    )
    for number in range(teams):
        entries.enter_team(by=SITE, competition=league, team=a_team(f"Équipe {number + 1}", club=club, bot=bot))
    if state != "draft":
        rounds = stages.rounds_needed(league, legs=legs)
        times = [FIRST_ROUND + timedelta(days=7 * index) for index in range(rounds)]
        stages.make_round_robin(by=SITE, competition=league, times=times, legs=legs)
        league = lifecycle.run_through(by=SITE, competition=league, to=state)
    return league


def first_match(league: Competition) -> Match:
    return league.matches.order_by("round__number", "number").first()


def finish_game(match: Match, winner: int) -> int:
    """Play the match's current game to its end: all sit down, and the side that is not `winner` resigns. Answer its id."""
    match.refresh_from_db()
    game = match.table.games.order_by("-number").first()
    seats = {seating.seat: Person(player_id=seating.player_id) for seating in match.table.seatings.all()}
    for seat, person in seats.items():
        command = f"ready-{game.pk}-{seat}"
        answer = play.submit(
            game_id=game.pk, seat=seat, command_id=command, turn="0.0", kind="ready", args={}, by=person
        )
        assert answer.code == "", answer
    seat = 1 - winner
    answer = play.submit(
        game_id=game.pk, seat=seat, command_id=f"resign-{game.pk}", turn="0.0", kind="resign", args={}, by=seats[seat]
    )
    assert answer.code == "", answer
    return game.pk


def play_match(match: Match, winner: int) -> Match:
    """Open the match's table, play its games for `winner` and settle each."""
    rounds.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    for _game in range(match.best_of // 2 + 1):
        results.settle(game_id=finish_game(match, winner))
    match.refresh_from_db()
    return match
