"""The pool on a real PostgreSQL: it is bounded, never gives out a dead connection, and fails at once when the database
is down."""

import signal
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError

from tests.servers.pooled import Pooled
from tests.servers.postgres import Cluster, cluster
from tests.servers.programs import NotHere
from tock_league.common.postgresql.base import DatabaseWrapper
from tock_league.common.postgresql.pool import NoneFree, Unreachable


@pytest.fixture(autouse=True)
def other_databases(django_db_blocker: Any) -> Iterator[None]:
    """Allow database wrappers made by the test; the test's own database is not used."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def pooled(postgres_cluster: Cluster) -> Iterator[Pooled]:
    """Give the wrappers of a pool of two on a cluster that stays up."""
    made = Pooled(postgres_cluster, uuid.uuid4().hex, size=2, patience=0.2)
    yield made
    made.close()


@pytest.fixture
def own_cluster() -> Iterator[Cluster]:
    """Give a cluster that the test may stop and start."""
    try:
        with cluster() as running:
            yield running
    except NotHere as reason:
        pytest.skip(f"postgresql: {reason}")


@pytest.fixture
def own_port() -> Iterator[int]:
    """Give a port that accepts connections and never sends anything."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        yield silent.getsockname()[1]


def backend(wrapper: DatabaseWrapper) -> int:
    """Return the id of the server process behind the wrapper's connection."""
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_a_connection_that_is_given_back_serves_the_next_one(pooled: Pooled) -> None:
    first, second = pooled.wrapper(), pooled.wrapper()
    served_by = backend(first)
    first.close()
    assert backend(second) == served_by
    second.close()


def test_a_caller_without_a_free_connection_fails_within_the_time_limit(pooled: Pooled) -> None:
    held = [pooled.wrapper(), pooled.wrapper()]
    assert backend(held[0]) != backend(held[1])
    begun = time.monotonic()
    with pytest.raises(OperationalError) as refused:
        pooled.wrapper().ensure_connection()
    assert isinstance(refused.value.__cause__, NoneFree)
    assert 0.2 <= time.monotonic() - begun < 1.0
    for wrapper in held:
        wrapper.close()
    late = pooled.wrapper()
    assert backend(late)
    late.close()


def test_a_waiting_caller_gets_the_returned_connection(pooled: Pooled) -> None:
    held = [pooled.wrapper(), pooled.wrapper()]
    for wrapper in held:
        wrapper.ensure_connection()
    pooled.wrapper().shared.patience = 10.0  # type: ignore[union-attr]
    got: list[int] = []

    def ask() -> None:
        wrapper = pooled.wrapper()
        got.append(backend(wrapper))
        wrapper.close()

    waiting = threading.Thread(target=ask)
    waiting.start()
    served_by = backend(held[0])
    held[0].close()
    waiting.join(10)
    held[1].close()
    assert got == [served_by]


def test_an_open_transaction_is_not_handed_on(pooled: Pooled) -> None:
    first, second = pooled.wrapper(), pooled.wrapper()
    first.set_autocommit(False)
    with first.cursor() as cursor:
        cursor.execute("CREATE TABLE never_committed (one int)")
    first.close()
    with second.cursor() as cursor:
        cursor.execute("SELECT to_regclass('never_committed')")
        assert cursor.fetchone() == (None,)
    second.close()


def test_connections_ended_by_the_server_are_not_given_out(pooled: Pooled) -> None:
    one, other, admin = pooled.wrapper(), pooled.wrapper(), pooled.wrapper()
    numbers = [backend(one), backend(other)]
    one.close()
    other.close()
    with admin.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000) FROM pg_stat_activity WHERE pid = %s", [numbers[0]] * 2)
    admin.close()
    after = [pooled.wrapper(), pooled.wrapper()]
    found = {backend(wrapper) for wrapper in after}
    assert numbers[0] not in found
    for wrapper in after:
        wrapper.close()


def test_a_database_that_is_down_fails_at_once_and_is_found_again_within_a_second(own_cluster: Cluster) -> None:
    pooled = Pooled(own_cluster, uuid.uuid4().hex, size=4, patience=2.0)
    kept, rested = pooled.wrapper(), pooled.wrapper()
    backend(kept), backend(rested)
    rested.close()
    own_cluster.stop(signal.SIGQUIT)
    with pytest.raises(OperationalError):
        backend(kept)
    kept.close()
    for _ in range(20):
        begun = time.monotonic()
        with pytest.raises(OperationalError):
            pooled.wrapper().ensure_connection()
        assert time.monotonic() - begun < 0.5
    with pytest.raises(OperationalError) as refused:
        pooled.wrapper().ensure_connection()
    assert isinstance(refused.value.__cause__, Unreachable)
    own_cluster.start()
    since = time.monotonic()
    while True:
        try:
            kept.ensure_connection()
            break
        except OperationalError:
            assert time.monotonic() - since < 1.5
            time.sleep(0.02)
    assert backend(kept)
    kept.close()
    assert kept.shared.used == 0  # type: ignore[union-attr]
    pooled.close()


def test_a_host_that_never_answers_costs_one_caller_the_timeout_and_the_others_nothing(own_port: int) -> None:
    pooled = Pooled(None, uuid.uuid4().hex, size=4, patience=2.0, HOST="127.0.0.1", PORT=str(own_port))
    begun = time.monotonic()
    with pytest.raises(OperationalError):
        pooled.wrapper().ensure_connection()
    assert 1.0 < time.monotonic() - begun < 6.0  # connect_timeout, two seconds
    begun = time.monotonic()
    with pytest.raises(OperationalError) as refused:
        pooled.wrapper().ensure_connection()
    assert time.monotonic() - begun < 0.3
    assert isinstance(refused.value.__cause__, Unreachable)
    pooled.close()
