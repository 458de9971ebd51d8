"""How the demo's records were played: whole games by the built-in bots through the engine, for developers to make again.

`python3 manage.py make_demo_records` writes the file that is committed. Everything follows from the game's public id:
the deals (packing.deals_of) and the bots' choices (a stream of numbers keyed by the id), so the same bots play the same
games. A changed bot or rule set gives other records, and these are committed with it.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count, islice

from games import bots
from games.engine import shuffle
from games.fold import Row, Setup, TableState, Viewer, apply_row, by_seat, opening, view
from games.fold.phases import GIVE

from .packing import DECK, SEATS, TEAMS, TENTH, Packed, deals_of, unpack
from .programme import RULES, DemoMatch, recorded

Roll = Callable[[int], int]
LONGEST = 25  # minutes: rounds of a club night lie half an hour apart
TAKES = 5  # the shortest of so many is kept: the loading time of the demo is its rows


def make() -> Iterator[Packed]:
    """Yield every recorded game of the programme."""
    for meeting in recorded():
        yield perform(meeting)


def perform(meeting: DemoMatch) -> Packed:
    """Return the game of a meeting, played by bots that are as careful as its people: the shortest of TAKES, of those that
    its wanted winner wins where the demo's story needs one."""
    takes = (_take(meeting, number) for number in count())
    fitting = (packed for packed, winner in takes if meeting.winner in (None, winner))
    return _in_time(min(islice(fitting, TAKES), key=lambda packed: len(packed.plays)))


def _take(meeting: DemoMatch, number: int) -> tuple[Packed, int]:
    """Return one way the game goes, and the position of the side that wins it."""
    packed = Packed(meeting.key, (0,) * SEATS, ())
    key = hashlib.sha256(f"tock-demo-v1|choices|{packed.game}|{number}".encode("ascii")).digest()
    roll = shuffle.stream(key, b"roll")
    packed = replace(packed, ready=tuple(roll(3000) - 2700 for _seat in range(SEATS)))
    plays, winner = _play(meeting, packed, roll)
    return replace(packed, plays=tuple(plays)), winner


def _play(meeting: DemoMatch, packed: Packed, roll: Roll) -> tuple[list[tuple[int, int, str]], int]:
    """Return what is decided until the game is over, and the winner."""
    state, deals = _after_draw(packed), deals_of(packed.game)
    plays: list[tuple[int, int, str]] = []
    while state.result is None:
        if state.chance:
            line = deals.deck_line(state.decks + 1)
            state = _follow(state, {"play": line, "chance": True})
            plays.append((0, -1, DECK))
            continue
        seats = sorted(state.to_act)
        seat = seats[roll(len(seats))]
        seen = view(state, Viewer(seat))
        level = "club" if roll(100) < meeting.seats[seat].care else "novice"
        line = bots.choose(seen, seen["legal"], level=level, roll=roll, seat=seat)
        plays.append((_wait(roll, len(seen["legal"])), seat, line))
        if state.phase == GIVE:
            state = _lay(state, seat, line.removeprefix("give "))
            continue
        state = _follow(state, {"seat": seat, "play": line})
    return plays, state.result.ranks.index(0)


def _after_draw(packed: Packed) -> TableState:
    """Return the table when the first dealer is known: the rows that every game begins with."""
    state = opening(Setup(game=packed.game, rules=RULES, seats=SEATS, teams=TEAMS))
    for row in unpack(packed, 0).rows:
        if row.code != "open":
            state = apply_row(state, row)
    return state


def _follow(state: TableState, body: dict[str, object]) -> TableState:
    return apply_row(state, Row(seq=state.seq + 1, kind="play", code="play", body=body, actor="", at=0))


def _lay(state: TableState, seat: int, card: str) -> TableState:
    """Lay a card aside; with the last one all are handed over."""
    body = {"seat": seat, "card": card}
    row = Row(seq=state.seq + 1, kind="act", code="give_sealed", body=body, actor=by_seat(seat), at=0)
    state = apply_row(state, row)
    if not state.to_act:
        for giver, given in sorted(state.sealed.items()):
            state = _follow(state, {"seat": giver, "play": f"give {given}"})
    return state


def _wait(roll: Roll, choices: int) -> int:
    """Return how long somebody thinks, in tenths of a second: longer with more to choose from, now and then much longer."""
    wait = 12 + roll(30) + min(choices, 12) * 2
    return wait + roll(120) if roll(12) == 0 else wait


def _in_time(packed: Packed) -> Packed:
    """Return the game at a quicker pace if it took more than LONGEST minutes; people hurry when the others wait."""
    spent = sum(wait for wait, _seat, _line in packed.plays)
    most = LONGEST * 60_000 // TENTH
    if spent <= most:
        return packed
    return replace(packed, plays=tuple((wait * most // spent, seat, line) for wait, seat, line in packed.plays))
