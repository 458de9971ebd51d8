"""Whole games at every table of Tock, played fast: one transaction per game, one random draw per play.

A game's rows are written by the same code as for people (`Draft`, `follow`, the deals, `conclude`), without
`play.submit`.
"""

import itertools
import random
from collections.abc import Sequence

import pytest

from games import store
from games.fold import TableState, acts, by_seat
from games.fold.phases import GIVE
from games.models import Game, Table
from games.selectors import rule_sets
from games.services import deals, tables
from games.services.record import Draft, follow
from games.services.results import conclude
from games.services.tables import SeatPlan
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player
from tock_league.common.transactions import writing

Shape = tuple[str, int, int, bool]  # rule set, seats, teams, full ranking
SHAPES: list[Shape] = [
    (one.id, seats, teams, full)
    for one in rule_sets.offered()
    if one.game == "tock"
    for seats, many in one.shapes.items()
    for teams in many
    for full in ((False, True) if teams == seats else (False,))
]
PLAYS = 20_000


def fix_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every run deal the same cards: seeds, salts and public ids of games are derived from a seed of the test."""
    roll, count = random.Random(2026), itertools.count()
    monkeypatch.setattr(deals.secrets, "token_bytes", roll.randbytes)
    monkeypatch.setattr(tables, "new_slug", lambda: f"fixed{next(count)}")
    # Folded states are cached by public id; those of an earlier test with the same ids must go.
    store.folded.clear()


def shape_id(shape: Shape) -> str:
    rules, seats, teams, full = shape
    return f"{rules}-{seats}-{teams}{'-full' if full else ''}"


def people(count: int) -> list[Player]:
    with writing():
        return [create_player(display_name=f"Joueur {number}") for number in range(count)]


def reserve(shape: Shape, players: Sequence[Player], **more: object) -> Table:
    """Return a match table of that shape without a game."""
    rules, seats, teams, full = shape
    plan = [SeatPlan(seat, player_id=players[seat].pk) for seat in range(seats)]
    return tables.reserve_match_table(rules=rules, name="Table", seat_plan=plan, teams=teams, full_ranking=full, **more)  # type: ignore[arg-type]


def open_game(shape: Shape, players: Sequence[Player], **more: object) -> Game:
    """Return the first game at such a table; nobody is ready yet."""
    with writing():
        table = reserve(shape, players, **more)
        return tables.new_game(table)


def act(draft: Draft, roll: random.Random) -> None:
    """Let the first seat that is to act get ready, or give a card or play as `choose` says."""
    state = draft.state
    seat = min(state.to_act)
    if state.position is None:
        draft.act(acts.Ready(seat=seat), by_seat(seat))
        return
    line = choose(state, seat, roll)
    if state.phase == GIVE:
        draft.act(acts.GiveSealed(seat=seat, card=line.removeprefix("give ")), by_seat(seat))
    else:
        draft.play(line, seat, by_seat(seat))


def choose(state: TableState, seat: int, roll: random.Random) -> str:
    """Return a random line that keeps games short: into heaven, else out of the reserve, else any line."""
    lines = state.legal(seat)
    home = [line for line in lines if "-h" in line]
    out = [line for line in lines if line.endswith(" out")]
    return roll.choice(home or out or lines)


def play_whole(game: Game, *, seed: int = 1, stop: int = PLAYS) -> TableState:
    """Play the game to its end, or for `stop` acts, and write it in one transaction; return the table's state."""
    roll = random.Random(seed)
    with writing():
        draft = Draft.of(game, store.current(game))
        for _ in range(stop):
            if draft.state.result is not None:
                break
            act(draft, roll)
            follow(draft)
        conclude(draft)
        return draft.state
