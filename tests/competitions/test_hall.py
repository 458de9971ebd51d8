"""The hall of an event: its one address may do more for some hours; whoever has signed in counts apart."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory
from django.urls import reverse

from tests.accounts.signing import a_player, sign_in, sign_up_form
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.common import clock, halls, limits
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.models import OpenHall
from tock_league.competitions.models import Competition
from tock_league.competitions.services.seasons import halls as service
from tock_league.journal.models import JournalEntry
from tock_league.people import retention

from .world import a_league, a_tournament

pytestmark = pytest.mark.django_db
HALL, ELSEWHERE = "198.51.100.7", "198.51.100.8"


@pytest.fixture
def event(hand: clock.Frozen) -> Competition:
    """A tournament that is announced."""
    return a_tournament(4, state="open")


def sign_up(number: int, address: str = HALL) -> int:
    client = Client(REMOTE_ADDR=address)
    return client.post(reverse("account_signup"), sign_up_form(f"someone{number}@example.org")).status_code


def test_many_sign_up_at_the_address_of_an_open_hall_and_nowhere_else(event: Competition, hand: clock.Frozen) -> None:
    assert [sign_up(number) for number in range(6)] == [302] * 5 + [429]
    until = service.open_hall(by=SITE, competition=event, address=HALL, hours=2)
    assert until == clock.now() + timedelta(hours=2)
    assert [sign_up(number) for number in range(6, 12)] == [302] * 6
    assert [sign_up(number, ELSEWHERE) for number in range(20, 26)] == [302] * 5 + [429]
    service.close_hall(by=SITE, competition=event)
    service.close_hall(by=SITE, competition=event)
    assert sign_up(12) == 429
    service.open_hall(by=SITE, competition=event, address=HALL, hours=1)
    hand.advance(minutes=61)
    assert [sign_up(number) for number in range(30, 36)] == [302] * 5 + [429]  # its time is over, a new hour has begun


def test_even_an_open_hall_has_a_limit(event: Competition) -> None:
    service.open_hall(by=SITE, competition=event, address=HALL, hours=1)
    request = RequestFactory(REMOTE_ADDR=HALL).get("/")
    request.user = AnonymousUser()
    for _ in range(2 * halls.FACTOR):
        limits.check(request, "anything", count=2, seconds=3600, in_halls=True)
        limits.spend(request, "anything", count=2, seconds=3600, in_halls=True)
    for count in (limits.spend, limits.check):
        with pytest.raises(Refused):
            count(request, "anything", count=2, seconds=3600, in_halls=True)


def test_what_could_be_guessed_is_no_easier_in_a_hall(event: Competition) -> None:
    service.open_hall(by=SITE, competition=event, address=HALL, hours=1)
    request = RequestFactory(REMOTE_ADDR=HALL).get("/")
    for _ in range(2):
        limits.spend(request, "code", count=2, seconds=3600)
    with pytest.raises(Refused):
        limits.spend(request, "code", count=2, seconds=3600)


def test_a_form_with_a_mistake_does_not_count(event: Competition) -> None:
    client = Client(REMOTE_ADDR=HALL)
    wrong = sign_up_form("someone@example.org") | {"display_name": ""}
    assert [client.post(reverse("account_signup"), wrong).status_code for _ in range(8)] == [200] * 8
    assert sign_up(1) == 302


def test_a_refusal_is_a_page_that_says_how_long_to_wait(event: Competition, hand: clock.Frozen) -> None:
    for number in range(5):
        sign_up(number)
    hand.advance(minutes=50)
    client = Client(REMOTE_ADDR=HALL, headers={"accept-language": "en"})
    answer = client.post(reverse("account_signup"), sign_up_form("late@example.org"))
    seconds = int(answer["Retry-After"])
    assert answer.status_code == 429
    assert 0 < seconds <= 600
    assert f"possible again in {-(-seconds // 60)} minute" in answer.content.decode()


def test_people_who_have_signed_in_count_apart_at_one_address(event: Competition) -> None:
    people = [a_player(f"Personne {name}", f"{name}@example.org") for name in ("Un", "Deux")]
    requests = []
    for person in people:
        requests.append(RequestFactory(REMOTE_ADDR=HALL).get("/"))
        requests[-1].user = person.user
    for request in requests:
        for _ in range(3):
            limits.spend(request, "invite", count=3, seconds=600)
        with pytest.raises(Refused):
            limits.spend(request, "invite", count=3, seconds=600)


def test_organisers_alone_open_the_hall_of_an_event_that_is_not_over(event: Competition) -> None:
    stranger = a_player("Une Autre", "autre@example.org")
    with pytest.raises(NotAllowed):
        service.open_hall(by=stranger, competition=event, address=HALL, hours=2)
    with pytest.raises(NotAllowed):
        service.close_hall(by=stranger, competition=event)
    for hours in (0, 15):
        with pytest.raises(Refused) as refusal:
            service.open_hall(by=SITE, competition=event, address=HALL, hours=hours)
        assert refusal.value.field == "hours"
    with pytest.raises(Refused, match="hall_address"):
        service.open_hall(by=SITE, competition=event, address="", hours=2)
    for state in ("draft", "cancelled", "finished", "archived"):
        Competition.objects.filter(pk=event.pk).update(state=state)
        with pytest.raises(Refused, match="competition_state"):
            service.open_hall(by=SITE, competition=event, address=HALL, hours=2)
    assert not OpenHall.objects.exists()


@pytest.mark.parametrize("kind", ["tournament", "league"])
def test_the_organiser_opens_and_closes_it_on_the_page_of_the_event(kind: str, event: Competition) -> None:
    found = event if kind == "tournament" else a_league(4)
    organiser = a_player("Lise Caron", "lise@example.org")
    give_role(player=organiser, name="organiser", by=SITE)
    client = Client(REMOTE_ADDR="2001:db8:1:2:3::4")
    sign_in(client, organiser.user)
    page = reverse("competitions:organise", args=[found.slug])
    opening = reverse("competitions:open_hall", args=[found.slug])
    assert opening in client.get(page).content.decode()
    assert client.post(opening, {"hours": "x"}).status_code == 422
    assert client.post(opening, {"hours": "3"}).status_code == 302
    assert OpenHall.objects.get().address == "2001:db8:1:2::/64"
    assert halls.is_open("2001:db8:1:2::/64")
    closing = reverse("competitions:close_hall", args=[found.slug])
    assert closing in client.get(page).content.decode()
    assert client.post(closing).status_code == 302
    assert not OpenHall.objects.exists()
    told = [bytes(row.body) for row in JournalEntry.objects.order_by("-pk")[:2]]
    assert [b'"hall.closed"' in told[0], b'"hall.opened"' in told[1]] == [True, True]
    assert not any(b"2001" in body for body in told)


def test_an_address_is_forgotten_when_its_time_is_over(event: Competition, hand: clock.Frozen) -> None:
    service.open_hall(by=SITE, competition=event, address=HALL, hours=1)
    hand.advance(minutes=61)
    assert not halls.is_open(HALL)
    assert retention.STEPS["halls"]() == 1
    assert not OpenHall.objects.exists()
