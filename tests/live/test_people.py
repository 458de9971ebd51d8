"""Which logins hold and which have ended, and who has lost a seat: one query each, for everybody at once."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.live import people
from games.live.people import ended, login_of, unseated
from games.models import Game
from games.permissions import Login, Person
from tock_league.accounts.models import User
from tock_league.common import clock

pytestmark = pytest.mark.django_db


def signed_in(address: str = "martine@tock.test") -> tuple[User, Login]:
    user = User.objects.create_user(username=address, email=address, password="la première phrase")
    session = SessionStore()
    session.create()
    return user, login_of(user, session)


@pytest.mark.both_databases
def test_an_unchanged_login_is_valid() -> None:
    _, login = signed_in()
    assert ended([login]) == set()


def test_a_changed_password_ends_every_login_of_that_user() -> None:
    user, login = signed_in()
    _, other = signed_in("gilles@tock.test")
    user.set_password("une autre phrase")
    user.save()
    assert ended([login, other]) == {login}


def test_a_deactivated_or_removed_account_ends_its_logins() -> None:
    user, login = signed_in()
    gone, other = signed_in("gilles@tock.test")
    User.objects.filter(pk=user.pk).update(is_active=False)
    gone.delete()
    assert ended([login, other]) == {login, other}


def test_a_deleted_and_an_expired_session_end_the_login() -> None:
    (_, deleted), (_, expired), (_, stands) = (signed_in(f"{name}@tock.test") for name in "abc")
    Session.objects.filter(session_key=deleted.session_key).delete()
    past = clock.now() - timedelta(seconds=1)
    Session.objects.filter(session_key=expired.session_key).update(expire_date=past)
    assert ended([deleted, expired, stands]) == {deleted, expired}


def test_a_guests_login_ends_with_the_session_and_a_visitors_never() -> None:
    session = SessionStore()
    session.create()
    guest, visitor = login_of(AnonymousUser(), session), login_of(AnonymousUser(), None)
    assert ended([guest, visitor]) == set()
    session.flush()
    assert ended([guest, visitor]) == {guest}


def test_a_session_key_that_looks_like_a_number_is_no_user() -> None:
    user, login = signed_in()
    forged = Login(session_key=str(user.pk))
    assert ended([forged, login]) == {forged}


@pytest.mark.both_databases
def test_many_logins_cost_one_query_and_visitors_none() -> None:
    logins = [signed_in(f"{n}@tock.test")[1] for n in range(5)]
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert ended([*logins, *(Login(f"guest{n}") for n in range(200))]) == {Login(f"guest{n}") for n in range(200)}
    assert len(asked) == 1
    with CaptureQueriesContext(connection) as asked:
        assert ended([Login()]) == set()
    assert len(asked) == 0


@pytest.mark.both_databases
def test_a_seat_that_somebody_else_or_a_bot_holds_now_is_lost(sat_table: Any) -> None:
    places = [(sat_table.table.pk, seat, sat_table.person(seat)) for seat in range(4)]
    assert unseated(places) == set()
    sat_table.table.seatings.filter(seat=1).update(bot="club")
    sat_table.table.seatings.filter(seat=2).update(player=None, guest_key="somebody")
    with CaptureQueriesContext(connection) as asked:
        assert unseated(places) == {places[1], places[2]}
    assert len(asked) == 1
    assert unseated([(sat_table.table.pk, 9, Person(player_id=1))]) == {(sat_table.table.pk, 9, Person(player_id=1))}


def test_who_is_at_a_running_table_without_a_command_stays_signed_in(sat_table: Any, monkeypatch: Any) -> None:
    kept: list[str] = []
    monkeypatch.setattr(people.sessions, "keep", kept.append)
    (_, there), (_, elsewhere) = signed_in(), signed_in("gilles@tock.test")
    game = Game.objects.first()
    assert game is not None
    Game.objects.filter(pk=game.pk).update(state=Game.State.PLAYING)
    present = [(there, game.table_id), (elsewhere, game.table_id + 1000)]
    people.stay(present)
    with CaptureQueriesContext(connection) as asked:
        people.stay(present)
    assert kept == [there.session_key]
    assert len(asked) == 0, "not again so soon"
