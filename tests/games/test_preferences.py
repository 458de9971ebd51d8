"""The settings of the tables' pages that are kept for an account: who may, what is refused, where they are shown."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import TablePreferences
from games.selectors import preferences as reader
from games.selectors.preferences import SETTINGS
from games.services import preferences
from tests.accounts.signing import a_player, sign_in
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_user, give_role
from tock_league.common.errors import NotAllowed, Refused
from tock_league.management import sounds

pytestmark = pytest.mark.django_db
ADDRESS = "/api/table-preferences"


def post(client: Client, body: Any) -> Any:
    return client.post(ADDRESS, body if isinstance(body, str) else json.dumps(body), content_type="application/json")


def test_each_change_is_written_over_what_was_chosen_before() -> None:
    player = a_player("Martine Gélinas", "martine@example.org")
    assert preferences.choose(by=player, player=player, chosen={"sound": "on", "volume": "25"}) == {
        "sound": "on",
        "volume": "25",
    }
    assert preferences.choose(by=player, player=player, chosen={"sound": "off"}) == {"sound": "off", "volume": "25"}
    assert TablePreferences.objects.get().player == player


def test_the_own_settings_alone_may_be_changed() -> None:
    player = a_player("Martine Gélinas", "martine@example.org")
    other, head = a_player("Réjean Lampron", "rejean@example.org"), a_player("Yvon Bellemare", "yvon@example.org")
    for by in (None, other):
        with pytest.raises(NotAllowed):
            preferences.choose(by=by, player=player, chosen={"sound": "on"})
    with pytest.raises(NotAllowed):
        preferences.choose(by=None, player=None, chosen={"sound": "on"})
    assert not TablePreferences.objects.exists()
    give_role(player=head, name="administrator", by=SITE)
    for by in (SITE, head):
        assert preferences.choose(by=by, player=player, chosen={"sound": "on"}) == {"sound": "on"}


@pytest.mark.parametrize(
    ("chosen", "code", "field"),
    [
        ({"sound": "loud"}, "unknown_value", "sound"),
        ({"sound": True}, "unknown_value", "sound"),
        ({"sound": ["on"]}, "unknown_value", "sound"),
        ({"volume": "75", "colour": "on"}, "unknown_setting", "colour"),
        ({"x" * 900: "on"}, "unknown_setting", "x" * 40),
        ({}, "object", "settings"),
        ([], "object", "settings"),
        ("on", "object", "settings"),
        (None, "object", "settings"),
    ],
)
def test_what_is_no_setting_is_refused_with_field_and_rule(chosen: object, code: str, field: str) -> None:
    player = a_player("Martine Gélinas", "martine@example.org")
    with pytest.raises(Refused) as caught:
        preferences.choose(by=player, player=player, chosen=chosen)
    assert (caught.value.code, caught.value.field) == (code, field)
    assert not TablePreferences.objects.exists()


def test_every_setting_has_a_default_and_values_that_fit_an_attribute() -> None:
    for one in SETTINGS:
        assert one.default in one.values
        assert re.fullmatch("[a-z]{1,20}", one.name)  # as theme.js reads them
        assert all(re.fullmatch("[a-z0-9]{1,20}", value) for value in one.values)


def test_the_address_keeps_them_for_who_has_signed_in(client: Client) -> None:
    assert post(client, {"sound": "on"}).status_code == 403
    player = a_player("Martine Gélinas", "martine@example.org")
    sign_in(client, player.user)
    assert post(client, {"sound": "on"}).json() == {"sound": "on"}
    assert client.get(ADDRESS).status_code == 405
    for body, status, code in (
        ('{"sound": ', 400, "json"),
        ("[" * 900, 400, "json"),
        ("x" * 1025, 413, "too_long"),
        ('{"sound": "loud"}', 422, "unknown_value"),
    ):
        answer = post(client, body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    form = client.post(ADDRESS, {"sound": "off"})
    assert (form.status_code, form.json()["error"]["field"]) == (400, "settings")
    assert TablePreferences.objects.get().chosen == {"sound": "on"}
    lone = create_user(email="lone@example.org")  # a login that plays nowhere yet
    client.force_login(lone)
    assert post(client, {"sound": "on"}).status_code == 403


def test_another_site_cannot_change_them() -> None:
    client = Client(enforce_csrf_checks=True)
    player = a_player("Martine Gélinas", "martine@example.org")
    client.force_login(player.user)
    assert post(client, {"sound": "on"}).status_code == 403
    assert not TablePreferences.objects.exists()


def test_a_page_begins_with_what_the_account_has_chosen(client: Client, sat_table: Any, players: list[Player]) -> None:
    page = reverse("games:table", args=[sat_table.table.slug])
    assert "data-words" not in client.get(page).content.decode().split(">", 3)[1]
    player = players[0]
    preferences.choose(by=player, player=player, chosen={"words": "off", "speed": "fast"})
    # A setting that a later version drops is not shown.
    TablePreferences.objects.update(chosen={"words": "off", "speed": "fast", "gone": "on", "volume": "11"})
    user = player.user or create_user(email="martine@example.org")
    Player.objects.filter(pk=player.pk).update(user=user)
    client.force_login(user)
    assert reader.of(user) == {"words": "off", "speed": "fast"}
    html = client.get(page).content.decode()
    assert re.search(r'<html lang="[\w-]+" class="no-js" data-speed="fast" data-words="off">', html)
    assert f'data-account="{ADDRESS}"' in html
    replay = client.get(reverse("games:replay", args=[sat_table.game.slug])).content.decode()
    assert 'data-words="off"' in replay
    assert "setting-confirm" in html
    assert "setting-confirm" not in replay


def test_the_sounds_are_those_that_the_program_computes() -> None:
    for name in sounds.SOUNDS:
        stored, computed = (sounds.FOLDER / f"{name}.wav").read_bytes(), sounds.wav(name)
        assert len(stored) == len(computed) <= 10_000
        # The mathematical library of another machine may round the last bit otherwise.
        near = memoryview(stored)[44:].cast("h"), memoryview(computed)[44:].cast("h")
        assert max(abs(a - b) for a, b in zip(*near, strict=True)) <= 1
