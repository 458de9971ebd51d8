"""One small site for all tests of this folder, committed to a database of its own."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from tock_league.common import clock
from tock_league.upkeep import databases
from tock_league.upkeep.backup import backup

from .home import a_home, programs
from .world import START


@pytest.fixture(scope="package")
def home_settings(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Any]]:
    """The settings of a database that holds the small site; tests only read it."""
    with django_db_blocker.unblock(), a_home(tmp_path_factory.mktemp("home")) as settings:
        django_db_blocker.restore()
        yield settings
        django_db_blocker.unblock()


@pytest.fixture
def home(home_settings: dict[str, Any], db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The small site as the default database, a day later."""
    if connection.vendor == "postgresql":
        monkeypatch.setenv("PATH", os.pathsep.join([programs(), os.environ["PATH"]]))
    with databases.as_default(databases.opened(home_settings)), clock.frozen(START) as hand:
        hand.advance(days=1)
        yield home_settings


@pytest.fixture
def site(home: dict[str, Any]) -> Iterator[None]:
    """The small site in a transaction that is rolled back, so that a test may change it."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="package")
def _copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("copies")


@pytest.fixture
def good(home: dict[str, Any], _copies: Path) -> Path:
    """A copy of the small site."""
    path = _copies / "copy.zip"
    return path if path.exists() else backup(path).path
