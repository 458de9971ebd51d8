"""A play costs four statements, and uses the login and the seat as they are in the database at that moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection

from games.fold import Viewer, view
from games.models import Game, GameEvent, Seating
from games.permissions import Login, mark_of
from games.services import play
from tock_league.accounts.models import User
from tock_league.accounts.services import create_player
from tock_league.common import clock
from tock_league.common.transactions import writing

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@contextmanager
def statements_run() -> Iterator[list[str]]:
    """Collect the SQL executed inside the block, without savepoints."""
    seen: list[str] = []

    def collect(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.split()[0] in ("SELECT", "INSERT", "UPDATE", "DELETE"):
            seen.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(collect):
        yield seen


@pytest.fixture
def login() -> Login:
    """A signed-in person: a user with a session."""
    with writing():
        user = User.objects.create(email="a@example.org")
        user.set_password("a long enough password")
        user.save()
        session = SessionStore()
        session.create()
    return Login(session.session_key or "", user.pk, mark_of(user.password))


def request_of(sat: Any, seat: int, id: str, *, login: Login | None = None, **more: Any) -> play.Request:
    """Return the request to play the seat's first legal line."""
    line = view(sat.state, Viewer(seat))["legal"][0]
    asked: dict[str, Any] = {
        "turn": sat.state.decision_id,
        "kind": "play",
        "args": {"play": line},
        "by": sat.person(seat),
    }
    return play.Request(table_id=sat.table.pk, seat=seat, id=id, login=login, **(asked | more))


def test_a_play_runs_four_statements_and_writes_what_has_changed(
    sat_table: Any, login: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = sat_table.begin()
    request = request_of(sat_table, seat, "c1", login=login)
    state = sat_table.state
    monkeypatch.setattr("games.store.current", lambda game: state)  # cached since the play before
    with statements_run() as seen:
        assert play.submit_one(request) == play.Answer("c1", state.seq + 1)
    assert [sql.split()[0] for sql in seen] == ["SELECT", "SELECT", "INSERT", "UPDATE"]
    assert '"last_seq"' in seen[3]
    assert '"slug"' not in seen[3]
    monkeypatch.undo()
    after = sat_table.state
    game = Game.objects.get(pk=sat_table.game.pk)
    assert (game.last_seq, game.decision, game.turn) == (after.seq, after.decision_id, min(after.to_act))


def test_a_refusal_writes_nothing(sat_table: Any) -> None:
    seat = sat_table.begin()
    with statements_run() as seen:
        answer = play.submit_one(request_of(sat_table, seat, "c1", args={"play": "9C t1-t2"}))
    assert answer.code == "illegal"
    assert {sql.split()[0] for sql in seen} == {"SELECT"}


def sign_out(login: Login) -> None:
    Session.objects.filter(session_key=login.session_key).delete()


def let_expire(login: Login) -> None:
    Session.objects.update(expire_date=clock.now() - timedelta(seconds=1))


def change_password(login: Login) -> None:
    user = User.objects.get(pk=login.user_id)
    user.set_password("another long password")
    user.save()


def deactivate(login: Login) -> None:
    User.objects.update(is_active=False)


@pytest.mark.parametrize("end", [sign_out, let_expire, change_password, deactivate])
def test_a_login_that_has_ended_is_refused_with_the_next_command(
    sat_table: Any, login: Login, end: Callable[[Login], None]
) -> None:
    seat = sat_table.begin()
    assert not play.submit_one(request_of(sat_table, seat, "c1", login=login)).code
    seat, before = min(sat_table.state.to_act), GameEvent.objects.count()
    with writing():
        end(login)
    assert play.submit_one(request_of(sat_table, seat, "c2", login=login)).code == "auth"
    assert GameEvent.objects.count() == before


def test_a_lost_seat_is_refused_with_the_next_command(sat_table: Any) -> None:
    seat = sat_table.begin()
    request = request_of(sat_table, seat, "c1")
    with writing():
        Seating.objects.filter(table=sat_table.table, seat=seat).update(player=create_player(display_name="Zoé"))
    assert play.submit_one(request).code == "seat_lost"


def test_a_repeated_id_gets_the_same_answer_marked_as_duplicate(sat_table: Any) -> None:
    seat = sat_table.begin()
    request = request_of(sat_table, seat, "c1")
    first = play.submit_one(request)
    assert play.submit_one(request) == play.Answer("c1", first.seq, dup=True)


def test_a_command_of_a_game_that_is_over_does_not_act_in_the_next_one(open_table: Callable[..., Any]) -> None:
    sat = open_table(best_of=3)
    sat.begin()
    first = sat.game
    late = play.Request(sat.table.pk, 0, "c1", "0.1", "resign", {}, sat.person(0), game=first.slug)
    assert not play.submit_one(play.Request(sat.table.pk, 1, "c0", "0.1", "resign", {}, sat.person(1))).code
    sat.begin()
    assert sat.game.number == 2
    before = GameEvent.objects.count()
    assert play.submit_one(late).why == "other_game"
    assert GameEvent.objects.count() == before
