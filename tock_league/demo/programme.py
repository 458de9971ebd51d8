"""Which games the demo league consists of: the same names, draws and pairings on every machine, without a database.

`league` makes the competitions through the services; their calendars come out as listed here, because entries, format
and the published seed of the lots are the same. Each match finds its record by `DemoMatch.key`.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tock_league.common.ids import ALPHABET
from tock_league.competitions.core import registry
from tock_league.competitions.core.groups import distribute
from tock_league.competitions.core.lots import draw_sides

from .names import BY_SLUG, DEMO_PLAYER, ENTRY_ORDER, PEOPLE, Person

RULES = "shawinigan/1"
FORMAT = "round_robin/1"
PLAYED_ROUNDS = 7  # of this season's fourteen


@dataclass(frozen=True, slots=True)
class Event:
    """A competition of the demo."""

    key: str
    seed: str  # published seed of the lots, by which the loader finds the competition again
    legs: int
    drawn: bool = False  # whether lots make the pairs; otherwise they are the teams of the league
    pools: int = 1  # how many groups its teams are dealt into, in the order of entry; later stages have no record

    def entries(self) -> Sequence[tuple[Person, Person]]:
        """Return the pairs in the order in which they are entered."""
        if not self.drawn:
            return [team.players for team in ENTRY_ORDER]
        pairs = draw_sides(self.seed, [person.slug for person in PEOPLE])
        return [(BY_SLUG[captain], BY_SLUG[other]) for captain, other in pairs]


LAST_SEASON = Event("last", "tock-demo/last-season", 2)
FIRST_NIGHT = Event("night1", "tock-demo/first-night-2", 1, drawn=True)
THIS_SEASON = Event("this", "tock-demo/this-season", 2)
SECOND_NIGHT = Event("night2", "tock-demo/second-night-4", 1, drawn=True)
CUP = Event("cup", "tock-demo/cup", 1, pools=2)
EVENTS = (LAST_SEASON, FIRST_NIGHT, THIS_SEASON, SECOND_NIGHT, CUP)
# Who wins in the cup's groups, 0 home or 1: the rulings tell a story (`disputes`) that better bots must not change.
CUP_WINNERS = {
    "cupA/1/1": 0, "cupA/1/2": 0, "cupA/2/1": 1, "cupA/2/2": 1, "cupA/3/1": 0, "cupA/3/2": 1,
    "cupB/1/2": 1, "cupB/2/1": 1, "cupB/2/2": 0, "cupB/3/1": 1, "cupB/3/2": 0,
}  # fmt: skip
AT_THE_TABLE = "cupB/1/1"  # no record: a referee is called to it, so it is played through the services (see `disputes`)


@dataclass(frozen=True, slots=True)
class DemoMatch:
    """A match of the demo, one game."""

    event: Event
    round: int
    number: int
    seats: tuple[Person, ...]  # who sits where; home holds 0 and 2
    pool: str = ""

    @property
    def key(self) -> str:
        return key_of(self.event, self.round, self.number, self.pool)

    @property
    def winner(self) -> int | None:
        """Return the side that must win, where it matters."""
        return CUP_WINNERS.get(self.key)


def key_of(event: Event, round_number: int, number: int, pool: str = "") -> str:
    """Return under which name the record of that match is kept. `pool`: the letter of its group, "" without groups."""
    return f"{event.key}{pool}/{round_number}/{number}"


def game_id(key: str) -> str:
    """Return the public id of the game of that name: eight letters of the usual alphabet, out of SHA-256."""
    digest = hashlib.sha256(f"tock-demo-v1|game|{key}".encode()).digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:8])


def meetings(event: Event) -> Iterator[DemoMatch]:
    """Yield every match of an event, group by group, round by round."""
    pairs = event.entries()
    options = registry.options_of(FORMAT, {"legs": event.legs})
    for ordinal, members in enumerate(distribute(range(len(pairs)), event.pools)):
        pool = chr(ord("A") + ordinal) if event.pools > 1 else ""
        for plan in registry.format_of(FORMAT).plan(members, options):
            for number, pairing in enumerate(plan.pairings, start=1):
                home, away = (pairs[index] for index in pairing.sides)
                yield DemoMatch(event, plan.number, number, (home[0], away[0], home[1], away[1]), pool)


def recorded() -> Iterator[DemoMatch]:
    """Yield the matches that have a record: all but those that the demo's own player still has before her, and one."""
    for event in EVENTS:
        for meeting in meetings(event):
            hers = any(person == DEMO_PLAYER for person in meeting.seats)
            ahead = event is THIS_SEASON and meeting.round > PLAYED_ROUNDS and hers
            if not ahead and meeting.key != AT_THE_TABLE:
                yield meeting
