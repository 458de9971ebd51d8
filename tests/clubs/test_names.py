"""Names that look alike are refused in a club and in an event, also at the same moment; floods of deeds too."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from tests.competitions.world import a_tournament
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user, edit_profile
from tock_league.clubs import services
from tock_league.clubs.models import Club, Membership, Team
from tock_league.common.errors import Refused
from tock_league.common.names import first_confusable, readable, skeleton, tidy
from tock_league.competitions.models import Entry
from tock_league.competitions.services.entries import registration

from .test_races import at_once

pytestmark = pytest.mark.django_db
CYRILLIC = "Martine Gélinаs"  # with a Cyrillic а


@pytest.fixture
def martine() -> Player:
    return create_player(display_name="Martine Gélinas")


@pytest.fixture
def club(martine: Player) -> Club:
    return services.found_club(by=martine, name="Club de tock de Shawinigan", town="Shawinigan")


def rename(player: Player, name: str) -> Player:
    return edit_profile(by=player, player=player, display_name=name, language="fr", time_zone="America/Toronto")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Odette", "Оdеttе"),  # Cyrillic О and е
        ("Isabelle", "lsabelle"),
        ("JEANNOT", "Jeann0t"),
        ("Marne", "Mame"),
        ("Martine", "𝓜𝓪𝓻𝓽𝓲𝓷𝓮"),
        ("Martine", "Ｍａｒｔｉｎｅ"),
        ("L’Île", "L'Île"),
        ("Jean-Guy", "Jean–Guy"),
        ("Gélinas", "Ge\u0301linas"),
        ("Case Huit", " Case\u00a0 Huit "),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)
    assert first_confusable(one, ["Réjean", other]) == other


@pytest.mark.parametrize("other", ["Odile", "Odette H.", "Odetta", "0detto"])
def test_other_names_differ(other: str) -> None:
    assert first_confusable("Odette", [other]) is None


def test_an_accent_makes_another_name() -> None:
    assert skeleton("Gélinas") != skeleton("Gelinas")


@pytest.mark.parametrize(
    "name",
    [
        "\u3164\u3164", "\u2800\u2800", "\u115f\u1160", "\u034f\u034f", "\ufe0f\ufe0f", "Odette\u3164", "Odette\u202edurT",
        "\u2066Odette\u2069", "Ode\u200btte", "Ode\u00adtte", "\u0301\u0301", "O\u0301\u0302\u0303\u0304dette", "…!?",
        "\U000e0041\U000e0042", "Odette\ue000", "\u200f\u200f\u200f",
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_read_is_refused_in_every_service(martine: Player, club: Club, name: str) -> None:
    with pytest.raises(ValidationError):
        readable(name)
    for work in (
        lambda: create_player(display_name=name),
        lambda: rename(martine, name),
        lambda: services.found_club(by=martine, name=name, town="Shawinigan"),
        lambda: services.found_team(by=martine, name=name),
    ):
        with pytest.raises(Refused) as refused:
            work()
        assert refused.value.field in ("display_name", "name")
    assert (Player.objects.count(), Club.objects.count(), Team.objects.count()) == (1, 1, 0)


@pytest.mark.parametrize(
    "name",
    [
        "Nguyễn Thị Ánh",
        "O’Brien",
        "Ẹ̀bùn",
        "Zoë 2",
        "Łukasz",
        "李小龍",
        "Amélie-Rose",
        "DJ Ménard 🎲",
        "Les As ❤️",
        "Famille 👨‍👩‍👧",
        "نیک\u200cپور",
    ],
)
def test_names_of_people_are_accepted(name: str) -> None:
    assert create_player(display_name=f"  {name} ").display_name == tidy(name)


def test_joiners_make_no_other_name() -> None:
    assert tidy("Les As ❤\ufe0f") == "Les As ❤"
    assert skeleton("نیک\u200cپور") == skeleton("نیکپور")
    for name in ("نیک\u200c\u200cپور", "\u200cنیک", "نیک\u200c", "Ode\u200dtte", "Odette\ufe0f"):
        with pytest.raises(ValidationError):
            readable(name)


def test_a_sign_up_takes_a_name_with_joiners() -> None:
    form = {"display_name": "نیک\u200cپور ❤\ufe0f", "email": "nik@example.org", "birth_year": 1984}
    assert (
        Client()
        .post("/accounts/signup/", {**form, "password1": "une phrase assez longue", "language": "fr"})
        .status_code
        == 302
    )
    assert Player.objects.get().display_name == "نیکپور ❤"


def test_a_member_is_not_copied(martine: Player, club: Club) -> None:
    copies = [create_player(display_name=name) for name in (CYRILLIC, "MARTINE GÉLINAS", "Martine Gélinas")]
    for copy in copies:
        with pytest.raises(Refused) as refused:
            services.join(by=copy, club=club)
        assert (refused.value.code, refused.value.field) == ("name_confusable", "player")
    other = create_player(display_name="Réjean Lampron")
    services.join(by=other, club=club)
    with pytest.raises(Refused) as refused:
        rename(other, CYRILLIC)
    assert (refused.value.code, refused.value.field) == ("name_confusable", "display_name")
    assert Player.objects.get(pk=other.pk).display_name == "Réjean Lampron"
    assert Membership.objects.filter(club=club).count() == 2
    services.leave(by=other, club=club)
    assert rename(other, CYRILLIC).display_name == CYRILLIC


def test_rows_of_before_are_kept_and_only_a_changed_name_is_judged(martine: Player, club: Club) -> None:
    twin = create_player(display_name="Somebody Else")
    services.join(by=twin, club=club)
    Player.objects.filter(pk=twin.pk).update(display_name=CYRILLIC)
    twin.refresh_from_db()
    edited = edit_profile(by=twin, player=twin, display_name=CYRILLIC, language="en", time_zone="America/Toronto")
    assert edited.language == "en"
    services.edit_club(by=martine, club=club, name=club.name, town="Grand-Mère", about="")
    Club.objects.filter(pk=club.pk).update(look=None)
    assert services.edit_club(by=martine, club=club, name=club.name, town="La Tuque", about="").town == "La Tuque"


def test_two_clubs_and_two_teams_of_a_club_differ(martine: Player, club: Club) -> None:
    with pytest.raises(Refused, match="name_confusable"):
        services.found_club(by=martine, name="CIub de tock de Shawinigan", town="Ailleurs")  # with a capital i
    services.found_team(by=martine, name="Les Draveurs", club=club)
    with pytest.raises(Refused) as refused:
        services.found_team(by=martine, name="Les Drаveurs", club=club)
    assert (refused.value.code, refused.value.field) == ("name_confusable", "name")
    other = services.found_team(by=martine, name="Case Huit", club=club)
    with pytest.raises(Refused, match="name_confusable"):
        services.rename_team(by=martine, team=other, name="LES DRAVEURS")
    services.found_team(by=martine, name="Les Drаveurs")  # a free team is nobody's neighbour


def test_an_event_has_no_two_names_that_look_alike(frozen_clock: Any) -> None:
    captain, copy = create_player(display_name="Martine Gélinas"), create_player(display_name=CYRILLIC)
    teams = []
    for first, name in ((captain, "Les Draveurs"), (copy, "Les Jokers")):
        partner = create_player(display_name=f"Partner of {name}")
        teams.append(services.form_team(by=SITE, name=name, players=[first, partner]))
    tournament = a_tournament(0, state="open", size=4)
    registration.register(by=SITE, competition=tournament, team=teams[0])
    with pytest.raises(Refused) as refused:
        registration.register(by=SITE, competition=tournament, team=teams[1])
    assert refused.value.code == "name_confusable"
    copy = rename(copy, "Yvon Rivard")
    with pytest.raises(Refused):
        services.rename_team(by=copy, team=teams[1], name="Les Joke\u202ers")
    services.rename_team(by=copy, team=teams[1], name="Les Drаveurs")
    with pytest.raises(Refused, match="name_confusable"):
        registration.register(by=SITE, competition=tournament, team=teams[1])
    services.rename_team(by=copy, team=teams[1], name="Les Jokers")
    registration.register(by=SITE, competition=tournament, team=teams[1])
    assert Entry.objects.filter(competition=tournament).count() == 2
    with pytest.raises(Refused, match="name_confusable"):
        rename(copy, CYRILLIC)
    with pytest.raises(Refused, match="name_confusable"):
        services.rename_team(by=copy, team=teams[1], name="Les Drаveurs")


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_of_two_copies_at_the_same_moment_one_gets_in() -> None:
    officer = create_player(display_name="Officer")
    club = services.found_club(by=officer, name="Les Pieux", town="Shawinigan")
    copies = [create_player(display_name=name) for name in ("Martine Gélinas", CYRILLIC, "MARTINE GÉLINAS")]
    joins = [lambda copy=copy: services.join(by=copy, club=club) for copy in copies]
    renames = [lambda: rename(officer, "Martine  GéIinas")]
    answers = at_once(*joins, *renames)
    assert sorted(answers) == ["", "name_confusable", "name_confusable", "name_confusable"]
    founded = at_once(
        *[
            lambda copy=copy, name=name: services.found_club(by=copy, name=name, town="Ici")
            for copy, name in zip(copies, ("Les Castors", "Les Cаstors", "LES CASTORS"), strict=True)
        ]
    )
    assert sorted(founded)[0] == ""
    assert set(sorted(founded)[1:]) <= {"name_confusable", "unique", "meanwhile"}
    assert Club.objects.count() == 2


def test_nobody_floods_the_site_with_clubs_teams_or_joins(martine: Player, settings: Any) -> None:
    settings.CLUBS_PER_DAY, settings.TEAMS_PER_DAY, settings.JOINS_PER_DAY = 2, 3, 2
    settings.TEAMS_FORMED_PER_DAY = 1
    clubs = [services.found_club(by=martine, name=f"Club {word}", town="Ici") for word in ("Un", "Deux")]
    other = create_player(display_name="Réjean Lampron")
    more = [services.found_club(by=other, name=f"Club {word}", town="Ici") for word in ("Trois", "Quatre")]
    for word in ("un", "deux", "trois"):
        services.found_team(by=martine, name=f"Équipe {word}")
    for club in more:
        services.join(by=martine, club=club, home=False)
    last = services.found_club(by=SITE, name="Club du site", town="Ici")
    services.join(by=SITE, club=clubs[0], player=other, home=False)
    services.form_team(by=martine, name="Les Formés", players=[martine, other], club=clubs[0])
    for work in (
        lambda: services.found_club(by=martine, name="Club de trop", town="Ici"),
        lambda: services.found_team(by=martine, name="Équipe de trop"),
        lambda: services.join(by=martine, club=last, home=False),
        lambda: services.form_team(by=martine, name="Les Autres", players=[martine, other], club=clubs[0]),
    ):
        with pytest.raises(Refused) as refused:
            work()
        assert (refused.value.code, refused.value.status) == ("too_many_today", 429)
    assert services.found_team(by=other, name="Équipe d’un autre").name
    assert Club.objects.filter(name="Club de trop").count() == 0


def test_a_form_says_why_a_name_is_refused(club: Club) -> None:
    user = create_user(email="odette@example.org", password="une phrase assez longue")
    odette = create_player(display_name="Odette Hamelin", user=user)
    services.join(by=odette, club=club)
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    form = {"display_name": CYRILLIC, "page_for": "clubs", "language": "fr", "time_zone": "America/Toronto"}
    assert list(client.post("/profile/", form).context["form"].errors) == ["display_name"]
    founding = {"name": "CIub de tock de Shawinigan", "town": "Ici", "about": ""}
    assert list(client.post("/clubs/new/", founding).context["form"].errors) == ["name"]
