"""Consents of guardians: given by code or on paper, withdrawn, and who may do what."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tock_league.accounts import consents, minors
from tock_league.accounts.models import BirthYear, Consent, ConsentRequest, Player
from tock_league.accounts.services import create_player, create_user, tell_birth_year
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.common.transactions import writing

from .children import BACKEND, CALLED, a_child, a_guardian, consented

pytestmark = pytest.mark.django_db


@pytest.fixture
def child() -> Player:
    return a_child()


@pytest.fixture
def guardian() -> Player:
    return a_guardian()


def signed_in(player: Player) -> Client:
    client = Client()
    client.force_login(player.user, backend=BACKEND)
    return client


def test_a_guardian_consents_by_the_childs_code_and_withdraws(child: Player, guardian: Player) -> None:
    asking = signed_in(child).post(reverse("accounts:ask_consent"))
    code = asking.context["code"]
    assert code not in str(ConsentRequest.objects.values_list())  # only its digest is stored
    page = signed_in(guardian)
    typed = f" {code.lower().replace('-', ' ')} "
    there = page.post(reverse("accounts:children"), {"code": typed})
    shown = page.get(there.url).content.decode()
    assert CALLED in shown
    assert child.display_name in shown
    assert minors.without_consent([child.pk]) == child.pk
    for _click in range(2):
        assert page.post(there.url).url == reverse("accounts:children")
    assert signed_in(a_guardian("Yvon Roy", "yvon@example.org")).post(there.url).status_code == 404
    consent = Consent.objects.get(purpose="child")
    assert (consent.player, consent.given_by, consent.guardian, consent.version) == (child, guardian, "", "2026-11")
    assert minors.without_consent([child.pk]) is None
    assert not ConsentRequest.objects.exists()
    assert child.display_name in page.get(reverse("accounts:children")).content.decode()
    assert guardian.display_name in signed_in(child).get(reverse("accounts:profile")).content.decode()
    page.post(reverse("accounts:withdraw_consent", args=[consent.pk]))
    consent.refresh_from_db()
    assert (consent.withdrawn_by, minors.without_consent([child.pk])) == (guardian, child.pk)
    consented(child, guardian)  # a new row, and the former one stays
    assert Consent.objects.filter(purpose="child").count() == 2


def test_who_may_not_consent(child: Player, guardian: Player) -> None:
    code = consents.ask(by=child)
    unknown = create_player(display_name="Réjean Lampron", user=create_user(email="rejean@example.org"))
    young = a_child("Noé Roy", age=16, address="noe@example.org")
    for by, wanted in ((child, "own_child"), (unknown, "guardian_age"), (young, "guardian_age"), (None, "not_allowed")):
        with pytest.raises(Refused) as refused:
            consents.give(by=by, code=code)
        assert refused.value.code == wanted
    with pytest.raises(NotThere):
        consents.give(by=guardian, code="AAAAA-AAAAA")
    with pytest.raises(Refused) as refused:
        consents.ask(by=guardian)
    assert refused.value.code == "no_child"
    assert not Consent.objects.filter(purpose="child").exists()
    consents.give(by=guardian, code=code)
    with pytest.raises(NotThere):  # the code is used up
        consents.give(by=guardian, code=code)
    with pytest.raises(Conflict):
        consented(child, a_guardian("Yvon Bellemare", "yvon@example.org"))


def test_a_code_holds_for_seven_days_and_a_new_one_replaces_it(
    child: Player, guardian: Player, frozen_clock: clock.Frozen
) -> None:
    first, second = consents.ask(by=child), consents.ask(by=child)
    with pytest.raises(NotThere):
        consents.asked(first)
    assert consents.asked(second) == child
    frozen_clock.set(clock.now() + timedelta(days=7))
    with pytest.raises(NotThere):
        consents.give(by=guardian, code=second)
    late = signed_in(guardian).post(reverse("accounts:children"), {"code": second})
    assert list(late.context["form"].errors) == ["code"]


def test_at_the_desk_an_officer_takes_a_signature_on_paper(child: Player, guardian: Player) -> None:
    """A volunteer registers a child with its parent, who has no account: the child's code, a name, a click."""
    officer = create_player(display_name="Gaston Pronovost", user=create_user(email="gaston@example.org"))
    club = clubs.found_club(by=officer, name="Club de tock de Shawinigan", town="Shawinigan")
    address = reverse("accounts:consent", args=[consents.ask(by=child)])
    for by in (child, guardian):
        assert signed_in(by).post(address, {"on_paper": "1", "guardian": "Martine Gélinas"}).status_code == 403
    desk = signed_in(officer)
    assert list(desk.post(address, {"on_paper": "1", "guardian": ""}).context["form"].errors) == ["guardian"]
    assert desk.post(address, {"on_paper": "1", "guardian": "\u2800\u2800\u2800"}).context["form"].errors
    assert not Consent.objects.filter(purpose="child").exists()
    assert desk.post(address, {"on_paper": "1", "guardian": "Martine Gélinas"}).status_code == 302
    consent = Consent.objects.get(purpose="child")
    assert (consent.guardian, consent.given_by) == ("Martine Gélinas", officer)
    clubs.join(by=officer, club=club, player=child)
    elsewhere = create_player(display_name="Lise Caron", user=create_user(email="lise@example.org"))
    clubs.found_club(by=elsewhere, name="Tock de la Rive", town="Bécancour")
    for by in (child, guardian, elsewhere, None):
        with pytest.raises(NotAllowed):
            consents.withdraw(by=by, consent=consent)
    consents.withdraw(by=officer, consent=consent)
    assert minors.without_consent([child.pk]) == child.pk


def test_nobody_signs_for_a_child_on_paper_before_being_an_adult(db: None) -> None:
    """An officer who tells the year of a child, and one who is sixteen."""
    before = create_player(display_name=CALLED, user=create_user(email="avant@example.org"))
    clubs.found_club(by=before, name="Les Petits Pieux", town="Shawinigan")
    child = tell_birth_year(by=before, player=before, year=clock.now().year - 9)
    young = a_child("Noé Roy", age=16, address="noe@example.org")
    clubs.found_club(by=young, name="Les Pieux", town="Shawinigan")
    address = reverse("accounts:consent", args=[consents.ask(by=child)])
    for by, code in ((child, "own_child"), (young, "witness_age")):
        answer = signed_in(by).post(address, {"on_paper": "1", "guardian": "Martine Gélinas"})
        assert answer.status_code == 422
        with pytest.raises(Refused) as refused:
            consents.give_on_paper(by=by, code=address.split("/")[-2], guardian="Martine Gélinas")
        assert refused.value.code == code
        assert 'name="on_paper"' not in signed_in(by).get(address).content.decode()
    assert minors.without_consent([child.pk]) == child.pk


def test_the_club_that_keeps_the_paper_ends_the_consent_on_its_page(child: Player) -> None:
    officer = create_player(display_name="Gaston Pronovost", user=create_user(email="gaston@example.org"))
    club = clubs.found_club(by=officer, name="Club de tock de Shawinigan", town="Shawinigan")
    consent = consents.give_on_paper(by=officer, code=consents.ask(by=child), guardian="Martine Gélinas")
    clubs.join(by=officer, club=club, player=child)
    desk, page = signed_in(officer), reverse("clubs:edit", args=[club.slug])
    withdraw = reverse("accounts:withdraw_consent", args=[consent.pk])
    for shown in (page, reverse("accounts:children")):
        assert f'action="{withdraw}"' in desk.get(shown).content.decode()
    assert desk.post(withdraw, {"next": page}).url == page
    assert minors.without_consent([child.pk]) == child.pk
    assert withdraw not in desk.get(page).content.decode()
    assert desk.post(withdraw, {"next": "https://elsewhere.example/"}).url == reverse("accounts:children")


def test_the_consent_to_the_account_ends_with_the_account(child: Player) -> None:
    with writing():
        row = consents.to_account(child)
    with pytest.raises(Refused) as refused:
        consents.withdraw(by=child, consent=row)
    assert refused.value.code == "consent_account"


def test_what_is_private_is_forgotten_and_a_guardians_consents_end(child: Player, guardian: Player) -> None:
    consent = consented(child, guardian)
    with writing():
        consents.forget(guardian)
    consent.refresh_from_db()
    assert consent.withdrawn_at is not None
    assert not BirthYear.objects.filter(player=guardian).exists()
    with writing():
        consents.forget(child)
    assert not BirthYear.objects.exists()
    assert not Consent.objects.exists()


def test_visitors_and_logins_without_a_player_are_led_away(child: Player) -> None:
    address = reverse("accounts:consent", args=[consents.ask(by=child)])
    assert Client().get(address).url.startswith(reverse("account_login"))
    client = Client()
    client.force_login(create_user(email="boss@example.org"), backend=BACKEND)
    assert client.get(address).status_code == 404
