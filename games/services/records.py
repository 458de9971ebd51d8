"""Import records: a finished game that was played elsewhere is judged row by row and stored like one played here.

The rows keep their own times, so the hash chain over them is that of the game's exported record.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from games import store
from games.fold import Row, TimeCap
from games.models import Game, Table
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

from .judge import judge
from .record import BEGINS, index
from .results import certify, decided

FORMAT = "tock-record/1"
_HEAD = {"record": str, "game": str, "rules": str, "seats": int, "teams": int}
_LINE = {"seq": int, "epoch": int, "kind": str, "code": str, "body": dict, "actor": str, "at": int, "command_id": str}


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game from its first row to its last."""

    game: str  # its public id, on which the decks depend
    rules: str
    seats: int
    teams: int
    rows: Sequence[Row]
    chain: str = ""  # the chain's last value in hex, if known; it seals the rows
    full_ranking: bool = False  # a head without it was played until the first team finished
    cap: Mapping[str, Any] | None = None  # the time cap, as TimeCap reads it
    rounds: int = 0  # how many were to be played, 0 where the game's own rule ends it


def read_lines(lines: Iterable[Mapping[str, Any]]) -> GameRecord:
    """Return the record that `selectors.replays.lines` wrote: a head, then one object per row.

    Raises Refused("record_line") with line and key: `lines.<number from 0>.<key>`.
    """
    found = list(lines)
    if not found:
        raise Refused("record_empty", _("The record holds no rows."), field="lines")
    head, *rest = found
    _check_keys(head, _HEAD, 0)
    if head["record"] != FORMAT:
        raise _bad_line(0, "record")
    if not isinstance(head.get("full_ranking", False), bool):
        raise _bad_line(0, "full_ranking")
    if type(head.get("rounds", 0)) is not int:
        raise _bad_line(0, "rounds")
    try:
        TimeCap.from_json(head["cap"]) if "cap" in head else None
    except (TypeError, ValueError):
        raise _bad_line(0, "cap") from None
    for number, line in enumerate(rest, start=1):
        _check_keys(line, _LINE, number)
        if line["kind"] not in ("play", "act"):
            raise _bad_line(number, "kind")
    return GameRecord(
        game=head["game"],
        rules=head["rules"],
        seats=head["seats"],
        teams=head["teams"],
        rows=[Row(**{key: line[key] for key in _LINE}) for line in rest],
        chain=str(rest[-1].get("chain", "")) if rest else "",
        full_ranking=head.get("full_ranking", False),
        rounds=head.get("rounds", 0),
        cap=head.get("cap"),
    )


def _check_keys(line: Mapping[str, Any], keys: Mapping[str, type], number: int) -> None:
    for key, kind in keys.items():
        if not isinstance(line, Mapping) or type(line.get(key)) is not kind:
            raise _bad_line(number, key)


def _bad_line(number: int, key: str) -> Refused:
    return Refused(
        "record_line", _("This line of the record lacks a proper “%s”.") % key, field=f"lines.{number}.{key}"
    )


def import_record(*, record: GameRecord, table: Table) -> Game:
    """Store a finished game as the next one of `table`, which has none running; return it. One transaction.

    The engine replays every row, and `judge` refuses what the live table would not have allowed. Then the game is
    certified and announced like any other. Raises Refused with the wrong field, and stores nothing: `record_known`,
    `record_shape` (another rule set, number of seats, teams or rounds, or kind of ranking), `table_taken`,
    `record_chain`, and judge's codes.
    """
    with writing():
        table = Table.objects.select_for_update().get(pk=table.pk)
        number = _next_number(table)
        _check_fits(record, table)
        game = Game(table=table, number=number, slug=record.game, rules=record.rules)
        state = judge(table=table, setup=store.setup_of(game), rows=record.rows, now=clock.now_ms())
        game.month = store.month_of(record.rows[0].at)
        game.started_at = next(clock.from_ms(row.at) for row in record.rows if row.code in BEGINS)
        game.save()
        store.append(game, record.rows, expected_seq=0)
        if record.chain and record.chain != game.chain:
            raise Refused("record_chain", _("The record's chain does not seal these rows."), field="chain")
        game.finished_at = clock.from_ms(next(row.at for row in reversed(record.rows) if row.code == "open"))
        index(game, state)
        game.save()
        store.remember(game, state)
        if table.state == Table.State.OPEN:
            table.state = Table.State.PLAYING
            table.save(update_fields=["state", "updated_at"])
        certify(game, state, record.rows)
        return game


def _next_number(table: Table) -> int:
    """Return the number of the table's next game. Raises Refused when a game runs there or the table is decided."""
    states = list(table.games.values_list("state", flat=True))
    if any(state != Game.State.OVER for state in states) or (states and decided(table)):
        raise Refused("table_taken", _("This table has no place for another game."), field="table")
    return len(states) + 1


def _check_fits(record: GameRecord, table: Table) -> None:
    for name in ("rules", "seats", "teams", "full_ranking", "rounds", "cap"):
        if getattr(record, name) != getattr(table, name):
            raise Refused("record_shape", _("The record is of another kind of game than this table's."), field=name)
    fits = record.game.isascii() and record.game.isalnum() and len(record.game) <= 20
    if not fits or Game.objects.filter(slug=record.game).exists():
        raise Refused("record_known", _("A game of this public id is here already, or the id is none."), field="game")
