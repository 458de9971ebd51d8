"""Common passwords, and those made of names, are refused wherever a password is chosen; sentences are accepted."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from zxcvbn.matching import L33T_TABLE, enumerate_l33t_subs, relevant_l33t_subtable

from tests.accounts.letters import delivered
from tock_league.accounts.models import User
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs.services import found_club
from tock_league.common import passwords
from tock_league.settings import base

pytestmark = pytest.mark.django_db
REFUSED = [
    "motdepasse123", "motdepasse2026", "MotDePasse!2026", "jetaimejetaime", "tabarnak1234", "canadiens2026!", "qwertyuiop123",
    "azertyuiop123", "123456789012", "aaaaaaaaaaaa", "Montreal1976!", "tockleague2026", "Tock League 2026", "bonjour12345",
    "passwordpassword", "p@ssw0rd1234", "abcdefghijkl", "shawinigan1234",
]  # fmt: skip
OWN = [
    "OdetteHamelin26",
    "odette.hamelin",
    "hamelin-odette-1",
    "0dette.hamelin@x",
    "odette@example.org",
    "HAMELIN20262026",
]
CLUB = ["Les Vieux Pieux 1", "lesvieuxpieux!!", "LesVieuxPieux2026"]
ACCEPTED = [
    "le tock du mercredi soir", "une phrase assez longue", "une autre phrase de passe", "douze-signes", "vélo gris sous la pluie",
    "odette aime la soupe aux pois chiches", "gT5!vp0qLmz4Wd", "les pieux ne chantent jamais en mars",
]  # fmt: skip


@pytest.fixture
def odette() -> User:
    found_club(by=SITE, name="Les Vieux Pieux", town="Shawinigan")
    user = create_user(email="odette@example.org", password="une phrase assez longue")
    create_player(display_name="Odette Hamelin", user=user)
    return user


@pytest.mark.parametrize("password", REFUSED + OWN + CLUB)
def test_a_password_that_is_tried_early_is_refused(odette: User, password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password, odette)


@pytest.mark.parametrize("password", ACCEPTED)
def test_a_sentence_and_a_random_password_are_accepted(odette: User, password: str) -> None:
    validate_password(password, odette)


def test_a_long_password_is_judged_quickly(odette: User) -> None:
    validate_password("vélo gris sous la pluie " * 200, odette)


@pytest.mark.parametrize(
    "password", ["4@({[<69!1|17$5+7%2" + "abcdefghijklm" * 5, "1234567890@|$+%<[{(!" * 4, "@({[<!|$+%" * 8, "ﷺ" * 72]
)
def test_a_password_of_signs_for_letters_has_few_combinations(monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    given: list[str] = []
    monkeypatch.setattr("zxcvbn.zxcvbn", lambda text, **_more: given.append(text) or {"guesses": 10**12})
    passwords.GuessesValidator().validate(password)
    (part,) = given
    assert len(part) <= 40
    assert len(enumerate_l33t_subs(relevant_l33t_subtable(part, L33T_TABLE))) <= 64


def test_signs_for_letters_are_still_understood() -> None:
    assert passwords.judged_part("p@$$+<!{h") == "p@$$+cich"


def test_a_person_changes_the_password_only_so_often(odette: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = base.ACCOUNT_RATE_LIMITS  # tests have none
    client = Client()
    client.force_login(odette, backend="allauth.account.auth_backends.AuthenticationBackend")
    form = {"oldpassword": "wrong", "password1": "le tock du mercredi soir", "password2": "le tock du mercredi soir"}
    answers = [client.post(reverse("account_change_password"), form).status_code for _try in range(6)]
    assert answers == [200] * 5 + [429]


def test_names_are_not_the_reason_for_people_without_them() -> None:
    validate_password("hamelin et son velo gris", SimpleNamespace(email="", pk=None))
    validate_password("hamelin et son velo gris", None)


@pytest.mark.parametrize("password", ["trudel-oceane-26", "oceane@example.org", "les vieux pieux", "motdepasse2026"])
def test_a_sign_up_knows_the_names_that_it_brings(odette: User, password: str) -> None:
    form = {
        "display_name": "Océane Trudel",
        "email": "oceane@example.org",
        "password1": password,
        "birth_year": 1984,
        "language": "fr",
    }
    answer = Client().post(reverse("account_signup"), form)
    assert list(answer.context["form"].errors) == ["password1"]
    assert User.objects.count() == 1


def test_a_reset_and_a_change_refuse_the_same(odette: User) -> None:
    client = Client()
    client.post(reverse("account_reset_password"), {"email": odette.email})
    link = next(line for line in delivered()[0].body.splitlines() if "/key/" in line)
    page = client.get(link.removeprefix("http://testserver"), follow=True)
    bad = {"password1": "Odette Hamelin 26", "password2": "Odette Hamelin 26"}
    assert "password1" in client.post(page.request["PATH_INFO"], bad).context["form"].errors
    client.force_login(odette, backend="allauth.account.auth_backends.AuthenticationBackend")
    changed = client.post(reverse("account_change_password"), {"oldpassword": "une phrase assez longue", **bad})
    assert "password1" in changed.context["form"].errors
