from typing import Any

import pytest

from .world import SITE_URL


@pytest.fixture
def mail_is_sent(settings: Any) -> None:
    """A site with a mail server, where addresses are confirmed."""
    settings.SITE_URL = SITE_URL
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
