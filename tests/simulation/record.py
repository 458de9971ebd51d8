"""The stored rows and their fold; the stored columns of a game must equal those of the fold."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from games.fold import (
    ClockSettings,
    Row,
    Setup,
    Step,
    TableState,
    Viewer,
    diff,
    first_link,
    link,
    release,
    view,
    view_hash,
)
from games.fold.patch import Json
from games.fold.table import apply_row, opening
from games.fold.view import detail, effects

if TYPE_CHECKING:
    from .game import Simulation

_GAME = (
    "id, table_id, slug, number, rules, state, epoch, last_seq, released_seq, chain, phase, turn, decision, frozen, due_at,"
    " due_kind, ranks, reason"
)
_ROW = "seq, kind, code, body, actor, at, epoch, command_id, body_hash, chain"
_TABLE = "seats, teams, touch, clocks, best_of, full_ranking, rounds, release"


@dataclass
class Stored:
    """A game as it is stored."""

    columns: dict[str, Any]  # of the row in games_game
    setup: Setup
    release: str  # the table's setting: when spectators see rows
    rows: list[Row]
    chain: list[str]  # the stored hash of each row
    states: list[TableState]  # states[n]: the fold after n rows
    broken: bool = False  # whether the rows cannot be folded
    _seen: dict[Viewer, "Seen"] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        return str(self.columns["slug"])

    @property
    def table_id(self) -> int:
        return int(self.columns["table_id"])

    @property
    def number(self) -> int:
        return int(self.columns["number"])

    @property
    def last(self) -> TableState:
        return self.states[-1]

    def seen(self, viewer: Viewer) -> "Seen":
        """Return the views and events of this game for the viewer."""
        return self._seen.setdefault(viewer, Seen(self, viewer))


class Seen:
    """Views, hashes and events of one viewer, by the definition in `games.fold`; computed on demand and cached."""

    def __init__(self, game: Stored, viewer: Viewer) -> None:
        self.game, self.viewer = game, viewer
        self._views: dict[int, Json] = {}
        self._hashes: dict[int, str] = {}
        self._events: dict[int, Json] = {}

    def view(self, seq: int) -> Json:
        if seq not in self._views:
            self._views[seq] = view(self.game.states[seq], self.viewer)
        return self._views[seq]

    def hash(self, seq: int) -> str:
        if seq not in self._hashes:
            self._hashes[seq] = view_hash(self.view(seq))
        return self._hashes[seq]

    def event(self, seq: int) -> Json:
        if seq not in self._events:
            states = self.game.states
            step = Step(self.game.rows[seq - 1], states[seq - 1], states[seq])
            event: Json = {
                "seq": seq,
                "k": step.row.code,
                "d": detail(step.row, self.viewer, self.game.setup),
                "set": diff(self.view(seq - 1), self.view(seq)),
            }
            if fx := effects(step):
                event["fx"] = fx
            self._events[seq] = json.loads(json.dumps(event))
        return self._events[seq]


def read(simulation: "Simulation") -> list[Stored]:
    """Return the games of all tables in order; report violations in their rows and columns."""
    return [game for table in simulation.tables for game in _read_table(simulation, table.pk)]


def _read_table(simulation: "Simulation", table_id: int) -> list[Stored]:
    ask = simulation.witness.ask
    columns_of_table = ask(f"SELECT {_TABLE} FROM games_table WHERE id = ?", table_id)[0]
    table = dict(zip(_TABLE.split(", "), columns_of_table, strict=True))
    found: list[Stored] = []
    for line in ask(f"SELECT {_GAME} FROM games_game WHERE table_id = ? ORDER BY number", table_id):
        columns = dict(zip(_GAME.replace(",", "").split(), line, strict=True))
        setup = _setup(table, columns, found)
        raw = ask(f"SELECT {_ROW} FROM games_gameevent WHERE game_id = ? ORDER BY seq", columns["id"])
        game = Stored(columns, setup, str(table["release"]), [_row(row) for row in raw], [row[9] for row in raw], [])
        _fold(simulation, game)
        found.append(game)
        if not game.broken:
            _compare(simulation, game)
    return found


def _setup(table: dict[str, Any], columns: dict[str, Any], before: list[Stored]) -> Setup:
    wins = [0] * int(table["teams"])
    for game in before:
        ranks = game.last.result.ranks if game.last.result else ()
        for team, rank in enumerate(ranks):
            wins[team] += rank == 0 and len(set(ranks)) > 1
    many = int(table["best_of"]) > 1
    return Setup(
        game=columns["slug"],
        rules=columns["rules"],
        seats=table["seats"],
        teams=table["teams"],
        touch=bool(table["touch"]),
        clocks=ClockSettings.from_json(clocks) if (clocks := json.loads(table["clocks"] or "null")) else None,
        number=columns["number"],
        best_of=table["best_of"],
        wins=tuple(wins) if many else (),
        full_ranking=bool(table["full_ranking"]),
        rounds=table["rounds"],
    )


def _row(line: tuple[Any, ...]) -> Row:
    seq, kind, code, body, actor, at, epoch, command, digest, _ = line
    return Row(seq, kind, code, json.loads(body), actor, at, epoch, command or "", digest)


def _fold(simulation: "Simulation", game: Stored) -> None:
    state, chain = opening(game.setup), first_link(game.slug)
    game.states.append(state)
    for row, stored in zip(game.rows, game.chain, strict=True):
        chain = link(chain, row)
        try:
            after = apply_row(state, row)
        except Exception as error:
            simulation.wrong(f"{game.slug}: row {row.seq} cannot follow row {state.seq}: {error!r}")
            game.broken = True
            return
        if chain != stored:
            simulation.wrong(f"{game.slug}: the chain breaks at row {row.seq}")
        if row.at < state.at:
            simulation.wrong(f"{game.slug}: row {row.seq} is earlier than the one before")
        state = after
        game.states.append(state)


def _compare(simulation: "Simulation", game: Stored) -> None:
    """Report each column of the game that differs from its fold."""
    state, columns = game.last, game.columns
    acting = sorted(state.to_act)
    wanted = {
        "last_seq": len(game.rows),
        "chain": game.chain[-1] if game.chain else "",
        "epoch": state.epoch,
        "released_seq": release.bound(state, game.release),
        "phase": "over" if state.result else state.phase,
        "decision": state.decision_id,
        "turn": acting[0] if len(acting) == 1 and state.position is not None else None,
        "frozen": int(state.frozen is not None),
        "state": "over" if state.result else "playing" if state.position is not None else "seating",
        "ranks": list(state.result.ranks) if state.result else None,
        "reason": state.result.reason if state.result else "",
        "due": _due(state),
    }
    if columns["due_kind"] == "no_show" and state.position is None and state.result is None:
        del wanted["due"]  # the deadline for a no-show comes from the table, not from the fold
    found = columns | {"ranks": json.loads(columns["ranks"] or "null"), "due": _ms(columns["due_at"])}
    for name, value in wanted.items():
        # If a deadline is checked too early, it is stored as one millisecond later.
        if found[name] != value and not (name == "due" and value and found[name] == value + 1):
            simulation.wrong(f"{game.slug}: {name} is {found[name]!r}, the fold says {value!r}")


def _due(state: TableState) -> int | None:
    """Return the time (ms) of the table's next deadline, None if there is none."""
    if state.frozen is not None:
        return state.frozen.until
    if state.result is None and state.shares.open:
        return state.shares.until + 1
    if state.result is not None or state.clocks is None or state.position is None:
        return None
    return state.clocks.due or None


def _ms(text: str | None) -> int | None:
    if text is None:
        return None
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)
