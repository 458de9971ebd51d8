"""When a bot's play is sent depends on public facts only: never on how many plays it had or how long it chose."""

import threading
from typing import Any

import pytest

from games import store
from games.bots import at_table
from games.fold import Viewer, view
from games.fold.phases import GIVE
from games.models import Game
from games.services import bots, play, record, tables
from games.services.tables import SeatPlan
from games.services.thinkers import Turn
from tock_league.common import clock

from .conftest import Sat

PAD_S = 0.05
PER_PLAY_S = 0.0001


class Watch:
    """A clock of seconds that only stands still or is moved, and a list of what happened when."""

    def __init__(self) -> None:
        self.now, self.happened = 100.0, list[tuple[str, float]]()

    def note(self, what: str) -> None:
        self.happened.append((what, round(self.now - 100.0, 6)))

    def pause(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def watch(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Let a choice take longer the more plays there are, and note when each play is sent."""
    found, submit, answer = Watch(), play.submit, at_table.answer
    settings.TOCK_BOT_PAD_MS = PAD_S * 1000

    def choose(board: Any, legal: Any, **more: Any) -> str:
        found.now += len(legal) * PER_PLAY_S
        found.note("chosen")
        return answer(board, legal, **more)

    def send(**asked: Any) -> play.Answer:
        found.note("sent")
        return submit(**asked)

    monkeypatch.setattr(clock, "monotonic", lambda: found.now)
    monkeypatch.setattr(clock, "pause", found.pause)
    monkeypatch.setattr(at_table, "answer", choose)
    monkeypatch.setattr(play, "submit", send)
    return found


def open_tables(rules: str, count: int) -> list[Game]:
    plan = [SeatPlan(seat, bot="novice") for seat in range(4)]
    many = {"rules": rules, "name": "Bots", "seat_plan": plan, "rated": False, "bots_allowed": True}
    found = [tables.open_match_table(**many) for _ in range(count)]
    return [Game.objects.select_related("table").get(table=table) for table in found]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rules", ["shawinigan/1", "tractor/1"])
def test_all_bots_of_a_round_choose_before_the_first_play_is_sent_at_the_end_of_the_pad(
    watch: Watch, rules: str
) -> None:
    games = open_tables(rules, 3)
    plays = 0
    for _ in range(40):
        watch.now, watch.happened[:] = 100.0, []
        bots.act_due([game.pk for game in games])
        sent = [at for what, at in watch.happened if what == "sent"]
        chosen = [at for what, at in watch.happened if what == "chosen"]
        assert set(sent) <= {PAD_S}, "however long the choices took"
        assert watch.happened == sorted(watch.happened, key=lambda each: each[0])
        plays += bool(sent and len(set(chosen)) > 1)
    assert plays > 10


def _go_on(sat: Sat) -> None:
    """Let seat 0 get ready, give a card or play."""
    if sat.state.position is None:
        sat.send(0, "ready")
    elif sat.state.phase == GIVE:
        sat.exchange_of(0)
    else:
        assert not sat.send(0, "play", play=sat.choose(0)).code


@pytest.mark.django_db(transaction=True)
def test_a_search_sends_its_play_when_its_time_is_over_also_if_there_was_one_play(
    watch: Watch, players: list[Any]
) -> None:
    sat = Sat(tables.open_practice(player=players[0], level="club"), players)
    while sat.state.phase != "play" or 0 in sat.state.to_act:
        if not bots.act_due() and 0 in sat.state.to_act:
            _go_on(sat)
    waited = []

    class Stopping(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waited.append(timeout)
            return False

    for lines in (1, 100):
        watch.now = 100.0
        turn = Turn(1.0, Stopping())
        watch.now += lines / 1000
        turn.rest(PAD_S)
    assert waited == [pytest.approx(1.0 + PAD_S - 0.001), pytest.approx(1.0 + PAD_S - 0.1)]

    watch.now, watch.happened[:], waited[:] = 100.0, [], []
    seat = min(sat.state.to_act)
    many = len(view(sat.state, Viewer(seat))["legal"])
    bots._think(sat.game, sat.state, seat, "club", Turn(1.0, Stopping()))
    assert [what for what, _ in watch.happened] == ["chosen", "sent"]
    assert waited == [pytest.approx(1.0 + PAD_S - many * PER_PLAY_S)]


@pytest.mark.django_db(transaction=True)
def test_when_a_bot_is_due_is_computed_from_the_rows_and_not_from_hands(settings: Any, sat_table: Sat) -> None:
    """Two seats with the same public past: one can only burn, one can play."""
    settings.TOCK_BOT_PACE_MS = 900
    sat_table.begin()
    seen = set()
    for _ in range(60):
        state, game = sat_table.state, sat_table.game
        record.index(game, state, bots=range(4))
        (seat,) = state.to_act
        only_burns = all(line.startswith("burn") for line in view(state, Viewer(seat))["legal"])
        seen.add(only_burns)
        assert game.bot_at is not None
        assert clock.ms(game.bot_at) == max(state.at, state.stepped) + 900
        sat_table.play_on(1)
    assert seen == {False, True}
    assert store.current(sat_table.game).seq > 60
