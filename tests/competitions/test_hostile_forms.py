"""A tournament's form with dates at the ends of the calendar, in the skipped hour of March, and with texts that are not
numbers."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.competitions.world import a_club, a_signed_up_player
from tock_league.competitions.models import Competition

pytestmark = pytest.mark.django_db
EVIL = [
    "0001-01-01T00:00",
    "9999-12-31T23:59",
    "2027-03-14T02:30",
    "2026-02-30T10:00",
    "9" * 5000,
    "\x00",
    "-1",
    "1e400",
    "٣",
]


def test_a_tournament_with_an_impossible_value_is_refused_in_its_form(hand) -> None:
    player = a_signed_up_player("o@example.org")
    club = a_club(by=player)
    client = Client()
    client.force_login(player.user)
    address = reverse("competitions:new_tournament") + f"?club={club.slug}"
    page = client.get(address)
    assert page.status_code == 200
    form = page.context["form"]
    good = {name: form[name].value() for name in form.fields if form[name].value() not in (None, False)}
    for place, name in enumerate(form.fields):
        # Three of the nine for each field, and each of them for every third one.
        for evil in EVIL[place % 3 :: 3]:
            answer = client.post(address, {**good, "name": "Coupe", name: evil})
            assert answer.status_code < 500, (name, evil)
    for evil in EVIL:
        assert client.post(address, dict.fromkeys(form.fields, evil)).status_code < 500, evil
    assert client.post(address, {}).status_code < 500
    assert not any("\x00" in name for name in Competition.objects.values_list("name", flat=True))
