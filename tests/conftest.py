"""What every test may ask for: a running site, visitors in browsers, servers of our own, a clock under its hand.

Run by `python3 manage.py test` (all) or by pytest itself (`pytest tests/games`). Environment: TOCK_REQUIRE turns the
absence of the servers it names (browser, postgresql, redis) from a skip into a failure; TOCK_TEST_DATABASE_URL chooses
the database; the rest belongs to the `test` command.
"""

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
from django.core.cache import cache
from django.db import connection

from tests import flushing, migrated, remembered
from tests.servers import chromium as chromium_program
from tests.servers import postgres, redis
from tests.servers.browser import Visitors
from tests.servers.programs import NotHere
from tests.servers.site import LiveSite
from tock_league.common import clock

LOOPBACK = {"127.0.0.1", "::1", "localhost", "0.0.0.0", "", None}
EVENING = datetime(2026, 11, 19, 23, 30, tzinfo=UTC)  # a Thursday, half past six in Montréal

# The same examples on every run, and no deadline: two shared cores say nothing about a single example's time.
hypothesis.settings.register_profile("tock", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("tock")


# --- which tests run -------------------------------------------------------------------------------------------------


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Browsers last: Playwright's loop, once it runs, would be in the way of the asyncio tests of the same process. Among
    # them the slow ones first, so that no process is left with a long one at the end.
    items.sort(key=browsers_last)


def browsers_last(item: pytest.Item) -> tuple[bool, bool]:
    browser = item.get_closest_marker("browser") is not None
    return browser, browser and item.get_closest_marker("slow") is None


def asked_by_us(item: pytest.Item) -> set[str]:
    """Return the fixtures that the test and our own fixtures ask for by name, without those of plugins."""
    info = item._fixtureinfo  # type: ignore[attr-defined]
    ours = (found for name in info.name2fixturedefs.values() for found in name if found.baseid.startswith("tests"))
    return set(info.argnames) | {name for found in ours for name in found.argnames}


def absent(kind: str, reason: object) -> None:
    """Skip the test for want of `kind`, or fail it where TOCK_REQUIRE names `kind`."""
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
    """Write the counts where the `test` command asked for them, and say how much the permission matrix asserted."""
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
    """Copy the database that has been migrated once; return whether it lies ready."""
    with django_db_blocker.unblock():
        return migrated.provide()


@pytest.fixture
def migrated_folder(migrated_database: bool, tmp_path: Path) -> Path:
    """Give a data folder for `serve` whose database is migrated already; on PostgreSQL `serve` has that before it."""
    migrated.seed(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest, migrated_database: bool) -> bool:
    """Keep a database that lies ready, and leave one where its whole cluster is thrown away: no fight over connections
    still open."""
    return migrated_database or bool(request.config.getvalue("reuse_db")) or "TOCK_THROWAWAY" in os.environ


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Set the database up as pytest-django does, and note what lies in it."""
    with django_db_blocker.unblock():
        remembered.begin()


@pytest.fixture(scope="session", autouse=True)
def flush_of_what_was_written() -> Iterator[None]:
    """Let the flush after a transactional test empty the tables that hold anything, append-only ones too.

    Most tests write to a dozen tables of seventy, and emptying all of them takes longer than many a test. Content types and
    permissions stay, so nobody has to write them again. The product has no switch for the triggers that refuse to empty a
    table, so the tests go round them as only the owner of the database can: SQLite's are dropped and made again by their
    own text, PostgreSQL's do not fire for a session that replicates (a superuser's).
    """
    from django.core.management.commands import flush

    whole, tell = flush.sql_flush, flush.emit_post_migrate_signal

    flush.sql_flush, flush.emit_post_migrate_signal = flushing.statements, lambda *args, **kwargs: None
    yield
    flush.sql_flush, flush.emit_post_migrate_signal = whole, tell


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """Empty the cache: what other tests asked for from this address does not count against this one."""
    cache.clear()


@pytest.fixture
def frozen_clock() -> Iterator[clock.Frozen]:
    """Give a clock that stands at EVENING until the test moves it (`set`, `advance(seconds=5)`)."""
    with clock.frozen(EVENING) as hand:
        yield hand


# --- servers ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[postgres.Cluster]:
    """Give a throwaway PostgreSQL, apart from the tests' own database."""
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

    # Playwright's loop runs in the test's own thread, where Django would refuse the ORM; nothing awaits there.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=chromium_program.flags())
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def visitors(chromium: Any, live_site: LiveSite) -> Iterator[Visitors]:
    """Give the door through which people enter the live site with their browsers."""
    inside = Visitors(chromium, live_site.url)
    yield inside
    errors = inside.leave()
    assert not errors, "the browsers' consoles complain:\n" + "\n".join(errors)
