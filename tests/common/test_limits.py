import pytest
from django.test import RequestFactory

from tock_league.common import limits
from tock_league.common.errors import Refused


def ask(address="10.0.0.1"):
    limits.spend(RequestFactory(REMOTE_ADDR=address).get("/"), "tables", count=3, seconds=600)


@pytest.mark.django_db
def test_an_address_is_refused_when_its_window_is_full(frozen_clock):
    for _ in range(3):
        ask()
    with pytest.raises(Refused) as refused:
        ask()
    assert (refused.value.code, refused.value.status) == ("rate", 429)


def test_another_address_and_the_next_window_are_free(frozen_clock):
    for _ in range(3):
        ask()
    ask("10.0.0.2")
    frozen_clock.advance(seconds=600)
    ask()


@pytest.mark.django_db
def test_the_number_of_practice_tables_is_limited(client, frozen_clock):
    from games.models import Table
    from games.views.tables import PRACTICE_TABLES

    answers = [client.post("/practice/").status_code for _ in range(PRACTICE_TABLES + 1)]
    assert answers[-2:] == [302, 429]
    assert Table.objects.count() == PRACTICE_TABLES
