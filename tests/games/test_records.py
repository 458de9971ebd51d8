"""Imported records: what a live table wrote is accepted unchanged, and nothing that it would not have written."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from games import store
from games.announcements import GameFinished
from games.engine import shuffle
from games.fold import Row, Setup, TableState, acts
from games.models import Game, GameEvent, Table
from games.selectors import replays
from games.services import clocks, tables
from games.services.deals import Deals
from games.services.judge import judge
from games.services.judge.opened import opened as opened_deals
from games.services.records import GameRecord, import_record, read_lines
from games.services.tables import ClockSettings, SeatPlan
from tests.games.conftest import Sat
from tock_league.accounts.models import Player
from tock_league.common import bus, clock
from tock_league.common.errors import Refused


@pytest.fixture
def finished(monkeypatch: pytest.MonkeyPatch) -> list[GameFinished]:
    """The announcements of finished games."""
    heard: list[GameFinished] = []
    publish = bus.publish

    def listen(announcement: object) -> None:
        if isinstance(announcement, GameFinished):
            heard.append(announcement)
        publish(announcement)

    monkeypatch.setattr(bus, "publish", listen)
    return heard


@pytest.fixture
def reserved(players: list[Player]) -> Callable[..., Table]:
    """Return a function that creates tables that wait for records."""

    def build(**more: Any) -> Table:
        plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(players)]
        wanted: dict[str, Any] = {"rules": "shawinigan/1", "name": "Draveurs - Pieux", "seat_plan": plan}
        return tables.reserve_match_table(**(wanted | more))

    return build


_played: list[dict[str, Any]] = []  # one game for all tests: playing takes longer than validating


@pytest.fixture
def exported(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """The lines of a game that four people played to its end at a live table; the game itself is deleted."""
    if not _played:
        sat: Sat = request.getfixturevalue("sat_table")
        with pytest.MonkeyPatch.context() as patch:
            # These transactions are never committed, so without this every play would fold the table again.
            patch.setattr(store, "remember", lambda game, state: store.folded.put(game.slug, state))
            sat.all_ready()
            sat.play_on()
            assert not sat.send(1, "phrase", code="good_game").code
            _played.extend(replays.lines(sat.game))
        sat.table.delete()
        store.folded.clear()
    return [json.loads(json.dumps(line)) for line in _played]


@pytest.fixture
def record(exported: list[dict[str, Any]]) -> GameRecord:
    return read_lines(exported)


class TestWhatALiveTableWrote:
    def test_is_imported_unchanged(
        self, exported: list[dict[str, Any]], reserved: Callable[..., Table], finished: list[GameFinished]
    ) -> None:
        table = reserved()
        game = import_record(record=read_lines(exported), table=table)
        again = replays.lines(game)
        assert again[1:] == exported[1:]  # rows, times and chain
        assert replays.faults(game) == []
        assert (game.state, game.number, game.rated) == (Game.State.OVER, 1, True)
        assert (game.ranks, game.reason) == (exported[0]["ranks"], "played")
        table.refresh_from_db()
        assert table.state == Table.State.FINISHED
        (told,) = finished
        assert (told.game_id, told.ranks, told.rated) == (game.pk, tuple(game.ranks or ()), True)

    def test_ended_with_the_last_play_and_not_with_a_later_phrase(
        self, record: GameRecord, reserved: Callable[..., Table], finished: list[GameFinished]
    ) -> None:
        game = import_record(record=record, table=reserved())
        (opened,) = (row for row in record.rows if row.code == "open")
        assert record.rows[-1].code == "phrase"
        assert game.finished_at == clock.from_ms(opened.at) == finished[0].finished_at

    def test_folds_to_the_stored_result(self, record: GameRecord, reserved: Callable[..., Table]) -> None:
        game = import_record(record=record, table=reserved())
        state = store.current(game)
        assert state.result is not None
        assert list(state.result.ranks) == game.ranks
        assert state.seq == game.last_seq == GameEvent.objects.filter(game=game).count()

    def test_a_decided_table_takes_no_more_records(self, record: GameRecord, reserved: Callable[..., Table]) -> None:
        table = reserved()
        import_record(record=record, table=table)
        assert_refused("table_taken", "table", lambda: import_record(record=record, table=table))

    def test_a_game_is_imported_only_once(self, record: GameRecord, reserved: Callable[..., Table]) -> None:
        import_record(record=record, table=reserved())
        second = reserved()
        assert_refused("record_known", "game", lambda: import_record(record=record, table=second))
        assert second.games.count() == 0

    def test_best_of_three_takes_one_record_after_another(
        self, record: GameRecord, reserved: Callable[..., Table]
    ) -> None:
        table = reserved(best_of=3)
        import_record(record=record, table=table)
        table.refresh_from_db()
        assert table.state == Table.State.PLAYING
        assert table.games.count() == 1  # no game opens automatically between records


class TestClocksAndTouches:
    """Validation of time-outs, default plays, touches, resignations and forfeits."""

    def judged(self, sat: Sat, rows: list[Row] | None = None) -> TableState:
        game = sat.game if sat.game.state == Game.State.OVER else sat.table.games.get(number=1)
        return judge(table=game.table, setup=store.setup_of(game), rows=rows or store.load(game.pk), now=clock.now_ms())

    def forfeited(self, sat: Sat, hand: clock.Frozen) -> list[Row]:
        """Let all players' time run out until a team forfeits; return the rows."""
        sat.all_ready()
        for _ in range(40):
            if sat.game.state == Game.State.OVER:
                break
            hand.advance(seconds=400)
            assert clocks.claim_due() == 1
        return store.load(sat.game.pk)

    def test_time_outs_default_plays_and_a_forfeit_are_accepted(
        self, timed_table: Sat, frozen_clock: clock.Frozen
    ) -> None:
        rows = self.forfeited(timed_table, frozen_clock)
        assert {row.code for row in rows} >= {"timeout", "forfeit", "give_sealed"}
        state = self.judged(timed_table)
        assert state.result is not None
        assert state.result.reason == "forfeit_timeouts"

    def test_a_forged_default_play_is_refused(self, timed_table: Sat, frozen_clock: clock.Frozen) -> None:
        rows = self.forfeited(timed_table, frozen_clock)
        at = next(i for i, row in enumerate(rows) if row.code == "give_sealed")
        hand = timed_table.table.games.get(number=1)
        state = store.state_at(hand, rows[at].seq - 1)
        seat = rows[at].body["seat"]
        other = next(
            card for card in state.setup.engine.view(state.position, seat)["hand"] if card != rows[at].body["card"]
        )
        rows[at] = replace(rows[at], body={"seat": seat, "card": other})
        assert_refused("record_play", f"rows.{rows[at].seq}.play", lambda: self.judged(timed_table, rows))

    def test_an_early_time_out_is_refused(self, timed_table: Sat, frozen_clock: clock.Frozen) -> None:
        rows = self.forfeited(timed_table, frozen_clock)
        at = next(i for i, row in enumerate(rows) if row.code == "timeout")
        rows[at] = replace(rows[at], at=rows[at - 1].at)
        assert_refused("record_act", f"rows.{rows[at].seq}.at", lambda: self.judged(timed_table, rows))

    def test_a_forfeit_of_a_team_with_default_plays_left_is_refused(
        self, timed_table: Sat, frozen_clock: clock.Frozen
    ) -> None:
        rows = self.forfeited(timed_table, frozen_clock)
        rows[-2] = replace(rows[-2], body={**rows[-2].body, "teams": [0, 1]})
        assert rows[-2].code == "forfeit"
        assert_refused("record_act", f"rows.{rows[-2].seq}.teams", lambda: self.judged(timed_table, rows))

    def test_a_forged_touch_and_forged_ranks_of_a_resignation_are_refused(self, sat_table: Sat) -> None:
        sat_table.all_ready()
        sat_table.exchange()
        for _ in range(400):
            state = sat_table.state
            (seat,) = state.to_act
            line = sat_table.choose(seat)
            if not line.startswith("burn "):
                sat_table.send(seat, "touch", card=line.split(" ", 1)[0])
                break
            sat_table.send(seat, "play", play=line)
        assert not sat_table.send(seat, "play", play=sat_table.choose(seat)).code
        assert not sat_table.send(2, "resign").code
        rows = store.load(sat_table.game.pk)
        assert {"touch", "resign"} <= {row.code for row in rows}
        assert self.judged(sat_table).result == sat_table.state.result

        swapped = list(rows)
        at = next(i for i, row in enumerate(rows) if row.code == "touch")
        swapped[at] = replace(rows[at], body={"seat": seat, "card": "2X"})
        assert_refused("record_act", f"rows.{rows[at].seq}.card", lambda: self.judged(sat_table, swapped))

        lied = list(rows)
        lied[-2] = replace(rows[-2], body={**rows[-2].body, "ranks": [0, 0]})
        assert_refused("record_act", f"rows.{rows[-2].seq}.ranks", lambda: self.judged(sat_table, lied))

    def test_a_touch_before_a_burn_is_refused(self, sat_table: Sat) -> None:
        sat_table.all_ready()
        sat_table.exchange()
        while not (line := sat_table.choose(seat := min(sat_table.state.to_act))).startswith("burn "):
            sat_table.send(seat, "play", play=line)
        sat_table.send(seat, "play", play=line)
        assert not sat_table.send(2, "resign").code
        rows = store.load(sat_table.game.pk)
        at = next(i for i, row in enumerate(rows) if row.body.get("play") == line)
        for card in ("burn", line.split(" ")[1]):
            touch = replace(rows[at], kind="act", code="touch", body={"seat": seat, "card": card}, command_id="")
            later = [replace(row, seq=row.seq + 1) for row in rows[at:]]
            touched = [*rows[:at], touch, *later]
            assert_refused("record_act", f"rows.{touch.seq}.card", partial(self.judged, sat_table, touched))

    def test_a_forfeit_at_a_table_with_bots_is_refused(
        self, open_table: Callable[..., Sat], frozen_clock: clock.Frozen
    ) -> None:
        sat = open_table(clocks=ClockSettings())
        rows = self.forfeited(sat, frozen_clock)
        game = sat.table.games.get(number=1)
        game.table.bots_allowed = True
        with pytest.raises(Refused) as refused:
            judge(table=game.table, setup=store.setup_of(game), rows=rows, now=clock.now_ms())
        assert refused.value.code == "record_act"


def assert_refused(code: str, field: str, attempt: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as refused:
        attempt()
    assert (refused.value.code, refused.value.field) == (code, field)
    assert str(refused.value.sentence)
    return refused.value


def index_of(record: GameRecord, code: str, *, chance: bool | None = None, word: str = "") -> int:
    """Return the index of the first row with that code."""
    return next(
        i
        for i, row in enumerate(record.rows)
        if row.code == code
        and (chance is None or bool(row.body.get("chance")) == chance)
        and str(row.body.get("play", "")).startswith(word)
    )


def with_row(record: GameRecord, place: int, change: dict[str, Any]) -> GameRecord:
    rows = list(record.rows)
    rows[place] = replace(rows[place], **change)
    return replace(record, rows=rows, chain="")


def body(record: GameRecord, at: int, **more: Any) -> dict[str, Any]:
    return {**record.rows[at].body, **more}


def swap_cards(line: str) -> str:
    word, first, second, *rest = line.split(" ")
    return " ".join([word, second, first, *rest])


def other_seed(record: GameRecord, at: int) -> dict[str, Any]:
    deals = [dict(deal) for deal in record.rows[at].body["deals"]]
    deals[1]["seed"] = "00" * 32
    return {"deals": deals}


class TestWhatIsRefused:
    """Each refusal names the row and its part, and nothing of the game is stored."""

    @pytest.fixture
    def attempt(self, reserved: Callable[..., Table]) -> Callable[[GameRecord], Refused]:
        table = reserved()

        def tried(record: GameRecord) -> Refused:
            with pytest.raises(Refused) as refused:
                import_record(record=record, table=table)
            assert not Game.objects.filter(table=table).exists()
            assert not GameEvent.objects.exists()
            return refused.value

        return tried

    def test_rows_that_were_changed(self, record: GameRecord, attempt: Callable[[GameRecord], Refused]) -> None:
        """One row is changed at a time, in every way that a forger might try."""
        first_play = index_of(record, "play", chance=False, word="")
        late = next(
            i for i, row in enumerate(record.rows)
            if row.code == "play" and row.actor != "system" and row.body["play"].split()[0] != "burn"
        )  # fmt: skip
        deck, draw, ready = index_of(record, "play", word="deck"), index_of(record, "draw"), index_of(record, "ready")
        opened, commit, sealed = index_of(record, "open"), index_of(record, "commit"), index_of(record, "give_sealed")
        rows = record.rows
        last_deck = max(i for i, row in enumerate(rows) if str(row.body.get("play", "")).startswith("deck"))
        # row changed, the change, code, wrong part, and the refused row if it is another one
        cases: list[Any] = [
            (late, {"body": body(record, late, play="9C t1-t10")}, "record_play", "play"),
            (late, {"body": body(record, late, play="quatre-vingts")}, "record_play", "play"),
            (late, {"body": body(record, late, play=rows[deck].body["play"])}, "record_play", "play"),
            (late, {"body": body(record, late, play=7)}, "record_play", "play"),
            (late, {"actor": "seat:9"}, "record_actor", "actor"),
            (late, {"at": rows[late - 1].at - 1}, "record_time", "at"),
            (late, {"at": clock.now_ms() + 60_000}, "record_time", "at"),
            (late, {"seq": rows[late].seq + 1}, "record_row", "seq"),
            (late, {"epoch": 1}, "record_row", "seq"),
            (late, {"command_id": rows[ready].command_id}, "record_row", "command_id"),
            (late, {"code": "redeal", "kind": "act"}, "record_act", "code"),
            (late, {"code": "rewind", "kind": "act"}, "record_row", "seq"),
            (late, {"code": "rewind", "kind": "act", "epoch": 1}, "record_actor", "actor"),
            (late, {"code": "rewind", "kind": "act", "epoch": 1, "actor": "referee"}, "record_act", "to"),
            (late, {"code": "resume", "kind": "act"}, "record_act", "code"),
            (late, {"code": "penalty", "kind": "act", "body": {"seat": 1}}, "record_actor", "actor"),
            (late, {"code": "play", "kind": "act"}, "record_act", "code"),
            (deck, {"body": body(record, deck, play=swap_cards(rows[deck].body["play"]))}, "record_deal", "play"),
            (deck, {"actor": "seat:0"}, "record_actor", "actor"),
            (draw, {"body": body(record, draw, dealer=(rows[draw].body["dealer"] + 1) % 4)}, "record_deal", "cards"),
            (ready, {"body": {"seat": 4}}, "record_row", "seat"),
            (ready, {"body": {"seat": True}}, "record_row", "seat"),
            (commit, {"body": body(record, commit, root="00" * 32)}, "record_commitment", "deals.0", opened),
            (commit, {"body": body(record, commit, beacon="late")}, "record_commitment", "body"),
            (opened, {"body": other_seed(record, opened)}, "record_commitment", "deals.1"),
            (opened, {"body": {"deals": rows[opened].body["deals"][:-1]}}, "record_deal", "play", last_deck),
            (opened, {"body": {"deals": "all"}}, "record_commitment", "deals.0"),
            (sealed, {"body": body(record, sealed, card="2X")}, "record_play", "card"),
            (first_play, {"body": body(record, first_play, seat=3)}, "record_play", "play"),
        ]
        assert rows[first_play].body["play"].startswith("give ")
        for at, change, code, part, *other in cases:
            refused = attempt(with_row(record, at, change))
            row = change.get("seq", rows[other[0] if other else at].seq)
            assert (refused.code, refused.field) == (code, f"rows.{row}.{part}"), change

    def test_a_record_under_another_game_id(self, record: GameRecord, attempt: Callable[[GameRecord], Refused]) -> None:
        """The commitment names the game, and the decks depend on it: a record cannot be used for another game."""
        refused = attempt(replace(record, game="another1", chain=""))
        assert refused.code == "record_commitment"

    def test_a_record_without_its_end(self, record: GameRecord, attempt: Callable[[GameRecord], Refused]) -> None:
        assert attempt(replace(record, rows=record.rows[:-2], chain="")).code == "record_not_ended"
        assert attempt(replace(record, rows=[], chain="")).code == "record_empty"

    def test_seeds_opened_before_the_end(self, record: GameRecord, attempt: Callable[[GameRecord], Refused]) -> None:
        opened = record.rows[index_of(record, "open")]
        early = [*record.rows[:60], replace(opened, seq=61, at=record.rows[59].at)]
        refused = attempt(replace(record, rows=early, chain=""))
        assert (refused.code, refused.field) == ("record_act", "rows.61.code")

    def test_rows_after_the_end(self, record: GameRecord, attempt: Callable[[GameRecord], Refused]) -> None:
        last = record.rows[-1]
        more = replace(record.rows[index_of(record, "ready")], seq=last.seq + 1, at=last.at, command_id="")
        refused = attempt(replace(record, rows=[*record.rows, more], chain=""))
        assert refused.code == "record_act"

    def test_a_chain_that_seals_other_rows(self, record: GameRecord, attempt: Callable[[GameRecord], Refused]) -> None:
        rows = [replace(row, at=row.at + 1) for row in record.rows]
        refused = attempt(replace(record, rows=rows))
        assert (refused.code, refused.field) == ("record_chain", "chain")

    @pytest.mark.parametrize(("name", "value"), [("rules", "toc/1"), ("seats", 6), ("teams", 4)])
    def test_another_kind_of_game(
        self, record: GameRecord, attempt: Callable[[GameRecord], Refused], name: str, value: Any
    ) -> None:
        refused = attempt(replace(record, **{name: value}))
        assert (refused.code, refused.field) == ("record_shape", name)

    @pytest.mark.parametrize("name", ["", "a/b", "x" * 21, "é"])
    def test_an_invalid_game_id(self, record: GameRecord, attempt: Callable[[GameRecord], Refused], name: str) -> None:
        refused = attempt(replace(record, game=name))
        assert (refused.code, refused.field) == ("record_known", "game")


class TestLines:
    """The exported file is read, and the place of each fault is named."""

    def test_an_empty_file(self) -> None:
        assert_refused("record_empty", "lines", lambda: read_lines([]))

    @pytest.mark.parametrize(
        ("number", "key", "value"),
        [
            (0, "record", "tock-record/9"),
            (0, "seats", "4"),
            (3, "seq", True),
            (3, "at", 1.5),
            (3, "body", None),
            (3, "kind", "chat"),
            (5, "actor", 0),
        ],
    )
    def test_a_value_of_the_wrong_kind(self, exported: list[dict[str, Any]], number: int, key: str, value: Any) -> None:
        exported[number][key] = value
        assert_refused("record_line", f"lines.{number}.{key}", lambda: read_lines(exported))

    def test_a_missing_key(self, exported: list[dict[str, Any]]) -> None:
        del exported[7]["code"]
        assert_refused("record_line", "lines.7.code", lambda: read_lines(exported))

    def test_a_line_that_is_no_object(self, exported: list[dict[str, Any]]) -> None:
        lines: list[Any] = [*exported[:4], "row", *exported[5:]]
        assert_refused("record_line", "lines.4.seq", lambda: read_lines(lines))


def test_deal_64_is_proved_under_the_root_of_a_second_commitment() -> None:
    """Nobody plays that long, but such a record must be judged by the roots that it had."""
    setup = Setup(game="g", rules="shawinigan/1", seats=4, teams=2)
    seeds, salts = bytes(i // 32 for i in range(64 * 32)), bytes(64 * 16)
    later = [
        (shuffle.later_secret(seeds[32 * d :][:32], d + 64, 32), shuffle.later_secret(bytes(16), d + 64, 16))
        for d in range(64)
    ]
    deals = Deals(
        game="g",
        rules=setup.rules,
        seats=4,
        seeds=seeds + b"".join(seed for seed, _salt in later),
        salts=salts + b"".join(salt for _seed, salt in later),
    )

    def row(seq: int, code: str, body: dict[str, Any]) -> Row:
        return Row(seq=seq, kind="act", code=code, body=body, actor="system", at=0)

    rows = [
        row(1, "commit", acts.body(deals.commit(0))),
        row(2, "commit", acts.body(deals.commit(64))),
        row(3, "open", acts.body(deals.opened(range(65)))),
    ]
    assert opened_deals(setup, rows).deck_line(64) == deals.deck_line(64)
    rows[1] = row(2, "commit", {**acts.body(deals.commit(64)), "root": deals.commit(0).root})
    assert_refused("record_commitment", "rows.3.deals.64", lambda: opened_deals(setup, rows))
    chosen = Deals(game="g", rules=setup.rules, seats=4, seeds=seeds + bytes(range(32)) * 64, salts=salts * 2)
    rows[1] = row(2, "commit", acts.body(chosen.commit(64)))
    rows[2] = row(3, "open", acts.body(chosen.opened(range(65))))
    assert_refused("record_commitment", "rows.3.deals.64", lambda: opened_deals(setup, rows))


def test_a_row_with_a_future_time_is_refused(record: GameRecord, reserved: Callable[..., Table]) -> None:
    table = reserved()
    with clock.frozen(clock.from_ms(record.rows[-1].at - 1)):
        field = f"rows.{record.rows[-1].seq}.at"
        refused = assert_refused("record_time", field, lambda: import_record(record=record, table=table))
    assert refused.status == 422
