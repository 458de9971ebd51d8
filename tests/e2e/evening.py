"""A league evening made through the services, in real time: a match that begins in fourteen minutes, people with accounts."""

import random
import secrets
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from types import SimpleNamespace
from typing import Any
from unittest import mock
from zoneinfo import ZoneInfo

from games import bots, store
from games.fold import NONE, Viewer, view
from games.models import Game, Table
from games.permissions import BOT, Person
from games.services import play, tables
from games.services.deals import Deals
from games.services.tables import SeatPlan
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club, Team
from tock_league.common import clock
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.entries import entering
from tock_league.competitions.services.rounds import calendar
from tock_league.competitions.services.seasons import creation, lifecycle, regulations

TABLE_OPENS = timedelta(minutes=15)
NAMES = ("Martine Gélinas", "Réjean Lampron", "Océane Trudel", "Yvon Bellemare")


@dataclass(frozen=True)
class Evening:
    """A running league of four pairs from two clubs; `match` is tonight's match, whose players have accounts."""

    league: Competition
    match: Match
    clubs: tuple[Club, Club]
    teams: tuple[Team, ...]
    organiser: Player


def a_member(name: str, *, club: Club | None = None, **more: Any) -> Player:
    """Return a player with an account."""
    email = f"{name.split()[0].lower()}.{secrets.token_hex(3)}@example.org"
    player = create_player(display_name=name, user=create_user(email=email, password="le tock du mercredi"), **more)
    if club is not None:
        clubs.join(by=SITE, club=club, player=player)
    return player


def four_members() -> list[Player]:
    """Return four players with accounts, in the order of the seats."""
    return [a_member(name) for name in NAMES]


def an_evening(*, best_of: int = 1) -> Evening:
    """Make season, league, clubs, teams and a dated double round robin whose first round begins in fourteen minutes."""
    now = clock.now()
    today = now.astimezone(ZoneInfo("America/Toronto")).date()
    draveurs = clubs.found_club(by=SITE, name="Club de tock de Shawinigan", town="Shawinigan")
    pieux = clubs.found_club(by=SITE, name="Les Pieux de Grand-Mère", town="Grand-Mère")
    organiser = a_member("Sylvie Doucet", club=draveurs)
    clubs.give_role(by=SITE, club=draveurs, player=organiser, name="organiser")
    season = creation.create_season(
        by=SITE, name="Cette saison", starts_on=today - timedelta(days=7), ends_on=today + timedelta(days=90)
    )
    league = creation.create_league(
        by=SITE,
        season=season,
        name="Ligue du mercredi",
        size=4,
        regulations=regulations.freeze(code="league", best_of=best_of),
        club=draveurs,
    )
    made = []
    for number, (name, club) in enumerate(
        [("Les Draveurs", draveurs), ("Les Vieux Pieux", pieux), ("Case Huit", draveurs), ("Les Jokers", pieux)]
    ):
        pair = [a_member(f"{first} {name.split()[-1]}", club=club) for first in (f"Ode{number}", f"Ulric{number}")]
        team = clubs.form_team(by=SITE, name=name, players=pair, club=club)
        entering.enter_team(by=SITE, competition=league, team=team)
        made.append(team)
    first = now + TABLE_OPENS - timedelta(minutes=1)
    rounds = calendar.rounds_needed(league, legs=2)
    times = [first + timedelta(days=7 * number) for number in range(rounds)]
    calendar.make_calendar(by=SITE, competition=league, times=times, legs=2)
    league = lifecycle.run_through(by=SITE, competition=league, to="running")
    match = league.matches.order_by("round__number", "number").first()
    assert match is not None
    return Evening(league, match, (draveurs, pieux), tuple(made), organiser)


def open_table(players: list[Player], **more: Any) -> Table:
    """Open a table of four people outside a competition, without clocks."""
    wanted: dict[str, Any] = {
        "rules": "shawinigan/1",
        "name": "Les Draveurs – Les Vieux Pieux",
        "seat_plan": [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(players)],
        "team_names": ["Les Draveurs", "Les Vieux Pieux"],
        "rated": False,
    }
    return tables.open_match_table(**(wanted | more))


def game_of(table: Table) -> Game:
    """Return the table's latest game, read from the database."""
    return Game.objects.select_related("table").filter(table=table).order_by("-number")[0]


def record_of(table: Table) -> list[tuple[str, Any]]:
    """Return the rows of the table's latest game, as (code, body)."""
    return [(row.code, row.body) for row in store.load(game_of(table).pk)]


def let_play(
    table: Table,
    *,
    plays: int = 1000,
    seed: int = 1,
    level: str = "club",
    until: Callable[[int, dict[str, Any]], bool] | None = None,
) -> Game:
    """Play for the table's people and bots as bots of a level would, at most `plays` plays; return the game.

    `until`: called with a seat and its view before that seat's decision; stops when it returns true.
    """
    roll = random.Random(seed).randrange
    holders = {
        seating.seat: BOT if seating.bot else Person(player_id=seating.player_id, guest_key=seating.guest_key)
        for seating in table.seatings.all()
    }
    for number in range(plays):
        game = game_of(table)
        state = store.current(game)
        if state.result is not None:
            return game
        if state.position is None:
            seat, kind, args = state.ready.index(False), "ready", {}
        else:
            seat, kind = min(state.to_act), "play"
            seen = view(state, Viewer(seat))
            if until and until(seat, seen):
                return game
            args = {"play": bots.choose(seen, seen["legal"], level=level, roll=roll)}
        answer = play.submit(
            game_id=game.pk, seat=seat, command_id=str(uuid.UUID(int=seed * 10_000 + number)), turn=state.decision_id,
            kind=kind, args=args, by=holders[seat],
        )  # fmt: skip
        assert not answer.code, answer
    return game_of(table)


@contextmanager
def chosen_deal(seed: int, *, game: str) -> Iterator[None]:
    """Let the first game opened inside have the public id `game` and secrets from `seed`: the same cards on every run.

    The game takes no shares of the seats, which would change the cards: tests/live_js/test_real_table.py plays with
    them. Everything else about the deal is as usual: commitment, keys, decks. Worker threads use it too.
    """
    source, committed = random.Random(seed), Deals.commit
    slugs = chain([f"{game}-table", game], iter(new_slug, None))
    with (
        mock.patch("games.services.deals.secrets", SimpleNamespace(token_bytes=source.randbytes)),
        mock.patch("games.services.tables.new_slug", side_effect=slugs),
        mock.patch.object(Deals, "commit", lambda self, first=0, **_more: committed(self, first, shares=NONE)),
    ):
        yield


def open_chosen_table(players: list[Player], seed: int, *, game: str, **more: Any) -> Table:
    """Open a table as `open_table` does, with the cards of `seed`."""
    with chosen_deal(seed, game=game), writing():
        return open_table(players, **more)
