"""Access tokens: what they open, for how long, and what takes them out of force."""

from datetime import timedelta

import pytest
from allauth.account.signals import password_changed
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse

from tests.accounts.signing import a_player, set_up_factor, sign_in
from tock_league.accounts import services, tokens
from tock_league.accounts.models import Player, Token, User
from tock_league.accounts.permissions import SITE, is_administrator
from tock_league.api.authentication import WRONG_A_MINUTE
from tock_league.common import clock
from tock_league.common.errors import NotThere, Refused
from tock_league.people import erasure, export, parts

from .calling import a_token, caller, code

pytestmark = pytest.mark.django_db
ME = "/api/v1/me"


@pytest.fixture
def player() -> Player:
    return a_player("Martine Gélinas", "martine@example.org")


def with_token(secret: str) -> Client:
    return Client(headers={"authorization": f"Bearer {secret}", "accept-language": "en"})


def test_a_token_says_who_calls_and_what_it_may_do(player: Player) -> None:
    made = a_token(player, ["play"])
    answer = with_token(made.secret).get(ME)
    assert answer.json()["player"] == {"slug": player.slug, "name": "Martine Gélinas"}
    assert answer.json()["scopes"] == ["read", "play"]
    assert answer["Cache-Control"] == "private, no-cache"
    assert Token.objects.get().used_at is not None
    assert made.secret not in str(list(Token.objects.values_list()))


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Bearer tock_nothing", "token_unknown"),
        ("Bearer", "token_malformed"),
        ("Basic bWFydGluZTp4", "token_malformed"),
        ("Bearer " + "x" * 5000, "token_malformed"),
        ("Bearer \u00e9", "token_unknown"),
    ],
)
def test_a_header_that_opens_nothing_is_refused_also_where_everybody_may_read(header: str, expected: str) -> None:
    answer = Client(headers={"authorization": header}).get("/api/v1/clubs")
    assert code(answer) == expected
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_token_ends_by_expiry_revocation_and_with_its_login(player: Player) -> None:
    with clock.frozen(clock.now()) as hand:
        first, second = a_token(player, days=1), a_token(player, days=2)
        tokens.revoke(by=player.user, pk=second.token.pk)
        assert code(with_token(second.secret).get(ME)) == "token_revoked"
        hand.advance(days=1)
        assert code(with_token(first.secret).get(ME)) == "token_expired"
        third = a_token(player)
        User.objects.filter(pk=player.user.pk).update(is_active=False)
        assert code(with_token(third.secret).get(ME)) == "token_unknown"


def test_a_new_password_revokes_every_token(player: Player) -> None:
    made = a_token(player)
    password_changed.send(sender=User, request=None, user=player.user)
    assert code(with_token(made.secret).get(ME)) == "token_revoked"


def test_nobody_revokes_the_token_of_another(player: Player) -> None:
    made = a_token(player)
    with pytest.raises(NotThere):
        tokens.revoke(by=a_player("Yvon Bellemare", "yvon@example.org").user, pk=made.token.pk)
    assert with_token(made.secret).get(ME).status_code == 200


def test_a_token_gives_no_right_that_its_person_lacks(player: Player) -> None:
    services.give_role(player=player, name="administrator", by=SITE)
    with override_settings(MFA_REQUIRED_ROLES=["administrator"]):
        user, _token = tokens.opened(a_token(player).secret).user, None
        assert not is_administrator(user.player), "the role waits for a second factor"
        set_up_factor(player.user)
        assert is_administrator(user.player)
        with pytest.raises(Refused, match="token_days"):
            a_token(player, days=tokens.LONGEST_STAFF_DAYS + 1)


@pytest.mark.parametrize(
    ("more", "field"),
    [({"days": 0}, "days"), ({"days": 366}, "days"), ({"scopes": ["all"]}, "scopes"), ({"name": "x"}, "name")],
)
def test_a_token_of_the_wrong_form_is_refused_by_field(player: Player, more: dict, field: str) -> None:
    with pytest.raises(Refused) as refused:
        tokens.make(by=player.user, **{"name": "Programme", "scopes": ["read"], "days": 30, **more})
    assert refused.value.field == field
    assert not Token.objects.exists()


def test_a_person_has_so_many_tokens_at_most(player: Player) -> None:
    for _number in range(tokens.MOST):
        made = a_token(player)
    with pytest.raises(Refused, match="tokens_most"):
        a_token(player)
    tokens.revoke(by=player.user, pk=made.token.pk)
    a_token(player)


def test_the_page_shows_a_new_token_once_and_revokes_it(player: Player, client: Client) -> None:
    sign_in(client, player.user)
    page = reverse("accounts:tokens")
    answer = client.post(page, {"name": "Mon programme", "scopes": ["read", "play"], "days": "10"})
    [token] = Token.objects.all()
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    secret = next(
        word for word in answer.content.decode().replace("<", " ").replace(">", " ").split() if "tock_" in word
    )
    assert tokens.digest(secret) == token.digest
    assert token.expires_at - token.created_at == timedelta(days=10)
    again = client.get(page).content.decode()
    assert secret not in again
    assert f"…{token.hint}" in again
    client.post(reverse("accounts:revoke_token", args=[token.pk]))
    assert code(with_token(secret).get(ME)) == "token_revoked"
    assert client.post(page, {"name": "x", "scopes": ["read"], "days": "1"}).status_code == 422


def test_many_wrong_tokens_from_one_address_are_too_often() -> None:
    client = caller(authorization="Bearer tock_wrong")
    with clock.frozen(clock.now()):
        codes = {code(client.get("/api/v1/clubs")) for _try in range(32)}
    assert codes == {"token_unknown", "rate"}


def test_a_session_reads_too_and_writes_with_its_csrf_token_only(player: Player) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(player.user, backend=settings.AUTHENTICATION_BACKENDS[1])
    assert client.get(ME).json()["by"] == "session"
    assert code(client.post("/api/v1/me/invitations/1/answer", {"accept": True}, "application/json")) == "csrf"


def test_tokens_are_in_the_copy_of_ones_data_without_the_secret_and_go_with_the_login(player: Player) -> None:
    made = a_token(player)
    with_token(made.secret).get(ME)
    [told] = export.data_of(parts.person_of(user=player.user))["tokens"]
    assert told["name"] == "Programme"
    assert told["used_at"] is not None
    assert made.token.digest not in str(told)
    erasure.erase(parts.person_of(user=player.user))
    assert not Token.objects.exists()
    assert code(with_token(made.secret).get(ME)) == "token_unknown"


def test_wrong_tokens_of_an_address_are_counted_and_then_refused(db: None) -> None:
    client = Client(headers={"authorization": f"Bearer tock_{'x' * 43}"})
    answers = [client.get("/api/v1/clubs") for _ in range(WRONG_A_MINUTE + 1)]
    assert {code(answer) for answer in answers[:-1]} == {"token_unknown"}
    assert (answers[-1].status_code, code(answers[-1])) == (429, "rate")
