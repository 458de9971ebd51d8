from collections.abc import Iterator
from typing import Any

import pytest

from tests.competitions.world import START
from tock_league.common import clock

from .world import SITE_URL


@pytest.fixture
def hand() -> Iterator[clock.Frozen]:
    """The clock, frozen at noon of the first league day: no hour is quiet."""
    with clock.frozen(START) as held:
        yield held


@pytest.fixture
def mail_is_sent(settings: Any) -> None:
    """A site with a mail server, where addresses are confirmed."""
    settings.SITE_URL = SITE_URL
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
