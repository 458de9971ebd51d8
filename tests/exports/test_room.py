"""The page and the sheet that say how others in the room reach the site, and the warning when its copies fail."""

import html
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.competitions.world import START, a_signed_up_player
from tock_league.common import clock, room
from tock_league.upkeep.elsewhere import status

from .printed import BACKEND, FRENCH, an_event, organiser_of, pages

pytestmark = pytest.mark.django_db
TITLE = "Comment joindre ce site dans la salle"


@pytest.fixture(autouse=True)
def now() -> Iterator[clock.Frozen]:
    cache.clear()
    with clock.frozen(START) as hand:
        yield hand


@pytest.fixture
def in_a_hall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_listening", {"host": "0.0.0.0"})
    monkeypatch.setattr(room, "own_addresses", lambda: ["192.168.1.20", "10.42.0.1"])


def shown(client: Client, slug: str) -> str:
    return client.get(
        reverse("exports:room", args=[slug]), headers=FRENCH, SERVER_NAME="127.0.0.1", SERVER_PORT="8000"
    ).content.decode()


def test_the_page_shows_each_address_in_the_room_with_its_code(client: Client, in_a_hall: None) -> None:
    made = an_event()
    organiser_of(made, client)
    page = shown(client, made.slug)
    for address in ("192.168.1.20:8000", "10.42.0.1:8000"):
        assert f'<p class="reach-address">{address}</p>' in page
        assert f'aria-label="http://{address}/competitions/{made.slug}/"' in page
    desk = client.get(reverse("competitions:organise", args=[made.slug]), headers=FRENCH).content.decode()
    assert reverse("exports:room", args=[made.slug]) in desk
    assert TITLE in desk


def test_the_page_says_how_to_open_the_site_to_the_room(client: Client) -> None:
    made = an_event()
    organiser_of(made, client)
    page = shown(client, made.slug)
    assert "<code>--hall</code>" in page
    assert "qr-code" not in page


def test_the_page_is_for_organisers(client: Client) -> None:
    made = an_event()
    address = reverse("exports:room", args=[made.slug])
    assert client.get(address).status_code == 403
    client.force_login(a_signed_up_player("quelquun@example.org").user, backend=BACKEND)
    assert client.get(address).status_code == 403


def test_the_sheet_has_the_address_that_phones_reach(client: Client, in_a_hall: None) -> None:
    client.defaults["SERVER_NAME"] = "127.0.0.1"
    made = an_event()
    organiser_of(made, client)
    (text,) = pages(client, made, "room")
    assert TITLE in text
    assert "192.168.1.20" in text
    assert "127.0.0.1" not in text


def test_desk_and_organisers_page_warn_after_three_minutes_without_a_copy(
    client: Client, now: clock.Frozen, settings: Any, tmp_path: Path
) -> None:
    settings.DATA = tmp_path
    made = an_event()
    organiser_of(made, client)
    address = reverse("competitions:organise", args=[made.slug])

    def warned() -> bool:
        page = html.unescape(client.get(address, headers=FRENCH).content.decode())
        return "Aucune copie sur l’autre disque" in page

    assert not warned()
    asked = status.Status("/media/stick", another_disk=True, since=clock.now_ms())
    status.write(tmp_path, asked)
    now.advance(minutes=3)
    assert not warned()
    now.advance(seconds=1)
    assert warned()
    status.write(tmp_path, asked.good())
    assert not warned()
