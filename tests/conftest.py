"""Fixtures for every test: a running site, visitors in browsers, servers, a clock that the test controls.

Run by `python3 manage.py test` (all) or by pytest itself (`pytest tests/games`). Environment: TOCK_REQUIRE turns the
absence of the servers it names (browser, postgresql, redis) from a skip into a failure; TOCK_TEST_DATABASE_URL chooses
the database; the rest belongs to the `test` command.
"""

import gc
import json
import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.utils import translation

from tests import flushing, migrated, remembered
from tests.servers import chromium as chromium_program
from tests.servers import postgres, redis
from tests.servers.browser import Visitors
from tests.servers.programs import NotHere
from tests.servers.site import LiveSite
from tock_league.common import clock

LOOPBACK = {"127.0.0.1", "::1", "localhost", "0.0.0.0", "", None}
EVENING = datetime(2026, 11, 19, 23, 30, tzinfo=UTC)  # a Thursday, half past six in Montréal

# The same examples on every run, and no deadline: the time of a single example varies too much on two shared cores.
hypothesis.settings.register_profile("tock", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("tock")


# --- which tests run -------------------------------------------------------------------------------------------------


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Browser tests run last, because Playwright's event loop, once it runs, would disturb the asyncio tests of the same
    # process. The slow ones among them run first, those with the longest timeout before the others, so that the run does
    # not end with one process that waits for a long one.
    items.sort(key=browsers_last)


def pytest_collection_finish() -> None:
    """Take what collecting has made, millions of objects, out of the garbage collector's sight: 5 % of the run's CPU."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def browsers_last(item: pytest.Item) -> tuple[bool, int]:
    browser = item.get_closest_marker("browser") is not None
    timeout = item.get_closest_marker("timeout")
    slow = browser and item.get_closest_marker("slow") is not None
    return browser, -(timeout.args[0] if timeout else 1) if slow else 0


def asked_by_us(item: pytest.Item) -> set[str]:
    """Return the fixtures that the test and the project's fixtures request by name, without those of plugins."""
    info = item._fixtureinfo  # type: ignore[attr-defined]
    ours = (found for name in info.name2fixturedefs.values() for found in name if found.baseid.startswith("tests"))
    return set(info.argnames) | {name for found in ours for name in found.argnames}


def absent(kind: str, reason: object) -> None:
    """Skip the test because `kind` is missing, or fail it where TOCK_REQUIRE names `kind`."""
    if kind in os.environ.get("TOCK_REQUIRE", "").split(","):
        pytest.fail(f"{kind} is required here: {reason}", pytrace=False)
    pytest.skip(f"{kind}: {reason}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if reason := os.environ.get("TOCK_NO_POSTGRESQL"):
        absent("postgresql", reason)  # the whole run was for PostgreSQL, and there is none
    if item.get_closest_marker("postgresql") and "postgres" not in settings.DATABASES["default"]["ENGINE"]:
        pytest.skip("runs on PostgreSQL only: python3 manage.py test --db postgresql")
    remembered.note_test(asked_by_us(item))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Write the counts to the file of the `test` command, and print the number of assertions of the permission
    matrix."""
    passed = terminalreporter.stats.get("passed", [])
    if cells := sum(value for report in passed for name, value in report.user_properties if name == "permission_cells"):
        terminalreporter.write_line(f"permission matrix: {cells} cells asserted")
    if path := os.environ.get("TOCK_TEST_TALLY"):
        counts = {outcome: len(reports) for outcome, reports in terminalreporter.stats.items() if outcome}
        Path(path).write_text(json.dumps(counts), encoding="ascii")


# --- nothing leaves this machine -------------------------------------------------------------------------------------


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """Refuse every connection beyond loopback and Unix sockets, for the whole session."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOOPBACK:
            raise RuntimeError(f"a test reached for the network: {address!r}")
        real(self, address)

    socket.socket.connect = connect  # type: ignore[method-assign]
    yield
    socket.socket.connect = real  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def migrated_database(django_db_modify_db_settings_parallel_suffix: None, django_db_blocker: Any) -> bool:
    """Copy the database that has been migrated once; return whether the copy exists."""
    with django_db_blocker.unblock():
        return migrated.provide()


@pytest.fixture
def migrated_folder(migrated_database: bool, tmp_path: Path) -> Path:
    """Give a data folder for `serve` with a migrated database; on PostgreSQL `serve` has one already."""
    migrated.seed(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest, migrated_database: bool) -> bool:
    """Keep a copied database, and one whose whole cluster is removed afterwards: connections that are still open would
    prevent dropping it."""
    return migrated_database or bool(request.config.getvalue("reuse_db")) or "TOCK_THROWAWAY" in os.environ


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Set the database up as pytest-django does, and record its initial rows."""
    with django_db_blocker.unblock():
        remembered.begin()


@pytest.fixture(scope="session", autouse=True)
def flush_of_what_was_written() -> Iterator[None]:
    """Let the flush after a transactional test empty only the tables that have rows, including append-only ones.

    Most tests write to a dozen of seventy tables, and emptying all of them takes longer than many tests. Content types
    and permissions stay, so that they need not be written again. The product has no switch for the triggers that refuse
    to empty a table, so the tests bypass them with the rights of the database's owner: SQLite's triggers are dropped
    and created again from their own text, PostgreSQL's do not fire in a session with the replica role (which needs a
    superuser).
    """
    from django.core.management.commands import flush

    whole, tell = flush.sql_flush, flush.emit_post_migrate_signal

    flush.sql_flush, flush.emit_post_migrate_signal = flushing.statements, lambda *args, **kwargs: None
    yield
    flush.sql_flush, flush.emit_post_migrate_signal = whole, tell


@pytest.fixture(autouse=True)
def language_of_the_site() -> Iterator[None]:
    """Begin each test in the site's language: a request leaves its own one active in the thread, for the next test too."""
    yield
    translation.deactivate()


@pytest.fixture
def english(language_of_the_site: None) -> None:
    """Make the texts that the test reads without a request English ones."""
    translation.activate("en")


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """Empty the caches, so that requests of other tests from this address do not count against this one, and standings
    that another test has kept are not shown in this one."""
    for each in caches.all(initialized_only=True):
        each.clear()


@pytest.fixture
def frozen_clock() -> Iterator[clock.Frozen]:
    """Give a clock that stands at EVENING until the test moves it (`set`, `advance(seconds=5)`)."""
    with clock.frozen(EVENING) as hand:
        yield hand


@pytest.fixture
def hand() -> Iterator[clock.Frozen]:
    """Give a clock that stands at noon of the first league day until the test moves it: `hand.advance(minutes=5)`."""
    from tests.competitions.world import START  # here: it imports the models

    with clock.frozen(START) as held:
        yield held


# --- servers ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[postgres.Cluster]:
    """Give a temporary PostgreSQL, separate from the tests' own database."""
    try:
        with postgres.cluster() as running:
            yield running
    except NotHere as reason:
        absent("postgresql", reason)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[redis.Redis]:
    """Give a Redis."""
    try:
        with redis.server() as running:
            yield running
    except NotHere as reason:
        absent("redis", reason)


@pytest.fixture
def live_site(transactional_db: None) -> Iterator[LiveSite]:
    """Give the running site: `live_site.url`; web server, deadline scheduler, Celery worker and beat in threads."""
    site = LiveSite()
    site.start()
    try:
        yield site
    finally:
        site.stop()
        connection.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Give the browser, started once a session."""
    try:
        program = chromium_program.program()
    except NotHere as reason:
        absent("browser", reason)
    from playwright.sync_api import sync_playwright

    # Playwright's loop runs in the test's own thread, where Django would refuse the ORM; no code awaits there.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=chromium_program.flags())
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def visitors(chromium: Any, live_site: LiveSite) -> Iterator[Visitors]:
    """Give the object that opens browsers on the live site, one for each person."""
    inside = Visitors(chromium, live_site.url)
    yield inside
    errors = inside.leave()
    assert not errors, "the browsers' consoles complain:\n" + "\n".join(errors)
