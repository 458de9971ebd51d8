"""The register of incidents: who keeps it, what it says, and that nothing in it is rewritten."""

import csv
import io
import json
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from tests.accounts.signing import a_boss, a_player, sign_in
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player
from tock_league.common import clock
from tock_league.common.errors import NotAllowed, Refused
from tock_league.incidents import selectors, services
from tock_league.incidents.models import Incident, IncidentEntry
from tock_league.journal.models import JournalEntry

pytestmark = pytest.mark.django_db
WORDS = "Un ordinateur portable du club a été volé."


@pytest.fixture
def boss() -> Player:
    return a_boss()


@pytest.fixture
def incident(boss: Player, frozen_clock: clock.Frozen) -> Incident:
    return services.open_incident(by=boss, known_at=clock.now() - timedelta(hours=10), circumstances=WORDS)


def field_of(act: Any) -> tuple[str, str | None]:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code, refused.value.field


def test_an_incident_is_opened_completed_assessed_notified_and_closed(boss: Player, incident: Incident) -> None:
    told = selectors.told(incident)
    assert (told.hours_left, told.serious, told.facts["circumstances"]) == (62, None, WORDS)
    assert field_of(lambda: services.close(by=boss, incident=incident, text="Fini.")) == ("unassessed", "text")
    services.amend(by=boss, incident=incident, circumstances="", persons="12, dont 12 au Québec", measures="Effacé.")
    services.assess(by=boss, incident=incident, serious=True, reasons="Des mots de passe.")
    assert field_of(lambda: services.close(by=boss, incident=incident, text="Fini."))[0] == "not_notified"
    at = clock.now() - timedelta(hours=1)
    services.give_notice(by=boss, incident=incident, whom="cai", given_at=at, text="n° 7")
    assert selectors.told(incident).hours_left is None
    services.give_notice(by=boss, incident=incident, whom="persons", given_at=at, text="")
    services.close(by=boss, incident=incident, text="Fini.")
    told = selectors.told(incident)
    assert (told.facts["circumstances"], told.facts["persons"]) == (WORDS, "12, dont 12 au Québec")
    assert (told.serious, told.authority_at, told.persons_at) == (True, at, at)
    assert told.closed_at is not None
    services.note(by=boss, incident=incident, text="Le portable est retrouvé.")
    assert selectors.told(incident).closed_at is None
    assert [entry.seq for entry in selectors.told(incident).entries] == list(range(1, 8))


def test_the_clock_of_72_hours_runs_out(incident: Incident, frozen_clock: clock.Frozen) -> None:
    frozen_clock.set(incident.known_at + timedelta(hours=72, seconds=1))
    assert selectors.told(incident).hours_left == -1


def test_what_cannot_be_is_refused_with_its_field(boss: Player, incident: Incident) -> None:
    later = clock.now() + timedelta(minutes=1)
    before = incident.known_at - timedelta(minutes=1)
    notice = {"by": boss, "incident": incident, "text": ""}
    assert field_of(lambda: services.open_incident(by=boss, known_at=later, circumstances="x")) == (
        "to_come",
        "known_at",
    )
    assert field_of(lambda: services.open_incident(by=boss, known_at=before, circumstances=" "))[1] == "circumstances"
    assert field_of(lambda: services.give_notice(whom="cai", given_at=later, **notice))[1] == "given_at"
    assert field_of(lambda: services.give_notice(whom="cai", given_at=before, **notice))[1] == "given_at"
    assert field_of(lambda: services.give_notice(whom="nobody", given_at=clock.now(), **notice))[1] == "whom"
    assert field_of(lambda: services.note(by=boss, incident=incident, text=" "))[1] == "text"
    assert field_of(lambda: services.assess(by=boss, incident=incident, serious=True, reasons=""))[1] == "reasons"
    assert field_of(lambda: services.amend(by=boss, incident=incident, circumstances=WORDS))[0] == "nothing_new"
    assert (Incident.objects.count(), IncidentEntry.objects.count()) == (1, 1)


def test_nobody_but_an_administrator_writes_reads_or_knows_the_register(incident: Incident, client: Client) -> None:
    organiser = a_player("Lise Caron", "lise@example.org")
    for by in (organiser, create_player(display_name="Noé Roy"), SITE, None):
        with pytest.raises(NotAllowed):
            services.note(by=by, incident=incident, text="x")
        with pytest.raises(NotAllowed):
            services.exported(by=by)
    addresses = [reverse("incidents:list"), reverse("incidents:new"), reverse("incidents:one", args=[incident.number])]
    for address in addresses:
        assert client.get(address).status_code == 302  # to the sign-in
    sign_in(client, organiser.user)
    for address in addresses:
        assert client.get(address).status_code == 403
    assert client.post(reverse("incidents:export")).status_code == 403
    assert IncidentEntry.objects.count() == 1


def test_the_pages_need_a_fresh_sign_in_and_take_entries(client: Client, boss: Player, incident: Incident) -> None:
    client.force_login(boss.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert "/accounts/reauthenticate/" in client.get(reverse("incidents:list")).url
    client.logout()
    sign_in(client, boss.user)
    address = reverse("incidents:one", args=[incident.number])
    page = client.get(address)
    assert WORDS in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    sent = {"kind": "risk", "risk-serious": "no", "risk-reasons": "Disque chiffré."}
    assert client.post(address, sent).status_code == 302
    assert selectors.told(incident).serious is False
    assert list(client.post(address, {"kind": "note", "note-text": ""}).context["forms"]["note"].errors) == ["text"]
    assert client.post(address, {"kind": "drop"}).status_code == 200
    form = {"known_at": "2026-01-05T10:00", "circumstances": "=HYPERLINK(1)", "happened": "", "information": ""}
    made = client.post(reverse("incidents:new"), form)
    assert made.url == reverse("incidents:one", args=[Incident.objects.first().number])
    exported = client.post(reverse("incidents:export"))
    rows = list(csv.DictReader(io.StringIO(exported.content.decode())))
    assert [row["circumstances"] for row in rows] == ["'=HYPERLINK(1)", WORDS]
    assert [row["serious"] for row in rows] == ["", "no"]
    assert WORDS in client.get(reverse("incidents:list")).content.decode()


def test_a_double_click_writes_once_what_cannot_be_deleted(boss: Player, frozen_clock: clock.Frozen) -> None:
    told = {"by": boss, "known_at": clock.now() - timedelta(hours=1), "circumstances": WORDS}
    incident = services.open_incident(**told)
    assert services.open_incident(**told) == incident
    for act in (
        partial(services.amend, persons="12"),
        partial(services.assess, serious=False, reasons="Disque chiffré."),
        partial(services.note, text="Le portable est retrouvé."),
        partial(services.close, text="Fini."),
    ):
        assert act(by=boss, incident=incident) == act(by=boss, incident=incident)
    kinds = list(IncidentEntry.objects.order_by("seq").values_list("kind", flat=True))
    assert kinds == ["facts", "facts", "risk", "note", "closed"]


def test_an_administrator_finds_the_register_and_others_do_not(client: Client, boss: Player) -> None:
    sign_in(client, boss.user)
    link = f'href="{reverse("incidents:list")}"'
    assert link in client.get(reverse("accounts:profile")).content.decode()
    assert link in client.get("/staff/admin/").content.decode()
    other = Client()
    sign_in(other, a_player("Lise Caron", "lise@example.org").user)
    assert link not in other.get(reverse("accounts:profile")).content.decode()
    refused = client.post(reverse("incidents:new"), {"known_at": "2026-01-05T10:00", "circumstances": ""})
    assert list(refused.context["form"].errors) == ["circumstances"]
    assert 'name="circumstances" cols="40" rows="3" maxlength="4000" required' in refused.content.decode()


def test_the_journal_holds_a_hash_of_each_entry_and_no_word_of_it(incident: Incident, client: Client) -> None:
    (entry,) = IncidentEntry.objects.all()
    bodies = [json.loads(bytes(row.body)) for row in JournalEntry.objects.all()]
    (body,) = [body for body in bodies if body["kind"] == "register.written"]
    assert (body["incident"], body["line"], body["digest"]) == (incident.number, 1, selectors.digest_of(entry))
    assert WORDS not in client.get("/journal/open/", follow=True).content.decode()
    entry.body["circumstances"] = "Rien."
    assert selectors.digest_of(entry) != body["digest"]


def test_the_database_refuses_to_change_an_entry(incident: Incident) -> None:
    for act in (
        lambda: IncidentEntry.objects.update(body={}),
        lambda: Incident.objects.update(known_at=clock.now()),
        lambda: IncidentEntry.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()
    assert selectors.told(incident).facts["circumstances"] == WORDS
