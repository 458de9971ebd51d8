"""Whole games with random events: plays, touches, calls, time-outs, rulings of every kind, lapsed leases.

In any order, the judge must accept the record, the index must follow from the record, and each viewer's view must
follow from the events that the viewer got.
"""

import random
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from games import store
from games.fold import EVERYTHING, SPECTATOR, ClockSettings, Viewer, events, fold, merge, opening, steps, view
from games.models import Game
from games.selectors import replays
from games.selectors.referee import rewindable
from games.services import clocks, referee
from games.services.judge import judge
from tests.games.conftest import Sat, appoint_referee
from tock_league.common import clock
from tock_league.common.errors import Refused

ACTS = 160


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Cache folded states although the test never commits; otherwise each act would fold the game again."""
    monkeypatch.setattr(store, "remember", lambda game, state: store.folded.put(game.slug, state))
    yield
    store.folded.clear()


class Night:
    """One game and everybody who may act in it."""

    def __init__(self, sat: Sat, hand: clock.Frozen, roll: random.Random) -> None:
        self.sat, self.hand, self.roll = sat, hand, roll
        self.looker = appoint_referee(sat).pk
        self.did: Counter[str] = Counter()
        sat.begin()
        self.game = sat.game.pk

    @property
    def over(self) -> bool:
        return Game.objects.get(pk=self.game).state == Game.State.OVER

    def something(self) -> None:
        """Let one thing happen; a refusal must have written nothing."""
        frozen = self.sat.state.frozen is not None
        weights = RULED if frozen else PLAYED
        name = self.roll.choices(list(weights), list(weights.values()))[0]
        before = Game.objects.get(pk=self.game).last_seq
        try:
            done = getattr(self, name)()
            self.did[name] += done is not False
        except Refused:
            self.did[f"{name} refused"] += 1
            assert Game.objects.get(pk=self.game).last_seq == before

    def ref(self) -> str:
        return f"TL-{uuid.UUID(int=self.roll.getrandbits(128)).hex[:20]}"

    def seat(self) -> int:
        return self.roll.randrange(4)

    # Acts of players.

    def play(self) -> bool:
        self.hand.advance(seconds=self.roll.random() * 8)
        seat = min(self.sat.state.to_act)
        return not self.sat.send(seat, "play", play=self.sat.choose(seat)).code

    def touch(self) -> bool:
        seat = min(self.sat.state.to_act)
        lines = view(self.sat.state, Viewer(seat)).get("legal", ["burn"])
        return not self.sat.send(seat, "touch", card=lines[0].split()[0]).code

    def call(self) -> bool:
        return not self.sat.call(self.seat(), kind="other").code

    def sleep(self) -> bool:
        self.hand.advance(seconds=61)
        return bool(clocks.claim_due())

    # Acts of rulings.

    def freeze(self) -> None:
        referee.freeze(game_id=self.game, ref=self.ref())

    def hold(self) -> None:
        referee.hold(game_id=self.game, until=clock.now() + timedelta(minutes=5))

    def free(self) -> None:
        referee.free(game_id=self.game)

    def resume(self) -> None:
        self.hand.advance(seconds=self.roll.random() * 30)
        referee.resume(game_id=self.game, ref=self.ref())

    def penalise(self) -> None:
        referee.penalise(game_id=self.game, seat=self.seat(), at=1, ref=self.ref())

    def bind(self) -> None:
        seat = min(self.sat.state.to_act)
        lines = view(self.sat.state, Viewer(seat)).get("legal", ["burn"])
        referee.touch(game_id=self.game, seat=seat, card=lines[-1].split()[0], ref=self.ref())

    def warn(self) -> None:
        referee.warn(game_id=self.game, seat=self.seat(), ref=self.ref())

    def adjust(self) -> None:
        referee.adjust(game_id=self.game, seat=self.seat(), ms=self.roll.randrange(-60_000, 60_000), ref=self.ref())

    def rewind(self) -> None:
        possible = [*rewindable(self.sat.game), self.sat.state.seq // 2]
        referee.rewind(game_id=self.game, to=self.roll.choice(possible), ref=self.ref())

    def look(self) -> None:
        until = clock.now() + timedelta(minutes=1)
        referee.grant_view(game_id=self.game, player_id=self.looker, seat=self.seat(), until=until, ref=self.ref())

    def lapse(self) -> bool:
        self.hand.advance(seconds=301)
        return bool(clocks.claim_due())


PLAYED = {"play": 60, "touch": 12, "call": 3, "freeze": 4, "penalise": 5, "bind": 3, "sleep": 1, "adjust": 2, "look": 1}
RULED = {
    "rewind": 4,
    "penalise": 3,
    "bind": 2,
    "warn": 1,
    "adjust": 2,
    "look": 1,
    "hold": 2,
    "free": 2,
    "resume": 6,
    "lapse": 1,
}


@pytest.mark.parametrize("seed", range(3))
def test_the_record_is_valid_after_any_order_of_events(
    open_table: Callable[..., Sat], frozen_clock: clock.Frozen, quick: None, seed: int
) -> None:
    sat = open_table(clocks=ClockSettings(timeouts=6))
    night = Night(sat, frozen_clock, random.Random(seed))
    for _ in range(ACTS):
        if night.over:
            break
        night.something()
    if not night.over:
        referee.forfeit(game_id=night.game, team=seed % 2, ref="TL-2026-000009/1/9")
    game = Game.objects.select_related("table").get(pk=night.game)
    assert replays.faults(game) == []
    setup, rows = store.setup_of(game), store.load(game.pk)
    assert judge(table=game.table, setup=setup, rows=rows, now=clock.now_ms()) == fold(setup, rows)
    viewers: list[Any] = [
        *map(Viewer, range(4)),
        SPECTATOR,
        EVERYTHING,
        Viewer(referee=True),
        Viewer(referee=True, sees=2),
    ]
    for viewer in viewers:
        held = view(opening(setup), viewer)
        for event, fresh in events(steps(opening(setup), rows), viewer):
            held = merge(held, event["set"])
            assert held == fresh, event
    assert night.did["play"] > 20
    assert night.did["resume"] + night.did["lapse"] > 2
    for step in steps(opening(setup), rows):
        hold_clocks(step.before, step.after)


def hold_clocks(before: Any, after: Any) -> None:
    """A frozen table's clocks stand, a running decision always has an end, and a time bank is never negative."""
    assert all(bank >= 0 for bank in after.clocks.bank)
    if after.frozen is not None:
        assert (after.clocks.due, after.clocks.opened) == (0, 0)
    elif after.position is not None and after.result is None and after.to_act:
        assert after.clocks.due > after.clocks.opened
    if before.frozen is not None and after.frozen is None and after.result is None:
        assert after.clocks.due - after.clocks.opened >= 20_000
