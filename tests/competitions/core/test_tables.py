"""Tables of a hall: laws for every number of matches and tables, and teams that keep their table."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.every import every
from tock_league.competitions.core.tables import Meeting, Place, assign


def places(count, **kept):
    return [Place(number, **kept.get(f"t{number}", {})) for number in range(1, count + 1)]


def meetings(pairs, **more):
    return [Meeting(key, frozenset(pair), **more) for key, pair in enumerate(pairs)]


@every("teams, tables", [(teams, tables) for teams in range(2, 129) for tables in {0, 1, teams // 2, teams}])
def test_no_table_is_given_twice_and_none_stays_free_while_a_match_waits(teams, tables):
    chance = random.Random(100 * teams + tables)
    pairs = [(2 * key, 2 * key + 1) for key in range(teams // 2)]
    busy = chance.sample(range(1, tables + 1), tables // 3)
    last = [tuple(chance.sample(range(1, tables + 1), min(2, tables))) for _pair in pairs]
    asked = [Meeting(key, frozenset(pair), last=last[key]) for key, pair in enumerate(pairs)]
    found = assign(asked, places(tables), busy)
    assert len(set(found.values())) == len(found) == min(len(pairs), tables - len(busy))
    assert not set(found.values()) & set(busy)


def test_without_wishes_the_lowest_numbers_are_given_in_order():
    assert assign(meetings([(1, 2), (3, 4), (5, 6)]), places(5), busy={2}) == {0: 1, 1: 3, 2: 4}


def test_a_kept_table_is_for_its_team_alone():
    kept = places(3, t1={"entry": 6})
    assert assign(meetings([(1, 2), (3, 4), (5, 6)]), kept, ()) == {0: 2, 1: 3, 2: 1}
    assert assign(meetings([(1, 2), (3, 4), (5, 7)]), kept, ()) == {0: 2, 1: 3}


def test_a_table_of_finals_waits_for_them_and_a_final_takes_another_one_only_if_it_must():
    hall = places(3, t1={"final": True})
    last = [Meeting(0, frozenset((1, 2))), Meeting(1, frozenset((3, 4)), is_final=True)]
    assert assign(last, hall, ()) == {0: 2, 1: 1}
    assert assign(last, hall, {1}) == {0: 2, 1: 3}


def test_one_team_of_each_match_stays_where_it_was():
    # Round 1: 1-2 at table 1, 3-4 at 2, 5-6 at 3. Round 2: 2-3, 4-5, 6-1.
    asked = [
        Meeting(0, frozenset((2, 3)), last=(1, 2)),
        Meeting(1, frozenset((4, 5)), last=(2, 3)),
        Meeting(2, frozenset((6, 1)), last=(3, 1)),
    ]
    assert assign(asked, places(3), ()) == {0: 1, 1: 2, 2: 3}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(1, 8), max_size=2, unique=True), min_size=1, max_size=8))
def test_no_other_choice_keeps_more_teams_at_their_table(wishes):
    asked = [Meeting(key, frozenset((2 * key, 2 * key + 1)), last=tuple(wish)) for key, wish in enumerate(wishes)]
    found = assign(asked, places(8), ())
    assert sum(found[meeting.key] in meeting.last for meeting in asked) == most(wishes, frozenset())


def most(wishes, taken):
    if not wishes:
        return 0
    rest = most(wishes[1:], taken)
    return max([rest, *(1 + most(wishes[1:], taken | {number}) for number in wishes[0] if number not in taken)])
