"""One small site for all tests of this folder; the changes of each test are rolled back."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from tock_league.common import clock
from tock_league.upkeep import databases

from .home import a_home, programs
from .world import START, a_site


@pytest.fixture(scope="package")
def built(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The site, in a transaction that is never committed."""
    with django_db_blocker.unblock():
        whole = transaction.atomic()
        whole.__enter__()
        try:
            with clock.frozen(START) as hand:
                a_site(hand)
                yield
        finally:
            transaction.set_rollback(True)
            whole.__exit__(None, None, None)
            connection.close()


@pytest.fixture
def site(built: None, db: None) -> Iterator[None]:
    """A small site with one of everything that is verified, a day later."""
    with clock.frozen(START) as hand:
        hand.advance(days=1)
        yield


@pytest.fixture(scope="package")
def home_settings(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Any]]:
    """The settings of a database that holds the small site, committed; tests only read it."""
    with django_db_blocker.unblock(), a_home(tmp_path_factory.mktemp("home")) as settings:
        django_db_blocker.restore()
        yield settings
        django_db_blocker.unblock()


@pytest.fixture
def home(home_settings: dict[str, Any], db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The committed small site as the default database, a day later."""
    if connection.vendor == "postgresql":
        monkeypatch.setenv("PATH", os.pathsep.join([programs(), os.environ["PATH"]]))
    with databases.as_default(databases.opened(home_settings)), clock.frozen(START) as hand:
        hand.advance(days=1)
        yield home_settings
