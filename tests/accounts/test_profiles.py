"""Profile, language and time zone."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from tock_league.accounts import permissions, services
from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.accounts.templatetags.people import initials
from tock_league.common.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
FORM = {"display_name": "Martine G.", "language": "en", "time_zone": "America/Vancouver", "page_for": "signed_in"}


@pytest.fixture
def martine(client):
    player = create_player(display_name="Martine Gélinas", user=create_user(email="martine@example.org", password="x"))
    client.force_login(player.user, backend=BACKEND)
    return player


def test_a_profile_is_saved_and_the_pages_change_their_language(client, martine):
    assert (
        client.get(reverse("accounts:profile"), headers={"accept-language": "en"}).wsgi_request.LANGUAGE_CODE == "fr-ca"
    )
    answer = client.post(reverse("accounts:profile"), FORM)
    assert answer.status_code == 302
    martine.refresh_from_db()
    assert (martine.display_name, martine.language, martine.time_zone, martine.page_for) == tuple(FORM.values())
    assert client.get("/").wsgi_request.LANGUAGE_CODE == "en"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("display_name", ""),
        ("display_name", "x"),
        ("display_name", "x\x00y"),
        ("language", "de"),
        ("time_zone", "Mars/Olympus"),
    ],
)
def test_a_bad_profile_names_the_field_and_changes_nothing(client, martine, field, value):
    answer = client.post(reverse("accounts:profile"), {**FORM, field: value})
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == [field]
    martine.refresh_from_db()
    assert martine.display_name == "Martine Gélinas"


def test_a_joiner_that_a_keyboard_writes_is_tidied_from_a_profiles_name(client, martine):
    answer = client.post(reverse("accounts:profile"), {**FORM, "display_name": "\u0645\u06cc\u200c\u062e\u0648"})
    assert answer.status_code == 302
    martine.refresh_from_db()
    assert martine.display_name == "\u0645\u06cc\u062e\u0648"


def test_dates_are_told_in_the_players_zone(client, martine):
    from django.template import Context, Template
    from django.utils import timezone

    Player.objects.filter(pk=martine.pk).update(time_zone="America/Vancouver", language="en")
    seen = {}

    def view(request):
        seen["zone"] = str(timezone.get_current_timezone())
        at = datetime(2026, 11, 26, 0, 0, tzinfo=UTC)
        seen["text"] = Template("{% load people %}{{ at|day }} {{ at|hour }} {{ at|zone }}").render(Context({"at": at}))

    from django.test import RequestFactory

    from tock_league.accounts.middleware import PlayerMiddleware

    request = RequestFactory().get("/")
    request.user = type(martine.user).objects.get()
    PlayerMiddleware(view)(request)
    assert seen == {"zone": "America/Vancouver", "text": "Wed, Nov. 25 4:00 p.m. PST"}
    assert str(timezone.get_current_timezone()) == "America/Toronto"


def test_a_login_without_a_player_gets_one_on_its_profile_page(client):
    user = create_user(email="admin@example.org", password="x")
    client.force_login(user, backend=BACKEND)
    assert client.get(reverse("accounts:profile")).status_code == 200
    assert "birth_year" in client.post(reverse("accounts:profile"), FORM).context["form"].errors
    client.post(reverse("accounts:profile"), {**FORM, "birth_year": 1961})
    assert Player.objects.get(user=user).display_name == "Martine G."


def test_nobody_edits_another_players_profile(martine):
    other = create_player(display_name="Réjean Lampron")
    for person in (other, None):
        with pytest.raises(NotAllowed):
            services.edit_profile(by=person, player=martine, **FORM)


def test_players_are_validated_however_they_are_created():
    with pytest.raises(Refused) as error:
        create_player(display_name="X")
    assert error.value.field == "display_name"
    with pytest.raises(Refused) as error:
        create_player(display_name="Martine", time_zone="Nowhere/Land")
    assert (error.value.field, error.value.code) == ("time_zone", "time_zone")


def test_an_action_without_a_rule_is_refused(martine):
    services.give_role(player=martine, name="administrator", by=SITE)
    assert not permissions.can(martine, "moon.land")
    assert not permissions.can(SITE, "moon.land")
    assert permissions.can(martine, "profile.edit", create_player(display_name="Océane"))


def test_visitors_are_refused_every_action_that_needs_a_right():
    assert permissions.actions()
    assert not any(permissions.can(None, action) for action in permissions.actions())


def test_two_rules_for_one_action_are_a_mistake_found_at_start():
    with pytest.raises(ValueError, match=r"profile\.edit"):

        @permissions.rule("profile.edit")
        def anybody(person, thing):
            return True


def test_only_administrators_give_site_roles_and_an_ended_role_gives_nothing(martine):
    other = create_player(display_name="Océane")
    with pytest.raises(NotAllowed) as error:
        services.give_role(player=other, name="organiser", by=martine)
    assert error.value.details == {"needed": "administrator"}
    services.give_role(player=martine, name="administrator", by=SITE)
    role = services.give_role(player=other, name="organiser", by=martine)
    assert services.give_role(player=other, name="organiser", by=martine) == role
    assert permissions.can(other, "season.create")
    services.end_role(role=role, by=martine)
    assert not permissions.can(other, "season.create")
    assert Role.objects.get(pk=role.pk).until is not None
    with pytest.raises(Refused):
        services.give_role(player=other, name="king", by=martine)


def test_a_superuser_is_an_administrator_and_needs_no_user_name():
    from tock_league.accounts.models import User

    user = User.objects.create_superuser(email="admin@example.org", password="x")
    player = create_player(display_name="Admin", user=user)
    assert permissions.can(player, "role.give")


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("Club de tock de Shawinigan", "CTS"),
        ("Draveurs", "DR"),
        ("As de la rue", "AR"),
        ("Martine Gélinas", "MG"),
        ("de", "DE"),
    ],
)
def test_initials_skip_small_words(name, mark):
    assert initials(name) == mark
