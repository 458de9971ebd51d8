"""A small cup made through the services, in real time: two groups of two, a final between their winners, referees on
duty."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.db import connection

from tests.competitions.world import decide
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Team
from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.competitions.core.plan import TournamentPlan
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.entries import registration
from tock_league.competitions.services.rounds import draw
from tock_league.competitions.services.seasons import lifecycle, regulations, roles, tournaments
from tock_league.journal.models import JournalEntry
from tock_league.journal.store import triggers
from tock_league.journal.store.operations import unique_keys

from .evening import a_member

TEAMS = ("Les Draveurs", "Les Vieux Pieux", "Case Huit", "Les Jokers")
FIRST_GAME = timedelta(minutes=14)  # its table opens a quarter of an hour before
A_DAY = 86_400


@dataclass(frozen=True)
class Cup:
    """`match`: the match of the group that is still open; `referee` serves the event, `head` is its head referee."""

    competition: Competition
    match: Match
    referee: Player
    head: Player

    @property
    def final(self) -> Match:
        return Match.objects.get(competition=self.competition, label="final")

    def finalists(self) -> set[str]:
        """Return the names of the teams that are in the final now."""
        return {
            str(side.entry) for side in self.final.side_rows.select_related("entry__team") if side.entry is not None
        }


def a_cup() -> Cup:
    """Make the cup: four pairs, each of its own club, registered and drawn; one group is decided, the other is about to
    begin."""
    hosts = clubs.found_club(by=SITE, name="Club de tock de Shawinigan", town="Shawinigan")
    made = tournaments.create_tournament(
        by=SITE,
        name="Coupe des Chutes",
        plan=TournamentPlan("groups_knockout", groups=2, qualify=1, third_place=False, pause_s=A_DAY),
        regulations=regulations.freeze(code="tournament"),
        club=hosts,
        starts_at=clock.now() + FIRST_GAME,
        seeding="hand",
    )
    made = lifecycle.run_through(by=SITE, competition=made, to="open")
    for number, name in enumerate(TEAMS):
        registration.register(by=SITE, competition=made, team=a_pair(name, number))
    referee, head = a_member("Sylvie Doucet"), a_member("Marc Villemure")
    roles.give(by=SITE, competition=made, player=referee, name="referee")
    roles.give(by=SITE, competition=made, player=head, name="head_referee")
    made = lifecycle.run_through(by=SITE, competition=made, to="closed")
    draw.draw(by=SITE, competition=made)
    made = lifecycle.advance(by=SITE, competition=made, to="running")
    mine, other = made.matches.filter(round__group__stage__ordinal=1).order_by("round__group__ordinal")
    decide(other, 0)
    return Cup(made, mine, referee, head)


def a_pair(name: str, number: int) -> Team:
    """Return a team of two members with accounts, in its own club."""
    club = clubs.found_club(by=SITE, name=f"Club {name}", town="Shawinigan")
    pair = [a_member(f"{first} {name.split()[-1]}", club=club) for first in (f"Ode{number}", f"Ulric{number}")]
    return clubs.form_team(by=SITE, name=name, players=pair, club=club)


@contextmanager
def triggers_dropped() -> Iterator[None]:
    """Remove the journal's triggers, with the rights of the database's owner, and restore them at the end."""
    table, vendor = JournalEntry._meta.db_table, connection.vendor
    with writing(), connection.cursor() as cursor:
        for name in triggers.names(table, vendor, chained=True):
            cursor.execute(f'DROP TRIGGER "{name}"' + ("" if vendor == "sqlite" else f' ON "{table}"'))
    try:
        yield
    finally:
        with writing(), connection.cursor() as cursor:
            for sql in triggers.create(table, vendor, keys=list(unique_keys(JournalEntry)), chained=True):
                cursor.execute(sql, None)
