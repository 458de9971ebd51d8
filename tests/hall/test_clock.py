"""The round clock: who runs it, what is left, extra time, two presses at once, a restart."""

import threading
from typing import Any

import pytest
from django.db import connection

from tests.competitions.world import START, a_plan, a_player, a_tournament
from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import Competition
from tock_league.competitions.services.seasons import lifecycle
from tock_league.feed.models import FeedEvent
from tock_league.hall.models import RoundClock
from tock_league.hall.selectors.clocks import USUAL_MINUTES, ClockView, as_digits, clock_of, usual
from tock_league.hall.services import clocks
from tock_league.journal.models import JournalEntry

from .conftest import serving

pytestmark = pytest.mark.django_db
MINUTE = 60_000


def begin(event: Competition, minutes: int = 40, *, seen: int = 0, by: Any = SITE) -> RoundClock:
    return clocks.start(by=by, competition=event, minutes=minutes, call="deal", seen=seen)


def seen(event: Competition) -> ClockView:
    return clock_of(event)


def test_it_counts_down_stands_still_in_a_pause_and_goes_on(swiss: Competition, hand: clock.Frozen) -> None:
    assert not seen(swiss).is_on
    begin(swiss)
    hand.advance(minutes=10)
    assert (seen(swiss).left_ms, seen(swiss).shown) == (30 * MINUTE, "30:00")
    clocks.pause(by=SITE, competition=swiss, seen=1)
    hand.advance(minutes=25)
    assert (seen(swiss).state, seen(swiss).left_ms) == ("paused", 30 * MINUTE)
    clocks.resume(by=SITE, competition=swiss, seen=2)
    hand.advance(minutes=30, seconds=5)
    over = seen(swiss)
    assert (over.left_ms, over.is_over, over.shown, str(over.call_code)) == (-5000, True, "0:00", "deal")
    clocks.stop(by=SITE, competition=swiss, seen=3)
    assert not seen(swiss).is_on
    told = [bytes(row.body) for row in JournalEntry.objects.order_by("-pk")[:4]][::-1]
    kinds = (b"clock.started", b"clock.paused", b"clock.resumed", b"clock.stopped")
    assert [kind in row for kind, row in zip(kinds, told, strict=True)] == [True] * 4
    assert FeedEvent.objects.filter(competition=swiss, kind="clock.changed").count() == 4


def test_extra_time_is_for_all_or_for_one_table_and_counts_from_the_call(
    swiss: Competition, hand: clock.Frozen
) -> None:
    begin(swiss, 10)
    clocks.add(by=SITE, competition=swiss, minutes=2, seen=1, table=2)
    clocks.add(by=SITE, competition=swiss, minutes=5, seen=2)
    found = seen(swiss)
    assert [found.of_table(number).left_ms for number in (None, 1, 2)] == [15 * MINUTE, 15 * MINUTE, 17 * MINUTE]
    hand.advance(minutes=30)
    clocks.add(by=SITE, competition=swiss, minutes=3, seen=3, table=1)
    found = seen(swiss)
    assert [found.of_table(number).left_ms for number in (None, 1, 2)] == [-15 * MINUTE, 3 * MINUTE, -13 * MINUTE]
    clocks.add(by=SITE, competition=swiss, minutes=4, seen=4)
    assert seen(swiss).left_ms == 4 * MINUTE
    begin(swiss, 40, seen=5)
    assert seen(swiss).tables == {}


def test_two_presses_of_one_button_are_one_and_another_change_between_them_is_told(
    swiss: Competition, hand: clock.Frozen
) -> None:
    begin(swiss, 10)
    begin(swiss, 10)  # the same press again
    hand.advance(minutes=1)
    assert seen(swiss).left_ms == 9 * MINUTE
    for _press in range(2):
        clocks.add(by=SITE, competition=swiss, minutes=2, seen=1)
        assert seen(swiss).left_ms == 11 * MINUTE
    with pytest.raises(Conflict) as caught:
        clocks.add(by=SITE, competition=swiss, minutes=3, seen=1)
    assert caught.value.code == "clock_changed"
    for _press in range(2):
        clocks.pause(by=SITE, competition=swiss, seen=2)
    assert RoundClock.objects.get().version == 3
    for _press in range(2):
        clocks.stop(by=SITE, competition=swiss, seen=3)
    assert RoundClock.objects.get().version == 4


def test_organisers_and_referees_run_it_and_nobody_else(swiss: Competition) -> None:
    begin(swiss, by=serving(swiss, "organiser"))
    clocks.pause(by=serving(swiss, "referee"), competition=swiss, seen=1)
    for person in (a_player("Réjean Lampron"), None):
        for deed in (clocks.resume, clocks.stop):
            with pytest.raises(NotAllowed):
                deed(by=person, competition=swiss, seen=2)
        with pytest.raises(NotAllowed):
            begin(swiss, by=person, seen=2)
        with pytest.raises(NotAllowed):
            clocks.add(by=person, competition=swiss, minutes=1, seen=2)
    assert RoundClock.objects.get().version == 2


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda event: begin(event, 0), "minutes"),
        (lambda event: begin(event, 601), "minutes"),
        (lambda event: clocks.start(by=SITE, competition=event, minutes=9, call="sing", seen=0), "call"),
        (lambda event: clocks.pause(by=SITE, competition=event, seen=0), None),
        (lambda event: clocks.stop(by=SITE, competition=event, seen=0), None),
        (lambda event: clocks.add(by=SITE, competition=event, minutes=121, seen=0), "minutes"),
        (lambda event: clocks.add(by=SITE, competition=event, minutes=1, seen=0, table=0), "table"),
    ],
)
def test_what_cannot_be_is_refused_by_field(swiss: Competition, change: Any, field: str | None) -> None:
    with pytest.raises(Refused) as caught:
        change(swiss)
    assert caught.value.field == field
    assert not RoundClock.objects.exists()


def test_a_table_that_is_not_there_and_a_clock_without_end_leave_everything_as_it_was(swiss: Competition) -> None:
    begin(swiss, 590)
    for wrong in ({"minutes": 1, "table": 99}, {"minutes": 11}, {"minutes": 11, "table": 1}):
        with pytest.raises(Refused):
            clocks.add(by=SITE, competition=swiss, seen=1, **wrong)
    found = seen(swiss)
    assert (found.version, found.left_ms, found.tables) == (1, 590 * MINUTE, {})


def test_the_desk_is_offered_what_the_regulations_cap(swiss: Competition) -> None:
    assert usual(swiss) == (USUAL_MINUTES, "deal")
    swiss.regulations.body["cap"] = {"minutes": 45, "call": "turn"}
    assert usual(swiss) == (45, "turn")
    swiss.regulations.body["cap"] = {"minutes": 45, "call": "sing"}
    assert usual(swiss) == (45, "deal")


def test_a_cancelled_event_has_no_clock_to_start(hand: clock.Frozen) -> None:
    event = a_tournament(2, state="open")
    lifecycle.advance(by=SITE, competition=event, to="cancelled", reason="La salle est inondée.")
    with pytest.raises(Refused) as caught:
        begin(event)
    assert caught.value.code == "competition_state"


@pytest.mark.parametrize(
    ("left", "shown"), [(0, "0:00"), (1, "0:01"), (-9, "0:00"), (59_001, "1:00"), (3_600_000, "1:00:00")]
)
def test_a_started_second_counts_whole(left: int, shown: str) -> None:
    assert as_digits(left) == shown


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_desks_that_give_the_same_time_at_once_give_it_once() -> None:
    with clock.frozen(START):
        event = a_tournament(4, plan=a_plan("swiss", rounds=3))
        begin(event, 10)
        failed: list[Exception] = []

        def press() -> None:
            try:
                clocks.add(by=SITE, competition=event, minutes=2, seen=1, table=1)
            except Exception as error:
                failed.append(error)
            finally:
                connection.close()

        threads = [threading.Thread(target=press) for _desk in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert failed == []
        assert seen(event).of_table(1).left_ms == 12 * MINUTE
