"""One loaded demo league for all tests of this folder: loading it takes seconds, and the changes of each test are
rolled back."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from tock_league.common import clock
from tock_league.demo import load

NOW = datetime(2026, 11, 21, 20, 15, tzinfo=UTC)


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(autouse=True)
def own_passwords(data_folder: Path, settings: Any) -> None:
    settings.DATA = data_folder


@pytest.fixture(scope="package")
def loaded(django_db_setup: None, django_db_blocker: Any, data_folder: Path) -> Iterator[list[str]]:
    """The lines that the first start printed; the whole league is in the database, in a transaction that is never
    committed."""
    from django.test import override_settings

    with django_db_blocker.unblock(), override_settings(DATA=data_folder):
        whole = transaction.atomic()
        whole.__enter__()
        try:
            with clock.frozen(NOW):
                yield load.prepare(NOW)
        finally:
            transaction.set_rollback(True)
            whole.__exit__(None, None, None)
            connection.close()


@pytest.fixture
def league(loaded: list[str], db: None) -> Iterator[clock.Frozen]:
    """The loaded league at the time of its loading, with the clock under the test's control."""
    with clock.frozen(NOW) as hand:
        yield hand
