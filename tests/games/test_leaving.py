"""More than two teams: one that gives up is out, makes default plays and ranks last; the others finish their game."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from games import bots, store
from games.announcements import GameFinished
from games.fold import EVERYTHING, SPECTATOR, Viewer, events, merge, opening, steps, view
from games.models import Game, Table
from games.selectors import replays
from games.services import clocks, referee, tables
from games.services.records import import_record, read_lines
from games.services.tables import ClockSettings
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused

from .conftest import Sat
from .every_table import Shape, fix_deals, open_game, people, play_whole, reserve

ALONE: Shape = ("toc/1", 4, 4, False)
EVERY_PLACE: Shape = ("toc/1", 4, 4, True)
THREE_PAIRS: Shape = ("tock/1", 6, 3, False)
pytestmark = pytest.mark.django_db
Opener = Callable[..., Sat]


@pytest.fixture(autouse=True)
def the_same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_deals(monkeypatch)


@pytest.fixture
def sit() -> Opener:
    """Open a table of a shape with people at it, by default ready and dealt."""

    def build(shape: Shape, *, begin: bool = True, **more: Any) -> Sat:
        players = people(shape[1])
        sat = Sat(open_game(shape, players, **more).table, players)
        if begin:
            sat.all_ready()
            if sat.state.phase == "give":
                sat.exchange()
        return sat

    return build


def default_plays_of(sat: Sat, seat: int) -> list[str]:
    """Return the plays that the clock made for the seat; check that each one is the default play."""
    found = []
    for step in steps(opening(store.setup_of(sat.game)), store.load(sat.game.pk)):
        if step.row.actor == "clock" and step.row.kind == "play" and step.row.body["seat"] == seat:
            assert step.row.body["play"] == bots.default_play(step.before.legal(seat))
            found.append(step.row.body["play"])
    return found


class TestResigning:
    def test_the_others_continue_and_the_clock_plays_for_the_seat_that_left(
        self, sit: Opener, finished: list[GameFinished]
    ) -> None:
        sat = sit(ALONE)
        leaver = min(sat.state.to_act)
        assert not sat.send(leaver, "resign").code
        row = next(row for row in store.load(sat.game.pk) if row.code == "resign")
        assert row.body == {"seat": leaver, "reason": "resigned"}
        assert sat.state.out == (leaver,)
        assert view(sat.state, SPECTATOR)["out"] == [leaver]
        assert leaver not in sat.state.to_act
        for _ in range(30):
            seat = min(sat.state.to_act)
            assert seat != leaver
            assert not sat.send(seat, "play", play=view(sat.state, Viewer(seat))["legal"][0]).code
        assert len(default_plays_of(sat, leaver)) > 5
        assert not finished
        for kind, args in (("resign", {}), ("dispute", {}), ("play", {"play": "burn 2S"})):
            answer = sat.send(leaver, kind, **args)
            assert answer.code in ("illegal", "not_your_turn")
        assert sat.send(leaver, "resign").why == "out"

    def test_a_team_that_left_is_ranked_last_whatever_its_position(
        self, sit: Opener, finished: list[GameFinished]
    ) -> None:
        sat = sit(ALONE)
        assert not sat.send(2, "resign").code
        state = play_whole(sat.game)
        assert state.result is not None
        assert state.result.reason == "played"
        assert state.result.ranks[2] == 3
        assert sorted(state.result.ranks)[0] == 0
        assert [news.ranks for news in finished] == [state.result.ranks]
        game = Game.objects.select_related("table").get(pk=sat.game.pk)
        assert (game.rated, game.unrated_reason) == (True, "")
        assert replays.faults(game) == []
        the_record_is_taken_again(ALONE, sat, game)

    def test_the_last_team_that_stays_wins_at_once(self, sit: Opener, finished: list[GameFinished]) -> None:
        sat = sit(THREE_PAIRS)
        assert not sat.send(4, "resign").code  # team 1
        assert sat.state.out == (1,)
        assert sat.game.state == Game.State.PLAYING
        assert not sat.send(2, "resign").code  # team 2
        game = sat.game
        assert (game.state, game.ranks, game.reason) == (Game.State.OVER, [0, 1, 1], "resigned")
        assert finished[0].sides == tuple(tuple(sat.players[seat].pk for seat in (team, team + 3)) for team in range(3))
        the_record_is_taken_again(THREE_PAIRS, sat, Game.objects.select_related("table").get(pk=game.pk))

    def test_leaving_during_an_exchange_still_gives_a_card_to_the_partner(self, sit: Opener) -> None:
        sat = sit(THREE_PAIRS, begin=False)
        sat.all_ready()
        assert sat.state.phase == "give"
        assert not sat.send(0, "resign").code
        assert set(sat.state.sealed) == {0, 3}
        for seat in (1, 2, 4, 5):
            sat.exchange_of(seat)
        assert sat.state.phase == "play"
        assert not sat.state.deserted

    def test_a_finished_seat_cannot_leave_and_the_last_of_the_others_takes_the_next_place(self, sit: Opener) -> None:
        sat = sit(EVERY_PLACE)
        while not view(sat.state, SPECTATOR).get("finished"):
            play_whole(sat.game, stop=20)
        (first,) = view(sat.state, SPECTATOR)["finished"]
        assert sat.send(first, "resign").why == "finished"
        others = [seat for seat in range(4) if seat != first]
        assert not sat.send(others[0], "resign").code
        assert sat.state.result is None
        assert not sat.send(others[1], "resign").code
        game = sat.game
        assert game.state == Game.State.OVER
        assert (game.ranks[first], game.ranks[others[2]]) == (0, 1)
        assert (game.ranks[others[0]], game.ranks[others[1]]) == (2, 2)

    def test_a_full_ranking_ranks_the_seat_that_left_last(self, sit: Opener) -> None:
        sat = sit(EVERY_PLACE)
        assert not sat.send(1, "resign").code
        state = play_whole(sat.game)
        assert state.result is not None
        assert state.result.ranks[1] == 3
        assert sorted(state.result.ranks) == [0, 1, 2, 3]
        game = Game.objects.select_related("table").get(pk=sat.game.pk)
        assert replays.faults(game) == []
        the_record_is_taken_again(EVERY_PLACE, sat, game)

    def test_a_practice_game_ends_when_the_person_resigns(self) -> None:
        players = people(1)
        table = tables.open_practice(player=players[0], rules="tock/1", seats=6, teams=6, level="novice")
        sat = Sat(table, players)
        from games.services import bots as bot_service

        while bot_service.act_due():
            pass
        assert not sat.send(0, "ready").code
        assert not sat.send(0, "resign").code
        game = sat.game
        assert (game.state, game.ranks, game.reason) == (Game.State.OVER, [5, 0, 0, 0, 0, 0], "resigned")

    def test_every_view_follows_from_its_events(self, sit: Opener) -> None:
        sat = sit(ALONE)
        assert not sat.send(3, "resign").code
        play_whole(sat.game, stop=80)
        setup, rows = store.setup_of(sat.game), store.load(sat.game.pk)
        for viewer in (Viewer(3), Viewer(0), SPECTATOR, EVERYTHING):
            held = view(opening(setup), viewer)
            for event, fresh in events(steps(opening(setup), rows), viewer):
                held = merge(held, event["set"])
                assert held == fresh


class TestClock:
    def test_the_third_time_out_puts_the_seat_out_and_the_others_go_on(
        self, sit: Opener, frozen_clock: clock.Frozen, finished: list[GameFinished]
    ) -> None:
        sat = sit(ALONE, clocks=ClockSettings())
        sleeper = min(sat.state.to_act)
        while sleeper not in sat.state.out:
            if min(sat.state.to_act) == sleeper:
                frozen_clock.advance(seconds=61)
                assert clocks.claim_due() == 1
            else:
                sat.play_on(1)
        row = next(row for row in store.load(sat.game.pk) if row.code == "forfeit")
        assert row.body == {"teams": [sleeper], "reason": "forfeit_timeouts"}
        assert sat.state.timeouts[sleeper] == 3
        assert sat.game.state == Game.State.PLAYING
        assert sat.state.clocks is not None
        assert sat.state.clocks.run in sat.state.to_act
        assert sat.game.due_at is not None
        assert not finished

    def test_an_absent_team_is_out_and_the_others_play_unrated(
        self, sit: Opener, frozen_clock: clock.Frozen, finished: list[GameFinished]
    ) -> None:
        sat = sit(THREE_PAIRS, begin=False, clocks=ClockSettings(), starts_at=clock.now() + timedelta(minutes=15))
        for seat in (0, 1, 3, 4, 5):
            assert not sat.send(seat, "ready").code
        frozen_clock.advance(minutes=26)
        assert clocks.claim_due() == 1
        assert sat.state.out == (2,)
        assert sat.state.phase == "give"
        assert set(sat.state.sealed) == {2, 5}
        play_whole(sat.game)
        game = Game.objects.select_related("table").get(pk=sat.game.pk)
        assert (game.state, game.rated, game.unrated_reason) == (Game.State.OVER, False, "no_show")
        assert game.ranks[2] == 2
        assert len(finished) == 1
        the_record_is_taken_again(THREE_PAIRS, sat, game, rated=False)

    def test_the_only_team_that_came_wins(self, sit: Opener, frozen_clock: clock.Frozen) -> None:
        sat = sit(THREE_PAIRS, begin=False, clocks=ClockSettings(), starts_at=clock.now())
        for seat in (1, 4):
            assert not sat.send(seat, "ready").code
        frozen_clock.advance(minutes=11)
        assert clocks.claim_due() == 1
        game = sat.game
        assert (game.state, game.ranks, game.reason) == (Game.State.OVER, [1, 0, 1], "no_show")


class TestRuling:
    def test_a_forfeit_by_ruling_takes_the_team_out_once(self, sit: Opener) -> None:
        sat = sit(THREE_PAIRS)
        done = referee.forfeit(game_id=sat.game.pk, team=1, ref="TL-1/1/1")
        assert referee.forfeit(game_id=sat.game.pk, team=1, ref="TL-1/1/1").dup
        assert done.seq < sat.game.last_seq or 1 not in {seat % 3 for seat in sat.state.to_act}
        assert sat.state.out == (1,)
        with pytest.raises(Conflict) as caught:
            referee.forfeit(game_id=sat.game.pk, team=1, ref="TL-1/2/1")
        assert caught.value.code == "team_out"
        with pytest.raises(Refused):
            referee.forfeit(game_id=sat.game.pk, team=3, ref="TL-1/3/1")
        referee.forfeit(game_id=sat.game.pk, team=0, ref="TL-1/4/1")
        assert (sat.game.state, sat.game.ranks) == (Game.State.OVER, [1, 1, 0])
        assert sat.game.unrated_reason == "forfeit_ruling"

    def test_at_a_frozen_table_default_plays_wait_until_it_is_resumed(self, sit: Opener) -> None:
        sat = sit(ALONE, clocks=ClockSettings())
        referee.freeze(game_id=sat.game.pk, ref="a")
        running = min(sat.state.to_act)
        referee.forfeit(game_id=sat.game.pk, team=running, ref="b")
        assert sat.state.deserted == [running]
        assert default_plays_of(sat, running) == []
        referee.resume(game_id=sat.game.pk, ref="c")
        assert len(default_plays_of(sat, running)) == 1
        assert not sat.state.deserted

    def test_a_rewound_turn_of_a_team_that_is_out_gets_the_default_play_again(self, sit: Opener) -> None:
        sat = sit(ALONE)
        leaver = min(sat.state.to_act)
        before = sat.state.decision
        assert not sat.send(leaver, "resign").code
        assert len(default_plays_of(sat, leaver)) == 1
        referee.freeze(game_id=sat.game.pk, ref="a")
        referee.rewind(game_id=sat.game.pk, to=before, ref="b")
        assert sat.state.out == (leaver,)
        assert sat.state.to_act == {leaver}
        referee.resume(game_id=sat.game.pk, ref="c")
        assert len(default_plays_of(sat, leaver)) == 2
        assert leaver not in sat.state.to_act


def the_record_is_taken_again(shape: Shape, sat: Sat, game: Game, *, rated: bool = True) -> None:
    lines = list(replays.lines(game))
    clocks_ = {"clocks": ClockSettings.from_json(game.table.clocks)} if game.table.clocks else {}
    Table.objects.get(pk=game.table_id).delete()
    kept = import_record(record=read_lines(lines), table=reserve(shape, sat.players, **clocks_))
    assert (kept.chain, kept.ranks, kept.rated) == (game.chain, game.ranks, rated)


class TestJudged:
    """The judge refuses what a live table would not have written, also for teams that are out."""

    @pytest.fixture
    def lines(self, sit: Opener) -> list[dict[str, Any]]:
        sat = sit(ALONE)
        assert not sat.send(2, "resign").code
        play_whole(sat.game)
        game = Game.objects.select_related("table").get(pk=sat.game.pk)
        found = [dict(line) for line in replays.lines(game)]
        Table.objects.get(pk=game.table_id).delete()
        self.players = sat.players
        return found

    def judged(self, lines: list[dict[str, Any]]) -> str:
        for line in lines:
            line.pop("chain", None)
        with pytest.raises(Refused) as caught:
            import_record(record=read_lines(lines), table=reserve(ALONE, self.players))
        assert not Game.objects.exists()
        return caught.value.code

    def test_a_play_by_a_seat_that_is_out_is_refused(self, lines: list[dict[str, Any]]) -> None:
        row = next(row for row in lines[1:] if row["actor"] == "clock" and row["kind"] == "play")
        row["actor"] = f"seat:{row['body']['seat']}"
        assert self.judged(lines) == "record_actor"

    def test_only_the_default_play_is_accepted_for_a_late_seat(self, lines: list[dict[str, Any]]) -> None:
        row = next(row for row in lines[1:] if row["actor"] == "clock" and row["kind"] == "play")
        row["body"] = {**row["body"], "play": "KS out"}
        assert self.judged(lines) == "record_play"

    def test_a_resignation_with_ranks_is_refused_while_others_play(self, lines: list[dict[str, Any]]) -> None:
        row = next(row for row in lines[1:] if row["code"] == "resign")
        row["body"] = {**row["body"], "ranks": [0, 0, 3, 0]}
        assert self.judged(lines) == "record_act"

    def test_a_second_resignation_is_refused(self, lines: list[dict[str, Any]]) -> None:
        at = next(number for number, row in enumerate(lines[1:], 1) if row["code"] == "resign")
        again = {**lines[at], "command_id": ""}
        lines[at + 1 : at + 1] = [again]
        for number, row in enumerate(lines[1:], 1):
            row["seq"] = number
        assert self.judged(lines) == "record_act"

    def test_a_wrong_full_ranking_field_is_refused(self, lines: list[dict[str, Any]]) -> None:
        lines[0]["full_ranking"] = True
        assert self.judged(lines) == "record_shape"
        lines[0]["full_ranking"] = "yes"
        assert self.judged(lines) == "record_line"
