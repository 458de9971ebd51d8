"""Before heavy acts everybody signs in once more: a browser left open does not give roles or change the way in."""

import pytest
from django.urls import reverse

from tests.accounts.signing import PASSWORD, a_player, sign_in
from tock_league.clubs import services as clubs
from tock_league.clubs.models import ClubRole

pytestmark = pytest.mark.django_db
SLUG = {"slug": "any"}
HEAVY = [
    ("clubs:give_role", SLUG),
    ("clubs:end_role", SLUG),
    ("competitions:give_role", SLUG),
    ("competitions:end_role", SLUG),
    ("account_email", {}),
    ("mfa_activate_totp", {}),
    ("mfa_add_webauthn", {}),
]


@pytest.fixture
def stale(client):
    """Give somebody who signed in an hour ago."""
    player = a_player("Martine Gélinas", "martine@example.org")
    sign_in(client, player.user)
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 3600
    session.save()
    return player


@pytest.mark.parametrize(("name", "where"), HEAVY, ids=[name for name, _where in HEAVY])
def test_a_heavy_act_asks_for_a_fresh_sign_in(client, stale, name, where):
    answer = client.post(reverse(name, kwargs=where), {"action_add": "", "email": "new@example.org"})
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_reauthenticate"))


def test_a_role_is_given_after_the_password_with_what_was_chosen(client, stale):
    club = clubs.found_club(by=stale, name="Club de tock de Shawinigan", town="Shawinigan")
    other = a_player("Réjean Lampron", "rejean@example.org")
    clubs.join(by=other, club=club)
    page = reverse("clubs:give_role", args=[club.slug])
    client.post(page, {"player": other.slug, "name": "organiser"})
    assert not ClubRole.objects.filter(player=other).exists()
    wrong = client.post(reverse("account_reauthenticate"), {"password": "le mauvais mot", "next": page})
    assert wrong.status_code == 200
    assert not ClubRole.objects.filter(player=other).exists()
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD, "next": page})
    assert ClubRole.objects.get(player=other).given_by == stale
