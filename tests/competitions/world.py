"""Small leagues and tournaments, built through the services as an organiser would."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from games.permissions import Person
from games.services import play
from tests.remembered import remembered
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club, Team
from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.competitions.core.plan import TournamentPlan
from tock_league.competitions.models import Competition, Match, Season
from tock_league.competitions.selectors.changes.previews import Preview
from tock_league.competitions.services.changes.previews import preview_of
from tock_league.competitions.services.entries import entering, registration
from tock_league.competitions.services.results import propagation, rulings, settlement, versions
from tock_league.competitions.services.rounds import calendar, draw, publishing
from tock_league.competitions.services.seasons import creation, lifecycle, regulations, tournaments
from tock_league.competitions.services.shared.locking import lock_match

START = datetime(2026, 9, 2, 16, 0, tzinfo=UTC)  # a Wednesday noon in Shawinigan
FIRST_ROUND = datetime(2026, 9, 2, 23, 0, tzinfo=UTC)  # 19:00 there
NAMES = ["Martine Gélinas", "Océane Trudel", "Réjean Lampron", "Yvon Bellemare", "Sylvie Doucet", "Marc Villemure"]


def a_player(name: str = "Martine Gélinas", *, bot: str = "") -> Player:
    return create_player(display_name=name, bot=bot)


def a_signed_up_player(email: str, name: str = "Martine Gélinas") -> Player:
    return create_player(display_name=name, user=create_user(email=email, password="le tock du mercredi"))


def a_club(name: str = "Club de tock de Shawinigan", *, town: str = "Shawinigan", by=SITE) -> Club:
    return clubs.found_club(by=by, name=name, town=town)


def a_team(name: str, *, club: Club | None = None, bot: str = "", size: int = 2) -> Team:
    players = [a_player(f"{name} {letter}", bot=bot) for letter in "ABCD"[:size]]
    return clubs.form_team(by=SITE, name=name, players=players, club=club)


def a_season() -> Season:
    return creation.create_season(by=SITE, name="Automne 2026", starts_on=date(2026, 9, 1), ends_on=date(2026, 12, 20))


@remembered
def a_league(
    teams: int = 4,
    *,
    club: Club | None = None,
    state: str = "running",
    legs: int = 2,
    best_of: int = 1,
    size: int | None = None,
    bot: str = "",
    rules: str = "shawinigan/1",
    seats: int = 4,
    length: int = 0,
    cap: dict[str, Any] | None = None,
) -> Competition:
    """Return a league in `state`; from `closed` on with a round each week from FIRST_ROUND. Use it in frozen time."""
    season = Season.objects.first() or a_season()
    league = creation.create_league(
        by=SITE,
        season=season,
        name=f"Ligue du mercredi {Competition.objects.count() + 1}",
        size=size or max(teams, 2),
        division_name=str(Competition.objects.count() + 1),
        regulations=regulations.freeze(
            code="league", best_of=best_of, rules=rules, seats=seats, rounds=length, cap=cap
        ),
        club=club,
        bots_allowed=bool(bot),
    )
    for number in range(teams):
        team = a_team(f"Équipe {number + 1}", club=club, bot=bot, size=league.side_size)
        entering.enter_team(by=SITE, competition=league, team=team)
    if state != "draft":
        rounds = calendar.rounds_needed(league, legs=legs)
        times = [FIRST_ROUND + timedelta(days=7 * index) for index in range(rounds)]
        calendar.make_calendar(by=SITE, competition=league, times=times, legs=legs)
        league = lifecycle.run_through(by=SITE, competition=league, to=state)
    return league


def first_match(league: Competition) -> Match:
    return league.matches.order_by("round__number", "number").first()


def finish_game(match: Match, winner: int) -> int:
    """Play the match's current game to its end: all sit down, and the side that is not `winner` resigns. Return its
    id."""
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


@remembered
def play_match(match: Match, winner: int) -> Match:
    """Open the match's table, play its games for `winner` and settle each."""
    publishing.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    for _game in range(match.best_of // 2 + 1):
        settlement.settle(game_id=finish_game(match, winner))
    match.refresh_from_db()
    return match


# --- tournaments -----------------------------------------------------------------------------------------------------


def a_plan(kind: str = "knockout", **changes) -> TournamentPlan:
    """Return a plan whose rounds follow each other at once."""
    chosen = {"knockout": {}, "groups_knockout": {"groups": 2, "qualify": 2}, "swiss": {"rounds": 3}}[kind]
    return TournamentPlan(kind, **{"pause_s": 0, **chosen, **changes})


@remembered
def a_tournament(
    teams: int = 4,
    *,
    plan: TournamentPlan | None = None,
    state: str = "running",
    size: int | None = None,
    check_in: bool = False,
    seeding: str = "hand",
    on_paper: bool = True,
    bot: str = "",
    club: Club | None = None,
    lots_seed: str = "",
    tiebreaks: tuple[str, ...] = regulations.LEAGUE_TIEBREAKS,
    rules: str = "shawinigan/1",
    seats: int = 4,
    length: int = 0,
    later: str = "replay",
    cap: dict[str, Any] | None = None,
) -> Competition:
    """Return a tournament in `state`; from `running` on it is drawn and its first round is open. Use it in frozen time.

    Its first round is two hours away; check-in is open in the hour before entries and check-in close together.
    """
    now = clock.now()
    made = tournaments.create_tournament(
        by=SITE,
        name=f"Tournoi {Competition.objects.count() + 1}",
        plan=plan or a_plan(),
        regulations=regulations.freeze(
            code="tournament", tiebreaks=tiebreaks, rules=rules, seats=seats, rounds=length, later=later, cap=cap
        ),
        club=club,
        size=size,
        starts_at=now + timedelta(hours=2),
        entries_close_at=now + timedelta(hours=1, minutes=30) if check_in else None,
        check_in_from=now + timedelta(minutes=30) if check_in else None,
        check_in_until=now + timedelta(hours=1, minutes=30) if check_in else None,
        on_paper=on_paper,
        seeding=seeding,
        bots_allowed=bool(bot),
        lots_seed=lots_seed,
    )
    if state == "draft":
        return made
    made = lifecycle.run_through(by=SITE, competition=made, to="open")
    for number in range(teams):
        team = a_team(f"Équipe {number + 1:02}", club=club, bot=bot, size=made.side_size)
        registration.register(by=SITE, competition=made, team=team)
    if state == "open":
        return made
    made = lifecycle.run_through(by=SITE, competition=made, to="closed")
    if check_in:
        return made
    if state in ("running", "finished"):
        draw.draw(by=SITE, competition=made)
        made = lifecycle.advance(by=SITE, competition=made, to="running")
    if state == "finished":
        play_on(made)
        made.refresh_from_db()
    return made


@remembered
def decide(match: Match, winner: int) -> Match:
    """Let position `winner` win every necessary game of `match` without a table, by the referee's report."""
    with writing():
        match = lock_match(match.pk)
        for number in range(1, match.best_of // 2 + 2):
            versions.append(
                match,
                fact="adjudicated",
                source="referee",
                lines=versions.decision(winner, match.sides),
                game_number=number,
                reason="test",
            )
        propagation.propagate(match)
    match.refresh_from_db()
    return match


def stronger(match: Match) -> int:
    """Return the position of the better seed, the default winner."""
    seats = list(match.side_rows.filter(kind="seat").select_related("entry").order_by("position"))
    return min(seats, key=lambda seat: seat.entry.seed).position


def under_way(competition: Competition) -> list[Match]:
    """Return the matches that wait for a result, in the order of their rounds."""
    return list(
        competition.matches.filter(state__in=("scheduled", "called", "live"), round__state="open").order_by(
            "round__group__stage__ordinal", "round__number", "round__group__ordinal", "number"
        )
    )


@remembered
def play_on(competition: Competition, *, wins=stronger, matches: int | None = None) -> int:
    """Decide open matches, one by one, until none is left or `matches` are decided; return how many were.

    `wins(match)` returns the position that wins; by default the better seed.
    """
    decided = 0
    while matches is None or decided < matches:
        waiting = under_way(competition)
        if not waiting:
            break
        decide(waiting[0], wins(waiting[0]))
        decided += 1
    return decided


def preview(competition: Competition, effects=(), lifts=()) -> Preview:
    """Return what a ruling with these effects and lifts would change."""
    return preview_of(
        competition,
        lambda: rulings.apply(competition=competition, ruling="TL-2026-999999/9", effects=effects, lifts=lifts),
    )
