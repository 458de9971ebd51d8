"""The pages of webhooks: who may, what they show, and the document's own example."""

import re
from pathlib import Path

import pytest
from django.test import Client

from tests.competitions.world import a_club
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.seals import SEALED
from tock_league.common import clock
from tock_league.competitions.services.seasons import roles
from tock_league.journal.models import JournalEntry
from tock_league.people import export
from tock_league.people.parts import person_of
from tock_league.webhooks import services
from tock_league.webhooks.models import Delivery, Webhook

from .world import Place, a_person, a_place, certify, member, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand")]
DOCUMENT = Path("docs/webhooks.md")


def signed_in(player: Player) -> Client:
    client = Client()
    client.force_login(player.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": clock.now().timestamp()}]
    session.save()
    return client


def add(client: Client, page: str, address: str, *kinds: str):
    return client.post(page, {"address": address, "kinds": kinds or ["result.confirmed"]})


@pytest.fixture
def place() -> Place:
    return a_place()


def test_an_organiser_adds_tries_changes_and_deletes_a_webhook(place, receiver):
    client = signed_in(place.officer)
    page = f"/competitions/{place.cup.slug}/webhooks/"
    assert client.get(f"/competitions/{place.cup.slug}/organise/").content.decode().count(page) == 1
    made = add(client, page, receiver.address())
    secret = re.search(r"whsec_[A-Za-z0-9+/=]+", made.content.decode())[0]
    webhook = Webhook.objects.get()
    assert webhook.sealed.startswith(SEALED)
    assert secret not in client.get(page).content.decode()
    one = f"/webhooks/{webhook.slug}/"
    client.post(one + "ping/")
    assert work() == ["sent"]
    shown = client.get(one).content.decode()
    assert "Merci." in shown
    assert "200" in shown
    assert secret not in shown
    assert secret not in str(made.headers)
    client.post(one + f"again/{Delivery.objects.get().pk}/")
    assert work() == ["sent"]
    client.post(one, {"kinds": ["event.cancelled"]})
    certify(place.match)
    assert work() == []
    other = client.post(one + "secret/").content.decode()
    assert re.search(r"whsec_[A-Za-z0-9+/=]+", other)[0] != secret
    client.post(one + "switch/", {"to": "off"})
    assert client.post(one + "ping/").status_code == 409
    client.post(one + "switch/", {"to": "on"})
    assert client.post(one + "delete/").status_code == 302
    assert not Webhook.objects.exists()
    told = b"\n".join(bytes(row.body) for row in JournalEntry.objects.filter(stream=f"competition:{place.cup.slug}"))
    for kind in ("added", "changed", "secret_renewed", "switched_off", "switched_on", "removed"):
        assert f'"webhook.{kind}"'.encode() in told
    assert b"/hook" not in told


def test_bad_input_is_refused_at_its_field_and_writes_nothing(place, inside):
    client = signed_in(place.officer)
    page = f"/clubs/{place.club.slug}/webhooks/"
    assert "Choose at least one event." in client.post(page, {"address": "https://127.0.0.1/"}).content.decode()
    refused = add(client, page, "https://nobody@127.0.0.1/")
    assert refused.status_code == 422
    assert "address" in refused.context["form"].errors
    assert add(client, page, "https://127.0.0.1/", "no.such").status_code == 422
    assert not Webhook.objects.exists()
    for number in range(5):
        assert add(client, page, f"https://127.0.0.1/{number}").status_code == 200
    assert add(client, page, "https://127.0.0.1/5").status_code == 422
    services.remove(by=place.officer, slug=Webhook.objects.first().slug)
    assert "address" in add(client, page, "https://127.0.0.1/4").context["form"].errors


def test_only_those_who_look_after_the_place_see_its_webhooks(place, inside):
    event_organiser = member(place.club, "Eva Roy", "eva@example.org")
    roles.give(by=SITE, competition=place.cup, player=event_organiser, name="organiser")
    stranger = a_person("Sara Roy", "sara@example.org")
    a_club("Tock de la Rive", town="Bécancour", by=stranger)
    pages = [f"/clubs/{place.club.slug}/webhooks/", f"/competitions/{place.cup.slug}/webhooks/"]
    made = services.add(by=place.officer, place=place.club, address="https://127.0.0.1/", kinds=["result.confirmed"])
    doors = [*pages, f"/webhooks/{made.webhook.slug}/"]
    seen = {
        player.display_name: [signed_in(player).get(page).status_code for page in doors]
        for player in (event_organiser, stranger)
    }
    assert seen == {
        "Eva Roy": [403, 200, 403],
        "Sara Roy": [403, 403, 403],
    }
    assert [Client().get(page).status_code for page in doors] == [302] * 3
    assert signed_in(stranger).post(doors[2] + "ping/").status_code == 403
    assert signed_in(place.officer).get("/webhooks/nothing/").status_code == 404
    assert made.secret not in str(export.data_of(person_of(player=place.officer)))


def test_the_example_of_the_document_checks_a_real_delivery(place, receiver):
    made = services.add(by=place.officer, place=place.cup, address=receiver.address(), kinds=["result.confirmed"])
    certify(place.match)
    work()
    _path, headers, body = receiver.got[0]
    example: dict[str, object] = {}
    exec(re.search(r"```python\n(.+?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)[1], example)
    is_genuine = example["is_genuine"]
    now = int(headers["webhook-timestamp"]) + 299
    assert is_genuine(made.secret, headers, body, now)
    assert not is_genuine(made.secret, headers, body, now + 2)
    assert not is_genuine(made.secret, headers, body + b" ", now)
    assert not is_genuine(made.secret, {**headers, "webhook-id": "1"}, body, now)
    assert not is_genuine(services.renew_secret(by=place.officer, slug=made.webhook.slug).secret, headers, body, now)


def test_the_document_names_every_event_and_setting():
    text = DOCUMENT.read_text("utf-8")
    assert [kind for kind in services.KINDS if f"| `{kind}` |" not in text] == []
