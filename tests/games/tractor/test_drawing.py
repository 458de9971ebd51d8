"""Tractor's cards drawn step by step: by the table, with shows meanwhile, and by bots that take their time."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from games import store
from games.bots import at_table
from games.fold import Viewer, view
from games.fold.clocks import RESUME_MS
from games.models import Game, GameEvent
from games.permissions import Person
from games.selectors import replays
from games.services import bots, clocks, play, referee, tables
from games.services.tables import SeatPlan
from tock_league.common import clock

from ..conftest import appoint_referee
from ..test_races import at_once
from .four import CLOCKS, Four

STEP = 0.6


@pytest.fixture
def drawing(open_tractor: Callable[..., Four], frozen_clock: clock.Frozen, in_steps: None) -> Four:
    """A table with clocks and a referee where a deck has just been shuffled."""
    four = open_tractor(clocks=CLOCKS)
    appoint_referee(four)
    four.all_ready()
    return four


def step(hand: clock.Frozen, times: int = 1) -> int:
    """Let the time of this many draws pass; return how many were made."""
    done = 0
    for _ in range(times):
        hand.advance(seconds=STEP)
        done += clocks.claim_due()
    return done


class TestDrawing:
    @pytest.mark.both_databases
    def test_drawing_gives_every_seat_a_card_at_every_step(self, drawing: Four, frozen_clock: clock.Frozen) -> None:
        game, decision = drawing.game, drawing.state.decision_id
        assert (game.phase, game.due_kind, game.turn) == ("draw", "draw", None)
        assert clocks.claim_due() == 0
        frozen_clock.advance(seconds=0.599)
        assert clocks.claim_due() == 0
        frozen_clock.advance(seconds=0.001)
        assert clocks.claim_due() == 1
        assert clocks.claim_due() == 0
        seen = view(drawing.state, Viewer(2))
        assert (seen["count"], seen["left"], len(seen["hand"])) == ([1, 1, 1, 1], 96, 1)
        assert "hand" not in view(drawing.state, Viewer())
        assert step(frozen_clock, 23) == 23
        assert (drawing.state.phase, drawing.state.clocks.due) == ("draw", 0)  # type: ignore[union-attr]
        assert step(frozen_clock) == 1
        assert drawing.state.phase == "show"
        assert drawing.state.decision_id == decision
        assert [len(drawing.hand(seat)) for seat in range(4)] == [25] * 4
        assert replays.faults(drawing.game) == []

    def test_after_a_restart_drawing_continues_step_by_step(self, drawing: Four, frozen_clock: clock.Frozen) -> None:
        step(frozen_clock, 3)
        frozen_clock.advance(minutes=10)
        store.folded.clear()  # another process: nothing is cached
        assert clocks.claim_due() == 1
        assert clocks.claim_due() == 0
        assert view(drawing.state, Viewer(0))["count"] == [4] * 4
        assert step(frozen_clock) == 1

    def test_nothing_is_drawn_at_a_frozen_table(self, drawing: Four, frozen_clock: clock.Frozen) -> None:
        step(frozen_clock, 2)
        game = drawing.game.pk
        assert not drawing.call(1).code
        assert step(frozen_clock, 5) == 0
        assert drawing.game.due_kind == "referee"
        referee.resume(game_id=game, ref="TL-1/1")
        frozen_clock.advance(seconds=RESUME_MS / 1000)
        assert clocks.claim_due() == 0
        assert step(frozen_clock) == 1
        assert view(drawing.state, Viewer(0))["count"] == [3] * 4
        assert replays.faults(drawing.game) == []

    def test_a_show_while_cards_are_drawn_delays_no_draw(self, drawing: Four, frozen_clock: clock.Frozen) -> None:
        decision = drawing.state.decision_id
        found = []
        while not found:
            assert step(frozen_clock) == 1
            found = [(seat, line) for seat in range(4) for line in drawing.shows(seat)]
        frozen_clock.advance(seconds=0.5)
        seat, line = found[0]
        assert line in view(drawing.state, Viewer(seat))["legal"]
        assert not drawing.send(seat, "play", turn=decision, play=line).code
        assert (drawing.state.decision_id, drawing.state.phase) == (decision, "draw")
        frozen_clock.advance(seconds=0.1)
        assert clocks.claim_due() == 1
        assert view(drawing.state, Viewer())["show"]["seat"] == seat

    def test_nobody_may_pass_before_the_first_card(self, drawing: Four) -> None:
        assert drawing.send(0, "pass").code == "not_your_turn"
        assert drawing.state.may_act == frozenset()

    def test_passes_while_cards_are_drawn_count(self, drawing: Four, frozen_clock: clock.Frozen) -> None:
        step(frozen_clock, 5)
        for seat in range(4):
            assert not drawing.send(seat, "pass").code
        step(frozen_clock, 20)
        assert drawing.state.phase == "deck"  # nobody showed: the cards go back
        assert drawing.state.decks == 1
        assert step(frozen_clock, 9) == 0
        assert step(frozen_clock) == 1
        assert (drawing.state.phase, drawing.state.decks) == ("draw", 2)

    def test_the_end_of_a_round_stays_on_the_table_for_a_while(
        self, open_tractor: Callable[..., Four], frozen_clock: clock.Frozen, settings: Any
    ) -> None:
        four = open_tractor(rounds=2)
        four.begin()
        settings.TOCK_DRAW_MS = 600
        four.play_on()
        game = four.game
        assert (game.phase, game.due_kind) == ("deck", "draw")
        seen = view(four.state, Viewer(0))
        assert seen["last"]["winner"] in range(4)
        assert len(seen["previous"]["buried"]) == 8
        assert (seen["round"], "legal" in seen) == (2, False)
        assert game.released_seq < game.last_seq - 100
        assert step(frozen_clock, 9) == 0
        assert step(frozen_clock) == 1
        assert (four.state.phase, four.state.decks) == ("draw", 2)
        assert four.game.released_seq == four.game.last_seq

    @pytest.mark.both_databases
    @pytest.mark.django_db(transaction=True)
    def test_of_many_processes_one_draws(self, drawing: Four, frozen_clock: clock.Frozen) -> None:
        before = GameEvent.objects.count()
        frozen_clock.advance(seconds=STEP)
        answers = at_once(*[clocks.claim_due] * 6)
        assert sum(answer or 0 for answer in answers) == 1
        assert GameEvent.objects.count() == before + 1


class TestBots:
    def test_bots_show_while_cards_are_drawn_and_take_their_time(
        self, db: Any, frozen_clock: clock.Frozen, settings: Any
    ) -> None:
        settings.TOCK_DRAW_MS, settings.TOCK_BOT_PACE_MS = 600, 900
        plan = [SeatPlan(seat, bot="novice") for seat in range(4)]
        table = tables.open_match_table(
            rules="tractor/1", name="T", seat_plan=plan, bots_allowed=True, rated=False, rounds=1
        )
        shown_in = looked = 0
        for _ in range(600):
            frozen_clock.advance(seconds=0.3)
            clocks.claim_due()
            game = Game.objects.get(table=table)
            waits = game.bot_at is not None and game.bot_at > clock.now()
            moved = bots.act_due()
            assert not (waits and moved)
            if game.phase == "draw":
                looked += moved
            if game.phase == "bury":
                break
        rows = store.load(game.pk)
        last_draw = max(row.seq for row in rows if row.body.get("play") == "draw 4")
        shown_in = sum(str(row.body.get("play")).startswith("show") for row in rows if row.seq < last_draw)
        assert shown_in
        assert looked == shown_in

    def test_a_table_that_waits_for_a_person_wakes_no_bot(
        self, db: Any, frozen_clock: clock.Frozen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(at_table, "answer", lambda view, legal, **more: f"pass {more['seat']}")
        table = tables.open_practice(rules="tractor/1", level="novice", guest_key="g")
        game = Game.objects.get(table=table)
        me = Person(guest_key="g")
        ready: Any = {"turn": store.current(game).decision_id, "kind": "ready", "args": {}}
        assert not play.submit(game_id=game.pk, seat=0, command_id=str(uuid.uuid4()), by=me, **ready).code
        for _ in range(20):
            frozen_clock.advance(seconds=5)
            bots.act_due()
        game.refresh_from_db()
        state = store.current(game)
        assert (game.phase, state.to_act, state.may_act) == ("show", {0}, {0, 1, 2, 3})
        assert game.bot_at is None
        assert bots.act_due() == 0
        assert Game.objects.get(pk=game.pk).last_seq == game.last_seq

    def test_right_after_a_show_no_bot_has_passed(
        self, db: Any, frozen_clock: clock.Frozen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(at_table, "answer", lambda view, legal, **more: max(legal))  # a show, if any
        plan = [SeatPlan(seat, bot="novice") for seat in range(4)]
        table = tables.open_match_table(
            rules="tractor/1", name="T", seat_plan=plan, bots_allowed=True, rated=False, rounds=1
        )
        game = Game.objects.select_related("table").get(table=table)
        while store.current(game).position is None or view(store.current(game), Viewer()).get("show") is None:
            assert bots.act_due()
            game.refresh_from_db()
        assert game.phase == "show"
        assert view(store.current(game), Viewer())["passed"] == []
