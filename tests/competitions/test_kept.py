"""What pages keep of standings and brackets equals the direct computation, after every change and for every reader.

One history of each kind of competition, with nine random changes each. `TOCK_KEPT=200` in the environment makes two hundred.
"""

import os
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tock_league.common.errors import NotThere
from tock_league.common.transactions import rolled_back, writing
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.rankings.kept import bracket, keeping, making, rows, shown
from tock_league.competitions.selectors.rankings.kept.keeping import kept
from tock_league.competitions.selectors.rankings.kept.rounds import MOST_MATCHES, round_under_way

from .kept_world import Changed, again, as_kept, direct, drawn_anew, parts_of, version
from .onlooker import KINDS, STATES
from .world import FIRST_ROUND, a_plan, a_tournament, decide, play_on, under_way

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.both_databases,
    *([pytest.mark.timeout(0)] if "TOCK_KEPT" in os.environ else []),
]
HISTORIES = int(os.environ.get("TOCK_KEPT", "1"))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_kept_is_what_the_results_give_after_each_random_change(hand, kind):
    hand.set(FIRST_ROUND)
    steps = 0
    for seed in range(HISTORIES):
        history = Changed(kind, 1000 + seed)
        for _ in range(STATES):
            steps += bool(history.step())
            assert as_kept(history.competition) == direct(history.competition)
        history.restore()
        assert as_kept(history.competition) == direct(history.competition)
    assert steps >= HISTORIES * STATES // 3  # the others were refused


def test_a_draw_and_its_taking_back_are_seen(hand):
    states = []
    for cup in drawn_anew(5):
        assert as_kept(cup) == direct(cup)
        states.append(len(as_kept(cup)["nodes"]))
    assert states == [0, 5, 0, 5]


@pytest.fixture
def computed(monkeypatch) -> list[int]:
    """The competitions that were computed, in order."""
    found: list[int] = []
    made = making.made

    def noting(competition: Competition) -> rows.Kept:
        found.append(competition.pk)
        return made(competition)

    monkeypatch.setattr(making, "made", noting)
    return found


def test_it_is_computed_once_for_all_readers_and_again_after_a_change(hand, computed):
    cup = a_tournament(4, plan=a_plan("swiss"))
    for _ in range(3):
        as_kept(cup)
    assert len(computed) == 1
    decide(under_way(cup)[0], 0)
    for _ in range(3):
        assert as_kept(cup) == direct(cup)
    assert len(computed) == 2


def test_what_a_transaction_has_not_committed_is_kept_for_nobody(hand, computed):
    cup = a_tournament(4, plan=a_plan("swiss"))
    before = as_kept(cup)
    with writing():
        decide(under_way(cup)[0], 0)
        assert as_kept(cup) == direct(cup), "inside, it is what the transaction has written"
    with rolled_back():
        decide(under_way(cup)[0], 1)
        as_kept(cup)
    assert as_kept(cup) == direct(cup) != before


def test_an_empty_cache_costs_a_computation_and_nothing_else(hand, computed):
    cup = a_tournament(4)
    first = as_kept(cup)
    caches["kept"].clear()
    assert as_kept(cup) == first
    assert len(computed) == 2


def test_no_name_is_kept_and_a_hidden_one_is_gone_at_once(hand):
    cup = a_tournament(4, plan=a_plan("swiss"))
    play_on(cup, matches=3)
    whole, why = keeping.explained(again(cup))
    entry = cup.entries.select_related("team").first()
    for name in cup.entries.values_list("team__name", flat=True):
        assert name not in repr(whole)
        assert all(name.encode() not in found for found in why.values())
    number = version(cup)
    type(entry.team).objects.filter(pk=entry.team_id).update(name="Nom caché")
    assert version(cup) == number
    names = [line.name for line in shown.tables(again(cup), kept(again(cup)))[0].lines]
    assert "Nom caché" in names


def test_an_unknown_version_is_never_kept(hand, computed):
    cup = a_tournament(4)
    cup.version.delete()
    first = as_kept(cup)
    assert as_kept(cup) == first == direct(cup)
    assert len(computed) > 2


@pytest.mark.parametrize(
    ("teams", "sizes"), [(4, [4]), (32, [32]), (33, []), (64, [15] * 4 + [4]), (128, [15] * 8 + [8])]
)
def test_a_large_bracket_is_shown_in_parts(teams, sizes):
    assert sum(parts_of(teams)) == teams
    assert teams == 33 or parts_of(teams) == sizes


def test_each_reader_begins_at_the_part_where_they_play(hand):
    cup = again(a_tournament(33))
    visitor = bracket.bracket_page(cup, kept(cup))
    assert visitor is not None
    assert [one.key for one in visitor.parts] == ["1", "2", "3", "4", "last"]
    assert [one.is_shown for one in visitor.parts] == [True, False, False, False, False]
    for entry in cup.entries.order_by("seed")[:5]:
        player = entry.roster.first().player
        page = bracket.bracket_page(cup, kept(cup), player)
        assert page is not None
        assert [one.key for one in page.parts if one.is_own] == [one.key for one in page.parts if one.is_shown]
        assert any(node.view.mine for node in page.drawing.nodes)
    for wrong in ("0", "9", "x", "-1", "١"):
        with pytest.raises(NotThere):
            bracket.bracket_page(cup, kept(cup), part=wrong)


def test_a_long_table_has_pages_and_says_where_the_reader_stands(hand, monkeypatch):
    monkeypatch.setattr(shown, "MOST_LINES", 4)
    cup = again(a_tournament(9, plan=a_plan("swiss")))
    found = kept(cup)
    last = found.tables[0].lines[-1]
    reader = cup.entries.get(pk=last.entry).roster.first().player
    pages = [shown.tables(cup, found, reader, first=first, most=4)[0] for first in (1, 6, 9, 10, 0)]
    assert [len(page.lines) for page in pages] == [4, 4, 1, 4, 4]
    assert [page.first for page in pages] == [1, 5, 9, 1, 1]
    assert pages[0].pages == [(1, 4), (5, 8), (9, 9)]
    assert [len(page.own) for page in pages] == [1, 1, 0, 1, 1]
    assert [line.is_own for line in pages[2].lines] == [True]


def test_a_large_round_is_shown_in_part_the_readers_match_first(hand):
    cup = again(a_tournament(2 * MOST_MATCHES + 4, plan=a_plan("swiss")))
    last = cup.matches.order_by("number").last()
    reader = last.side_rows.first().entry.roster.first().player
    part = round_under_way(cup, kept(cup), reader)
    assert part is not None
    assert (len(part.matches), part.rest, part.matches[0].match) == (MOST_MATCHES, 2, last)
    other = round_under_way(cup, kept(cup))
    assert other is not None
    assert last not in [view.match for view in other.matches]


def test_a_reader_takes_the_same_queries_whatever_the_size(hand, client):
    counts = []
    for teams in (8, 40):
        cup = a_tournament(teams, plan=a_plan("swiss"))
        address = f"/competitions/{cup.slug}/"
        assert client.get(address).status_code == 200
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 14


@pytest.mark.django_db(transaction=True)
def test_readers_at_once_compute_once_and_agree(hand, computed):
    cup = a_tournament(4, plan=a_plan("swiss"))
    play_on(cup, matches=2)
    computed.clear()
    found = _at_once(*[lambda: as_kept(cup)] * 4)
    assert all(one == direct(cup) for one in found)
    assert len(computed) == 1


@pytest.mark.django_db(transaction=True)
def test_another_process_sees_each_commit(hand):
    cup = a_tournament(4, plan=a_plan("swiss"))
    other = _Reader(cup)
    try:
        assert other.read() == repr(as_kept(cup))
        for match in under_way(cup):
            decide(match, 1)
            assert other.read() == repr(as_kept(cup)) == repr(direct(cup))
    finally:
        other.end()


class _Reader:
    """A process of its own, forked from this one, with its own connection and its own cache."""

    def __init__(self, competition: Competition) -> None:
        (asked, self._ask), (self._told, tell) = os.pipe(), os.pipe()
        self._pid = os.fork()
        if self._pid:
            os.close(asked)
            os.close(tell)
            return
        os.close(self._ask)
        os.close(self._told)
        code = 1
        try:
            inherited, connection.connection = connection.connection, None  # not closed: it is the other one's
            while os.read(asked, 1):
                text = repr(as_kept(competition)).encode()
                os.write(tell, len(text).to_bytes(8, "big") + text)
            code = 0 if inherited is not None else 1
        finally:
            os._exit(code)

    def read(self) -> str:
        os.write(self._ask, b"?")
        size, text = int.from_bytes(os.read(self._told, 8), "big"), b""
        while len(text) < size:
            text += os.read(self._told, size - len(text))
        return text.decode()

    def end(self) -> None:
        os.close(self._ask)
        assert os.waitpid(self._pid, 0)[1] == 0


def _at_once(*works: Callable[[], Any]) -> list[Any]:
    barrier, found = threading.Barrier(len(works)), [None] * len(works)

    def run(place: int, work: Callable[[], Any]) -> None:
        try:
            barrier.wait(30)
            found[place] = work()
        except Exception as error:
            found[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return found
