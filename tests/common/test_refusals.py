"""Each refused authorisation is one line and one count, without a secret; a flood of them does not flood the log."""

import logging
from typing import Any

import pytest
from django.test import Client

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import services as clubs
from tock_league.common import refusals
from tock_league.common.metrics import REFUSALS

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@pytest.fixture(autouse=True)
def fresh_window() -> None:
    refusals._window.clear()


@pytest.fixture
def odette(client: Client) -> Player:
    user = create_user(email="odette@example.org", password="une phrase assez longue")
    client.force_login(user, backend=BACKEND)
    return create_player(display_name="Odette Hamelin", user=user)


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, str]]:
    return [record.details for record in caplog.records if record.getMessage() == "authorisation refused"]  # type: ignore[attr-defined]


def counted(by: str) -> float:
    return REFUSALS.labels(by)._value.get()


def test_a_refused_person_is_one_line_and_one_count(
    client: Client, odette: Player, caplog: pytest.LogCaptureFixture
) -> None:
    club = clubs.found_club(by=SITE, name="Les Pieux", town="Ici")
    before = counted("permission"), counted("page")
    assert client.post(f"/clubs/{club.slug}/edit/", {"name": "À moi", "town": "Ici"}).status_code == 403
    assert lines(caplog) == [{"who": f"player:{odette.slug}", "action": "club.edit", "needed": "club_officer"}]
    assert (counted("permission"), counted("page")) == (before[0] + 1, before[1])


def test_a_failed_check_of_origin_is_one_line_without_address_or_form(
    odette: Player, caplog: pytest.LogCaptureFixture
) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/teams/invitations/a-secret-token/answer/", {"accept": "yes"}).status_code == 403
    assert lines(caplog) == [{"page": "clubs:answer_link", "method": "POST"}]
    assert "a-secret-token" not in caplog.text


def test_visitors_and_granted_requests_are_no_lines(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    assert client.get("/").status_code == 200
    assert client.get("/profile/").status_code == 302
    assert lines(caplog) == []


def test_a_flood_is_counted_and_not_written(
    client: Client, odette: Player, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "MOST_LINES", 3)
    before = counted("permission")
    for _ in range(6):
        client.get("/staff/access/")
    assert (len(lines(caplog)), counted("permission") - before) == (3, 6)


def test_the_line_is_written_as_json_with_its_fields(odette: Player) -> None:
    from tock_league.common.logs import formatter

    record = logging.LogRecord("tock_league.common.refusals", logging.WARNING, "", 1, "authorisation refused", (), None)
    record.details = {"who": "player:x", "action": "club.edit", "needed": "club_officer"}
    text: Any = formatter(json=True).format(record)
    assert '"action": "club.edit"' in text


def test_a_reached_limit_is_one_line(
    client: Client, odette: Player, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    settings.CLUBS_PER_DAY = 0
    client.post("/clubs/new/", {"name": "Les Pieux", "town": "Ici"})
    settings.ACCOUNT_RATE_LIMITS = {"reset_password": "1/h/ip"}
    for _ in range(2):
        client.post("/accounts/password/reset/", {"email": "odette@example.org"})
    told = [record.details for record in caplog.records if record.getMessage() == "limit reached"]  # type: ignore[attr-defined]
    assert told == [{"page": "account_reset_password", "method": "POST"}]
