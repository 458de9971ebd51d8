"""The record of a game with a beacon, and its verification."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from games import store
from games import verifier as deal_verifier
from games.fold import Row
from games.models import Table
from games.selectors import replays
from games.services import tables
from games.services.records import GameRecord, import_record, read_lines
from games.services.tables import SeatPlan
from tests.games.conftest import Sat
from tests.games.drand import Drand, Source
from tests.games.outages.conftest import Server, heart, rows, server  # noqa: F401 (fixtures)
from tock_league.common import clock
from tock_league.common.errors import Refused

from .waiting import ask, begun, until_published


@pytest.fixture
def lines(source: Source, sat: Sat, frozen_clock: clock.Frozen) -> list[dict[str, Any]]:
    """The record of a game with a beacon; the game itself is deleted."""
    begun(sat, 0, 2)
    until_published(sat, frozen_clock)
    ask(frozen_clock)
    sat.exchange()
    assert not sat.send(0, "resign").code
    found = replays.lines(sat.game)
    assert not replays.faults(sat.game)
    sat.table.delete()
    store.folded.clear()
    return [dict(line) for line in json.loads(json.dumps(found))]


class TestItsRecord:
    def test_is_accepted_by_the_program_which_prints_what_to_compare(
        self, source: Source, lines: list[dict[str, Any]]
    ) -> None:
        check = deal_verifier.verify(map(json.dumps, lines))
        fixed = next(line["body"]["round"] for line in lines if line.get("code") == "beacon")
        said = deal_verifier.told(check)
        for part in (str(fixed), source.chain.chain, source.chain.key, source.sign(fixed)):
            assert part in said
        assert "public before" not in said

    def test_is_imported(self, lines: list[dict[str, Any]], take: Callable[[GameRecord], Any]) -> None:
        game = take(read_lines(lines))
        assert not replays.faults(game)

    def test_is_not_imported_when_it_is_changed(
        self, source: Source, lines: list[dict[str, Any]], take: Callable[[GameRecord], Any]
    ) -> None:
        record = read_lines(lines)
        for code, part, change in self.CHANGES:
            at = next(i for i, row in enumerate(record.rows) if row.code == code)
            changed = change(record.rows[at], source)
            rows_ = [*record.rows[:at], *([changed] if changed else []), *record.rows[at + 1 :]]
            rows_ = [replace(row, seq=seq) for seq, row in enumerate(rows_, start=1)]
            with pytest.raises(Refused) as refusal:
                take(replace(record, rows=rows_))
            assert part in (refusal.value.field or ""), (code, refusal.value.field)

    CHANGES: tuple[tuple[str, str, Callable[[Row, Source], Row | None]], ...] = (
        ("commit", "beacon", lambda row, s: _with(row, beacon={**row.body["beacon"], "period": 0})),
        ("commit", "beacon", lambda row, s: _with(row, beacon={**row.body["beacon"], "more": 1})),
        ("commit", "body", lambda row, s: _with(row, beacon="late")),
        ("commit", "signature", lambda row, s: _with(row, beacon=Drand(7).chain.to_json())),
        ("commit", "round", lambda row, s: _with(row, beacon={**row.body["beacon"], "genesis": 1_779_999_997})),
        ("sharing", "round", lambda row, s: _with(row, round=row.body["round"] + 1)),
        ("sharing", "round", lambda row, s: replace(row, body={"until": row.body["until"]})),
        ("beacon", "signature", lambda row, s: _with(row, round=row.body["round"] - 1, signature=s.sign(1))),
        ("beacon", "signature", lambda row, s: replace(row, body=Drand(7).body(row.body["round"]))),
        ("beacon", "randomness", lambda row, s: _with(row, randomness="0" * 64)),
        ("beacon", "signature", lambda row, s: replace(row, body={"round": row.body["round"], "absent": True})),
        ("beacon", "actor", lambda row, s: replace(row, actor="clock")),
        ("beacon", "code", lambda row, s: None),
        ("beacon", "code", lambda row, s: replace(row, at=row.at - 1_000)),
    )  # fmt: skip

    @pytest.fixture
    def take(self, lines: Any, players: list[Any]) -> Callable[[GameRecord], Any]:
        def take(record: GameRecord) -> Any:
            plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(players)]
            table: Table = tables.reserve_match_table(rules="shawinigan/1", name="Here", seat_plan=plan)
            return import_record(record=record, table=table)

        return take


def _with(row: Row, **more: Any) -> Row:
    return replace(row, body={**row.body, **more})
