"""Tractor at the live table: whole games, every viewer's views, and the tables that open."""

import json
from collections import Counter
from typing import Any

import pytest

from games import store
from games.engine import registry
from games.fold import (
    EVERYTHING,
    SPECTATOR,
    Row,
    TableState,
    Viewer,
    events,
    fold,
    merge,
    opening,
    score,
    view,
)
from games.models import Game, Table
from games.selectors import games as reader
from games.selectors import replays
from games.services import bots, tables
from games.services.tables import SeatPlan
from tock_league.common.errors import Refused

from ..every_table import people
from .four import VIEWERS, all_steps, open_game, play_whole, reserve

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_steps")]


class TestWholeGames:
    @pytest.mark.both_databases
    def test_of_two_rounds(self, played: Game, rows: list[Row]) -> None:
        assert (played.state, played.reason) == (Game.State.OVER, "played")
        assert replays.faults(played) == []
        lines = [str(row.body["play"]).partition(" ")[0] for row in rows if row.kind == "play"]
        counted = Counter(lines)
        assert counted["deck"] >= 2
        assert counted["draw"] == 25 * counted["deck"]
        assert counted["bury"] == 2
        first_show = next(row.seq for row in rows if str(row.body.get("play")).startswith("show"))
        assert any(row.seq > first_show for row in rows if row.body.get("play") == "draw 4")

    def test_the_engine_alone_gets_the_same_result_from_the_lines(self, played: Game, rows: list[Row]) -> None:
        engine, state = registry.game("tractor/1"), store.current(played)
        dealer = next(row.body["dealer"] for row in rows if row.code == "draw")
        p = engine.new(registry.rules("tractor/1"), seats=4, teams=2, dealer=dealer, rounds=2)  # type: ignore[call-arg]
        for row in rows:
            if row.kind == "play":
                p = engine.apply(p, engine.parse_play(p, row.body["play"]), row.body.get("seat"))
        assert engine.to_json(p) == engine.to_json(state.position)
        outcome = engine.outcome(p)
        assert outcome is not None
        assert list(outcome.ranks) == played.ranks
        reached = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "won"]
        assert [reached[climbed] for climbed in score(state)] == engine.to_json(p)["ranks"]

    def test_folding_the_rows_gives_the_same_state(self, played: Game, rows: list[Row]) -> None:
        state = fold(store.setup_of(played), rows)
        assert state.position.to_json() == store.current(played).position.to_json()
        assert (state.result, state.clocks) == (store.current(played).result, store.current(played).clocks)

    def test_to_the_ace(self) -> None:
        game = open_game(people(4), rounds=0)
        state = play_whole(game)
        game = Game.objects.select_related("table").get(pk=game.pk)
        assert (game.state, game.reason, game.rated) == (Game.State.OVER, "played", True)
        assert max(score(state)) == 13
        assert state.told["ranks"][game.ranks.index(0)] == "won"  # type: ignore[union-attr]
        assert replays.faults(game) == []
        assert "rounds" not in view(state, SPECTATOR)

    @pytest.mark.parametrize("level", ["novice", "club"])
    def test_of_bots_by_themselves(self, level: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        settings.TOCK_DRAW_MS = 0
        plan = [SeatPlan(seat, bot=level) for seat in range(4)]
        table = tables.open_match_table(
            rules="tractor/1", name="T", seat_plan=plan, bots_allowed=True, rated=False, rounds=1
        )
        for _ in range(2000):
            if not bots.act_due():
                break
        game = Game.objects.select_related("table").get(table=table)
        assert (game.state, game.reason, game.unrated_reason) == ("over", "played", "unrated_table")
        assert replays.faults(game) == []

    @pytest.mark.parametrize("level", ["random", "master"])
    def test_of_a_bot_level_that_tractor_does_not_have_are_refused(self, level: str) -> None:
        plan = [SeatPlan(seat, bot="novice" if seat else level) for seat in range(4)]
        with pytest.raises(Refused) as caught:
            tables.reserve_match_table(rules="tractor/1", name="T", seat_plan=plan, bots_allowed=True)
        assert (caught.value.code, caught.value.field) == ("level", "seat_plan")
        assert not Table.objects.exists()


class TestViews:
    @pytest.mark.parametrize("viewer", VIEWERS, ids=str)
    def test_a_view_follows_from_its_events(self, played: Game, rows: list[Row], viewer: Viewer) -> None:
        setup = store.setup_of(played)
        held = view(opening(setup), viewer)
        for event, fresh in events(all_steps(setup, rows), viewer):
            held = merge(held, event["set"])
            assert held == fresh, event
            assert "gone" not in held
            json.dumps(event, allow_nan=False)

    def test_before_the_first_deal_a_view_has_ranks_and_no_card(self) -> None:
        game = open_game(people(4))
        seen = view(store.current(game), Viewer(1))
        assert {key: seen[key] for key in ("phase", "round", "rounds", "ranks", "count", "ready")} == {
            "phase": "seating", "round": 1, "rounds": 2, "ranks": ["2", "2"], "count": [0] * 4, "ready": [False] * 4,
        }  # fmt: skip

    def test_everybody_who_may_act_sees_the_legal_lines(self, played: Game, rows: list[Row]) -> None:
        for step in all_steps(store.setup_of(played), rows):
            state = step.after
            for seat in range(4):
                seen = view(state, Viewer(seat))
                assert seen.get("legal", []) == state.legal(seat)
                assert seat in state.may_act or "legal" not in seen
                assert seat not in state.to_act or state.position is None or seen["legal"]

    def test_the_viewer_of_everything_gets_everything(self, played: Game, rows: list[Row]) -> None:
        for step in all_steps(store.setup_of(played), rows):
            seen = view(step.after, EVERYTHING)
            if step.after.position is None:
                continue
            assert [len(seen["hands"][str(seat)]) for seat in range(4)] == seen["count"]
            assert ("talon" in seen) == (seen["phase"] == "bury")
            assert ("buried" in seen) == (seen["phase"] == "play")

    def test_lines_of_decks_and_buried_cards_are_hidden_from_others(self, played: Game, rows: list[Row]) -> None:
        setup = store.setup_of(played)
        for row in rows:
            word = str(row.body.get("play")).partition(" ")[0]
            if row.kind != "play" or word not in ("deck", "bury"):
                continue
            for viewer in VIEWERS:
                own = word == "bury" and viewer.seat == row.body["seat"]
                told = setup.family.line(row, viewer, setup)
                assert told == (row.body["play"] if viewer.everything or own else f"{word} ??")


class TestShapes:
    @pytest.mark.parametrize(
        ("more", "code"),
        [
            ({"rounds": -1}, "rounds"),
            ({"rounds": 101}, "rounds"),
            ({"rules": "shawinigan/1", "rounds": 2}, "rounds"),
            ({"teams": 4}, "bad_table"),
        ],
    )
    def test_wrong_cards_are_refused(self, more: dict[str, Any], code: str) -> None:
        with pytest.raises(Refused) as caught:
            reserve(people(4), **more)
        assert caught.value.code == code
        assert not Table.objects.exists()

    def test_bots_have_only_the_levels_of_tractor(self) -> None:
        for level in ("random", "master"):
            with pytest.raises(Refused) as caught:
                tables.open_practice(guest_key="g", rules="tractor/1", level=level)
            assert caught.value.code == "level"
        assert tables.open_practice(guest_key="g", rules="tractor/1", level="novice", rounds=3).rounds == 3

    def test_a_tied_game_of_a_decisive_table_is_played_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        table = reserve(people(4), decisive=True, rounds=1)
        games = []
        for number in range(1, 4):
            game = tables.new_game(table) if number == 1 else reader.current_game(table.pk)
            tied = number < 3
            state = play_until(Game.objects.select_related("table").get(pk=game.pk), tied=tied, monkeypatch=monkeypatch)
            games.append(Game.objects.get(pk=game.pk))
            assert state.result is not None
            table.refresh_from_db()
            assert (table.state == Table.State.FINISHED) == (not tied)
        assert [game.unrated_reason for game in games] == ["tied", "tied", ""]


def play_until(game: Game, *, tied: bool, monkeypatch: pytest.MonkeyPatch) -> TableState:
    """Play a game that ends as a tie, or not, as the replaced engine says."""
    from games.engine.game import Outcome
    from games.engine.tractor.game import TractorGame

    real = TractorGame.outcome
    ranks = (0, 0) if tied else (0, 1)
    with monkeypatch.context() as patch:
        patch.setattr(TractorGame, "outcome", lambda self, p: real(self, p) and Outcome(ranks))
        return play_whole(game)
