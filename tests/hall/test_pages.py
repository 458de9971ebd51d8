"""The hall's page: who opens it, what its buttons do, the clock on the event's own pages."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.competitions.world import a_tournament
from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.competitions.models import Competition
from tock_league.competitions.services.seasons import lifecycle
from tock_league.hall.models import RoundClock, Screen, TeamLink
from tock_league.hall.selectors.clocks import clock_of
from tock_league.hall.services import announcing, clocks

from .conftest import serving

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def signed_in(event: Competition, name: str) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(serving(event, name).user, backend=BACKEND)
    client.cookies["django_language"] = "en"
    return client


def post(client: Client, event: Competition, name: str, /, *args: Any, **form: Any) -> Any:
    return client.post(reverse(f"hall:{name}", args=[event.slug, *args]), form)


def test_an_organiser_sets_everything_up_on_one_page(swiss: Competition) -> None:
    client = signed_in(swiss, "organiser")
    desk = client.get(reverse("competitions:organise", args=[swiss.slug])).content.decode()
    assert reverse("hall:hall", args=[swiss.slug]) in desk
    assert post(client, swiss, "press", deed="start", seen=0, minutes=40, call="stop").status_code == 302
    assert post(client, swiss, "press", deed="add", seen=1, minutes=2, table=1).status_code == 302
    assert [one.table for one in clock_of(swiss).extra] == [1]
    form = {"name": "Entrée", "theme": "dark", "show-names": "on", "seconds-names": "7", "show-clock": "on"}
    assert post(client, swiss, "add_screen", **form).status_code == 302
    assert Screen.objects.get().turns == [["names", 7], ["clock", 8]]
    post(client, swiss, "show", 1, view="clock")
    assert post(client, swiss, "change_screen", 1, **{**form, "name": "Porte"}).status_code == 302
    assert (Screen.objects.get().name, Screen.objects.get().held) == ("Porte", "clock")
    post(client, swiss, "say", text="Le souper est servi.")
    post(client, swiss, "make_links")
    page = client.get(reverse("hall:hall", args=[swiss.slug]))
    text = page.content.decode()
    assert page["Cache-Control"] == "no-store"
    assert text.count("/t/") == 8  # address and link of each team
    assert f"/competitions/{swiss.slug}/wall/1/" in text
    entry = swiss.entries.first()
    before = TeamLink.objects.get(entry=entry).digest
    post(client, swiss, "renew_link", entry.slug)
    assert TeamLink.objects.get(entry=entry).digest != before
    for name, args in (("say_no_more", ()), ("remove_screen", (1,)), ("stop_links", ())):
        assert post(client, swiss, name, *args).status_code == 302
    assert (Screen.objects.count(), TeamLink.objects.count()) == (0, 0)


def test_a_refusal_is_shown_above_the_clock_as_it_is_now(swiss: Competition) -> None:
    client = signed_in(swiss, "organiser")
    clocks.start(by=SITE, competition=swiss, minutes=40, call="stop", seen=0)
    clocks.pause(by=SITE, competition=swiss, seen=1)
    late = post(client, swiss, "press", deed="stop", seen=1)
    assert late.status_code == 409
    assert late.context["error"].code == "clock_changed"
    assert 'data-state="paused"' in late.content.decode()
    for form in ({"deed": "start", "seen": 2}, {"deed": "sing", "seen": 2}, {"deed": "add", "seen": 2, "minutes": "x"}):
        assert post(client, swiss, "press", **form).status_code == 422
    assert post(client, swiss, "add_screen", name="", theme="dark").status_code == 422
    assert post(client, swiss, "say", text=" ").status_code == 422
    assert (RoundClock.objects.get().version, Screen.objects.count()) == (2, 0)


def test_a_referee_runs_the_clock_and_sees_no_secret(swiss: Competition) -> None:
    boss, referee = signed_in(swiss, "organiser"), signed_in(swiss, "referee")
    post(boss, swiss, "make_links")
    assert post(referee, swiss, "press", deed="start", seen=0, minutes=5, call="stop").status_code == 302
    text = referee.get(reverse("hall:hall", args=[swiss.slug])).content.decode()
    assert "/t/" not in text
    for name in ("say", "add_screen", "make_links", "stop_links"):
        assert post(referee, swiss, name, text="x").status_code == 403
    assert Client().get(reverse("hall:hall", args=[swiss.slug])).status_code == 302
    assert signed_in(a_tournament(2), "head_referee").get(reverse("hall:hall", args=[swiss.slug])).status_code == 403


def test_the_events_pages_show_clock_and_announcement_and_where_they_follow(
    swiss: Competition, hand: clock.Frozen
) -> None:
    clocks.start(by=SITE, competition=swiss, minutes=40, call="turn", seen=0)
    announcing.announce(by=SITE, competition=swiss, text="Le souper est servi.")
    alone = reverse("hall:clock", args=[swiss.slug])
    for path in (f"/competitions/{swiss.slug}/", f"/competitions/{swiss.slug}/matches/", alone):
        text = Client().get(path, {"lang": "en"}).content.decode()
        assert f'data-ends="{clock.now_ms() + 40 * 60_000}"' in text
        assert f'data-now="{clock.now_ms()}"' in text
        assert f'data-source="{alone}"' in text
        assert f'data-feed="/live/competitions/{swiss.slug}"' in text
        assert "Le souper est servi." in text
    event = a_tournament(0, state="open")
    lifecycle.advance(by=SITE, competition=event, to="cancelled", reason="La salle est inondée.")
    assert "data-follow" not in Client().get(f"/competitions/{event.slug}/").content.decode()
