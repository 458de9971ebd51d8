"""The record of a game as one viewer may have it: for replays, export and verification."""

from typing import Any

from games import store
from games.fold import EVERYTHING, SPECTATOR, Row, TableState, Viewer, first_link, fold, link, record_line
from games.fold.release import bound
from games.models import Game
from games.permissions import Person, seat_of
from tock_league.common.errors import NotAllowed

from .tables import referee_viewer


def viewer_for(game: Game, point: str, person: Person) -> Viewer:
    """Return the viewer for a `point` of view: "spectator", "referee", "seat:N" or "all".

    While the game runs, only its holder may have a seat's view, and nobody may have "all"; afterwards everybody may
    have both. "referee" is only for the table's referees. Raises NotAllowed, and ValueError for another word or an
    unknown seat.
    """
    if point == "spectator":
        return SPECTATOR
    over = game.state == Game.State.OVER
    if point == "referee":
        found = referee_viewer(game.table_id, person)
        if found is None:
            raise NotAllowed
        return found
    if point == "all":
        if not over:
            raise NotAllowed
        return EVERYTHING
    word, _, number = point.partition(":")
    if word != "seat" or not number.isascii() or not number.isdecimal() or int(number) >= game.table.seats:
        raise ValueError(point)
    seat = int(number)
    if not over and seat_of(game.table_id, person) != seat:
        raise NotAllowed
    return Viewer(seat=seat, afterwards=over)


def opening_state(game: Game) -> TableState:
    """Return the table before the game's first row."""
    return store.opening_of(game)


def rows(game: Game, *, upto: int | None = None) -> list[Row]:
    """Return the game's rows. One query."""
    return store.rows_of(game, upto=upto)


def lines(game: Game) -> list[dict[str, Any]]:
    """Return the exported record of a finished game: a head, then one line per row with its chain value.

    Raises NotAllowed while the game runs: its rows are secret.
    """
    if game.state != Game.State.OVER:
        raise NotAllowed
    head = store.head_of(game)
    chain, found = first_link(game.slug), [head]
    for row in store.rows_of(game):
        chain = link(chain, row)
        found.append(record_line(row) | {"chain": chain})
    return found


def faults(game: Game) -> list[str]:
    """Replay the game from its rows and return, as sentences, what differs from the stored chain and index."""
    found: list[str] = []
    rows_, chain = store.rows_of(game), first_link(game.slug)
    for row, stored in zip(rows_, store.chain_values(game), strict=True):
        chain = link(chain, row)
        if chain != stored:
            found.append(f"chain differs at row {row.seq}")
            break
    state = fold(store.setup_of(game), rows_)
    ranks = list(state.result.ranks) if state.result else None
    expected = {
        "last_seq": state.seq,
        "epoch": state.epoch,
        "phase": "over" if state.result else state.phase,
        "decision": state.decision_id,
        "released_seq": bound(state, game.table.release),
        "frozen": state.frozen is not None,
        "ranks": ranks,
        "reason": state.result.reason if state.result else "",
    }
    found += [
        f"{name} is {getattr(game, name)!r}, should be {value!r}"
        for name, value in expected.items()
        if getattr(game, name) != value
    ]
    return found
