"""The private links: made, copied, renewed, stopped, guessed, exported, erased."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from tests.competitions.world import START, a_league, a_signed_up_player
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.calendars import services, views
from tock_league.calendars.models import CalendarLink
from tock_league.common import clock
from tock_league.competitions.services.seasons import roles
from tock_league.people import erasure, export, parts

pytestmark = pytest.mark.django_db
MINE = "/profile/calendars/"


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    cache.clear()
    with clock.frozen(START):
        yield


@pytest.fixture
def martine() -> Player:
    return a_signed_up_player("martine@example.org")


@pytest.fixture
def signed_in(martine: Player) -> Client:
    client = Client()
    client.force_login(martine.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def shown(client: Client, kind: str = "player") -> str:
    """Return the path of the link that the page shows."""
    own = client.get(MINE).context["own"]
    address = next(one["address"] for one in own if one["kind"] == kind)
    return address.partition("testserver")[2].removeprefix(":80") if address else ""


def test_a_person_makes_renews_and_deletes_the_link(signed_in: Client) -> None:
    visitor = Client()
    assert shown(signed_in) == ""
    assert signed_in.post(MINE + "player/renew/").status_code == 302
    first = shown(signed_in)
    assert visitor.get(first).status_code == 200
    assert visitor.get(first)["Cache-Control"] == "private, max-age=900"
    signed_in.post(MINE + "player/renew/")
    second = shown(signed_in)
    assert second != first
    assert [visitor.get(path).status_code for path in (first, second)] == [404, 200]
    signed_in.post(MINE + "player/stop/")
    assert visitor.get(second).status_code == 404
    assert shown(signed_in) == ""


def test_a_link_opens_the_calendar_of_its_kind_alone(signed_in: Client) -> None:
    signed_in.post(MINE + "player/renew/")
    assert Client().get(shown(signed_in).replace("/own/", "/referee/")).status_code == 404
    assert signed_in.post(MINE + "club/renew/").status_code == 404


def test_only_a_referee_is_offered_the_calendar_of_referees(signed_in: Client, martine: Player) -> None:
    assert [one["kind"] for one in signed_in.get(MINE).context["own"]] == ["player"]
    roles.give(by=SITE, competition=a_league(), player=martine, name="referee")
    assert [one["kind"] for one in signed_in.get(MINE).context["own"]] == ["player", "referee"]


def test_visitors_and_get_change_nothing(signed_in: Client) -> None:
    assert Client().post(MINE + "player/renew/").headers["Location"].startswith("/accounts/login/")
    assert signed_in.get(MINE + "player/renew/").status_code == 405
    assert not CalendarLink.objects.exists()


def test_the_database_does_not_hold_the_secret(martine: Player) -> None:
    secret = services.secret_of(services.renew(by=martine, kind="player"))
    assert len(secret) == 32
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM calendars_calendarlink")
        assert not any(secret in str(value) for row in cursor.fetchall() for value in row)


def test_a_link_sealed_with_a_lost_key_still_works_and_asks_to_be_renewed(signed_in: Client, settings) -> None:
    signed_in.post(MINE + "player/renew/")
    address = shown(signed_in)
    link = CalendarLink.objects.get()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key of the site, long enough", []
    assert services.secret_of(link) == ""
    assert Client().get(address).status_code == 200


def test_guesses_are_limited_and_those_who_know_a_link_are_not(signed_in: Client) -> None:
    signed_in.post(MINE + "player/renew/")
    address, guesser = shown(signed_in), Client()
    answers = [guesser.get(f"/calendars/own/guess{number}.ics").status_code for number in range(views.GUESSES + 2)]
    assert answers == [404] * views.GUESSES + [429] * 2
    assert guesser.get(address).status_code == 200  # from the same address


def test_links_are_exported_without_their_secrets_and_end_with_an_erasure(signed_in: Client, martine: Player) -> None:
    signed_in.post(MINE + "player/renew/")
    address = shown(signed_in)
    told = export.data_of(parts.person_of(player=martine))["calendar_links"]
    assert [set(row) for row in told] == [{"kind", "made_at"}]
    erasure.erase(parts.person_of(player=martine))
    assert not CalendarLink.objects.exists()
    assert Client().get(address).status_code == 404


def test_a_login_without_a_player_is_led_to_the_profile() -> None:
    player = a_signed_up_player("sans@example.org")
    user = player.user
    Player.objects.filter(pk=player.pk).update(user=None)
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert client.get(MINE)["Location"] == "/profile/"
