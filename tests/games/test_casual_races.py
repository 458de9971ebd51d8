"""People at casual tables who press at once: real threads, on both databases."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from games.models import Game, Seating, Table
from games.permissions import Person
from games.services import casual
from tests.games.casual import ANA, BEA, CLO, DAN, GUESTS, NAMES, begun, full, opened, seats, send
from tests.games.test_races import at_once
from tock_league.common.errors import Refused

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def code_of(work: Callable[[], object]) -> str:
    """Return the code of the refusal, empty if the work was done."""
    try:
        work()
    except Refused as refused:
        return refused.code
    return ""


def sitting(code: str, seat: int, by: Person) -> Callable[[], str]:
    return partial(code_of, partial(casual.sit, code, seat, by=by, name=NAMES[by]))


def test_one_seat_for_which_six_people_press_has_one_holder() -> None:
    code = opened()
    answers = at_once(*[sitting(code, 2, by) for by in GUESTS[1:7]])
    assert Counter(answers) == {"": 1, "taken": 5}
    assert Seating.objects.filter(table__casual__code=code).count() == 2


def test_eight_people_who_want_any_seat_meet_at_two_tables() -> None:
    found = at_once(*[partial(casual.quick_seat, by=by, name=NAMES[by]) for by in GUESTS])
    assert Counter(Counter(one.code for one in found).values()) == {4: 2}
    assert Game.objects.count() == 2
    assert Table.objects.count() == 2


def test_a_game_that_all_begin_at_once_begins_once_and_so_does_a_rematch() -> None:
    code = full()
    at_once(*[partial(casual.begin, code, by=by) for by in (ANA, BEA, CLO, DAN)])
    assert Game.objects.count() == 1
    send(begun(code), 0, ANA, "resign")
    orders = zip((ANA, BEA, CLO, DAN), ("sides", "partners", "same", "sides"), strict=True)
    at_once(*[partial(casual.again, code, by=by, seats=order) for by, order in orders])
    assert Game.objects.count() == 2
    assert sorted(seats(code)) == ["Ana", "Béa", "Clo", "Dan"]


def test_nobody_gets_a_fourth_seat_by_pressing_at_once() -> None:
    codes = [opened(by=by) for by in GUESTS[1:6]]
    answers = at_once(*[sitting(code, 1, ANA) for code in codes])
    assert Counter(answers) == {"": 3, "three_seats": 2}
