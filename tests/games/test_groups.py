"""Commands of many tables in one transaction: each is answered as if it were alone, and no error affects another one."""

import threading
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections

from games import store
from games.fold import Viewer, view
from games.models import GameEvent
from games.services import play, results
from tock_league.common.transactions import writing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def tables(open_table: Callable[..., Any]) -> list[Any]:
    """Four tables of the same four people, each with a play to make."""
    found = [open_table() for _ in range(4)]
    for sat in found:
        sat.begin()
    return found


def asked(sat: Any, **more: Any) -> play.Request:
    """Return a request of the table's seat to act, by default with its first legal line."""
    seat = min(sat.state.to_act)
    wanted: dict[str, Any] = {
        "table_id": sat.table.pk,
        "seat": seat,
        "id": str(uuid.uuid4()),
        "turn": sat.state.decision_id,
        "kind": "play",
        "args": {"play": view(sat.state, Viewer(seat))["legal"][0]},
        "by": sat.person(seat),
    }
    return play.Request(**(wanted | more))


def commits(work: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> tuple[Any, int]:
    """Return the result of `work`, and the number of committed transactions."""
    wrapper = connections["default"]
    count, real = [0], wrapper._commit

    def counted() -> None:
        count[0] += 1
        real()

    monkeypatch.setattr(wrapper, "_commit", counted)
    return work(), count[0]


def test_commands_that_wait_together_share_a_commit(tables: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    requests = [asked(sat) for sat in tables]
    answers, count = commits(lambda: play.submit_group(requests), monkeypatch)
    assert count == 1
    for sat, request, answer in zip(tables, requests, answers, strict=True):
        assert answer == play.Answer(request.id, sat.game.last_seq)
        assert store.answered(sat.table.pk, request.id) == (answer.seq, request.digest)


def test_answers_come_in_the_order_of_the_requests(tables: list[Any]) -> None:
    first = asked(tables[0])
    assert not play.submit_one(first).code
    requests = [asked(tables[3]), asked(tables[1], args={"play": "9C t1-t2"}), first, asked(tables[2], turn="0.1")]
    found = play.submit_group(requests)
    assert [answer.id for answer in found] == [request.id for request in requests]
    assert [(answer.code, answer.dup) for answer in found] == [
        ("", False),
        ("illegal", False),
        ("", True),
        ("stale_turn", False),
    ]


def test_an_error_at_one_table_does_not_undo_the_other_plays(
    tables: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, real = tables[1].game.pk, results.conclude

    def conclude(draft: Any) -> None:
        real(draft)
        if draft.game.pk == broken:
            raise RuntimeError("a fault of ours, after the rows were written")

    monkeypatch.setattr(play, "conclude", conclude)
    before = [sat.game.last_seq for sat in tables]
    requests = [asked(sat) for sat in tables]
    found = play.submit_group(requests)
    assert [answer.code for answer in found] == ["", "internal", "", ""]
    assert [sat.game.last_seq - seq for sat, seq in zip(tables, before, strict=True)] == [1, 0, 1, 1]
    monkeypatch.undo()
    assert not play.submit_one(requests[1]).code


def test_two_commands_of_one_table_in_a_group_are_carried_out_in_order(tables: list[Any]) -> None:
    first = asked(tables[0])
    found = play.submit_group([first, first, asked(tables[1])])
    assert [(answer.code, answer.dup) for answer in found] == [("", False), ("", True), ("", False)]
    assert GameEvent.objects.filter(command_id=first.id).count() == 1


def test_the_end_of_a_game_closes_its_group(tables: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    requests = [asked(sat) for sat in tables]
    requests[1] = asked(tables[1], kind="resign", args={})
    found, count = commits(lambda: play.submit_group(requests), monkeypatch)
    assert [answer.code for answer in found] == ["", "", "", ""]
    assert count >= 2


@pytest.mark.postgresql
def test_a_table_that_is_locked_elsewhere_does_not_delay_the_others(tables: list[Any]) -> None:
    locked, done = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with writing():
                store.lock(tables[0].game.pk)
                locked.set()
                done.wait(30)
        finally:
            connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    assert locked.wait(10)
    requests = [asked(sat) for sat in tables]
    found = play.submit_group(requests)
    assert found[0] is None
    assert [answer and answer.code for answer in found[1:]] == ["", "", ""]
    done.set()
    holder.join(30)
    assert not play.submit_one(requests[0]).code
