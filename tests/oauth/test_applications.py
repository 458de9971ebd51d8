"""Applications: who registers what, under which name, and what the pages and the admin do with them."""

import re

import pytest
from django.urls import reverse

from tests.accounts.signing import a_boss, a_player
from tock_league.accounts import bot_accounts
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.tokens import digest
from tock_league.common.errors import NotAllowed, NotThere, Refused
from tock_league.journal.models import JournalEntry
from tock_league.oauth import services
from tock_league.oauth.models import Access, Application

from .world import RETURN, WEBSITE, Program, a_browser, an_application

pytestmark = pytest.mark.django_db
FORM = {
    "name": "Quilles",
    "website": WEBSITE,
    "description": "Des quilles.",
    "kind": "confidential",
    "redirects": RETURN,
}


@pytest.fixture
def owner() -> Player:
    return a_player("Sylvain Otis", "sylvain@example.org")


def test_the_page_registers_changes_and_deletes_an_application_and_shows_the_secret_once(owner) -> None:
    browser, page = a_browser(owner), reverse("oauth:applications")
    assert reverse("oauth:applications") in browser.get(reverse("accounts:tokens")).content.decode()
    shown = browser.post(page, FORM).content.decode()
    secret = re.search(r"tock_secret_[a-z0-9]{48}", shown)[0]
    row = Application.objects.get()
    assert row.digest == digest(secret)
    assert row.client_id in shown
    assert secret not in browser.get(page).content.decode()
    one = reverse("oauth:application", args=[row.client_id])
    assert row.hint in browser.get(one).content.decode()
    changed = {**FORM, "name": "Quilles et tock", "redirects": f"{RETURN}\r\n{RETURN}/2"}
    assert browser.post(one, changed)["Location"] == one
    row.refresh_from_db()
    assert (row.name, row.redirects) == ("Quilles et tock", [RETURN, f"{RETURN}/2"])
    renewed = browser.post(reverse("oauth:secret", args=[row.client_id])).content.decode()
    row.refresh_from_db()
    assert row.digest == digest(re.search(r"tock_secret_[a-z0-9]{48}", renewed)[0]) != digest(secret)
    assert browser.post(reverse("oauth:delete", args=[row.client_id]))["Location"] == page
    assert not Application.objects.exists()


def test_a_wrong_form_says_what_is_wrong_and_writes_nothing(owner) -> None:
    browser = a_browser(owner)
    for wrong in (
        {"redirects": "http://example.org/"},
        {"website": "example.org"},
        {"name": "Tock League"},
        {"kind": "x"},
    ):
        answer = browser.post(reverse("oauth:applications"), {**FORM, **wrong})
        assert answer.status_code == 422
        assert "field-error" in answer.content.decode()
    assert not Application.objects.exists()


def test_a_session_left_open_registers_nothing(owner) -> None:
    answer = a_browser(owner, fresh=False).post(reverse("oauth:applications"), FORM)
    assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert not Application.objects.exists()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Tock League", "name_of_site"),
        ("tockleague officiel", "name_of_site"),
        ("Tоck Leаgue", "name_of_site"),
        ("QUILLES", "name_taken"),
        ("Qui1les", "name_taken"),
        ("Quílles", "name_taken"),
        ("Robot (bot)", "bot_name"),
        ("Quil\u202eles", "control_characters"),
        ("x", "min_length"),
    ],
)
def test_no_application_takes_the_name_of_the_site_or_of_another_one(owner, name, code) -> None:
    an_application(owner)
    with pytest.raises(Refused) as refused:
        an_application(owner, name=name)
    assert (refused.value.code, refused.value.field) == (code, "name")


def test_a_person_has_five_at_most_and_a_bot_or_child_none(owner) -> None:
    for number in range(services.MOST):
        an_application(owner, name=f"Quilles {number}")
    with pytest.raises(Refused, match="applications_most"):
        an_application(owner, name="Encore")
    bot = bot_accounts.make(by=owner, name="Robot").player
    with pytest.raises(NotAllowed):
        an_application(bot, name="Robot à quilles")
    with pytest.raises(Refused, match="child_office"):
        an_application(a_player("Jean", "jean@example.org", birth_year=2019), name="Billes")


def test_an_application_belongs_to_its_owner_alone(owner) -> None:
    made = an_application(owner)
    other = a_player("Yvon Bellemare", "yvon@example.org")
    number = made.application.client_id
    for act in (services.renew_secret, services.delete):
        with pytest.raises(NotThere):
            act(by=other, client_id=number)
    browser = a_browser(other)
    for page in ("oauth:application", "oauth:secret", "oauth:delete"):
        assert browser.post(reverse(page, args=[number])).status_code == 404
    assert Application.objects.get().digest == digest(made.secret)


def test_a_public_application_has_no_secret(owner) -> None:
    made = an_application(owner, kind="public")
    assert made.secret == ""
    with pytest.raises(Refused, match="application_public"):
        services.renew_secret(by=owner, client_id=made.application.client_id)


def test_staff_suspend_an_application_in_the_admin(owner, settings) -> None:
    boss = a_boss()
    player = a_player("Martine Gélinas", "martine@example.org")
    program = Program(an_application(owner))
    program.connect(player)
    browser = a_browser(boss)
    page = reverse("admin:oauth_application_changelist")
    assert "Quilles" in browser.get(f"{page}?q=sylvain").content.decode()
    assert "Quilles" in browser.get(f"{page}?suspended_at__isempty=1&kind=confidential").content.decode()
    row = Application.objects.get()
    assert (
        program.made.secret
        not in browser.get(reverse("admin:oauth_application_change", args=[row.pk])).content.decode()
    )
    chosen = {"action": "suspend", "_selected_action": [row.pk]}
    assert "Quilles" in browser.post(page, chosen).content.decode(), "it asks first"
    browser.post(page, {**chosen, "confirmed": "yes"})
    row.refresh_from_db()
    assert row.suspended_at is not None
    assert Access.objects.get().ended_at is not None
    assert sum(b"application.suspended" in bytes(entry.body) for entry in JournalEntry.objects.all()) == 1
    assert "suspendue" in a_browser(owner).get(reverse("oauth:applications")).content.decode()
    with pytest.raises(NotAllowed):
        services.restore(by=owner, application=row)
    services.restore(by=SITE, application=row)
