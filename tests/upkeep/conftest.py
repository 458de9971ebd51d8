"""One small site for all tests of this folder; the changes of each test are rolled back."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from tock_league.common import clock

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
