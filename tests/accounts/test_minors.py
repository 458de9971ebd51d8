"""Year of birth, pseudonyms, and who counts as a child: services, pages and what the public reads."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from tests.competitions.world import FIRST_ROUND, a_club, a_league, first_match, play_match
from tests.people.searching import rows_with
from tock_league.accounts import minors, services
from tock_league.accounts.models import BirthYear, Consent, Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.services.seasons import roles
from tock_league.journal.models import JournalEntry

from .children import BACKEND, CALLED, a_child, a_guardian, consented
from .signing import PASSWORD, a_boss, a_player, sign_in

pytestmark = pytest.mark.django_db
SIGN_UP = {"display_name": CALLED, "email": "lea@example.org", "password1": PASSWORD, "language": "fr"}


def at(year: int, month: int = 6):
    return clock.frozen(datetime(year, month, 1, 12, 0, tzinfo=UTC))


def test_who_signs_up_as_a_child_plays_under_a_pseudonym_and_an_adult_under_the_name(client: Client) -> None:
    year = clock.now().year
    client.post(reverse("account_signup"), {**SIGN_UP, "birth_year": year - 9})
    child = Player.objects.get()
    assert child.display_name.startswith("Player ") or child.display_name.startswith("Joueur ")
    assert (child.birth.year, child.birth.called) == (year - 9, CALLED)
    adult = {**SIGN_UP, "email": "a@example.org", "birth_year": year - 40}
    Client().post(reverse("account_signup"), adult)
    assert Player.objects.get(user__email="a@example.org").display_name == CALLED
    assert Consent.objects.filter(purpose="account", given_by=child, player=child).count() == 1


def test_only_the_year_is_known_so_a_child_stays_one_until_that_year_is_over() -> None:
    with at(2026):
        child = a_child(age=14)
        assert (minors.is_child(child), minors.is_minor(child), minors.is_adult(child)) == (True, True, False)
    with at(2027, 1):
        assert (minors.is_child(child), minors.is_minor(child)) == (False, True)
    with at(2031, 1):
        assert (minors.is_minor(child), minors.is_adult(child)) == (False, True)
    unknown = a_player("Odette Hamelin", "odette@example.org", birth_year=None)
    assert (minors.is_child(unknown), minors.is_minor(unknown), minors.is_adult(unknown)) == (False, False, False)


@pytest.mark.parametrize("age", [121, 3, -1])
def test_a_year_that_cannot_be_is_refused_by_the_service_too(age: int) -> None:
    with pytest.raises(Refused) as refused:
        a_child(age=age)
    assert (refused.value.code, refused.value.field) == ("birth_year", "birth_year")
    assert not Player.objects.exists()


def test_a_login_of_before_is_asked_at_its_sign_in_and_may_put_it_off(client: Client) -> None:
    old = a_player("Martine Gélinas", "martine@example.org", birth_year=None)
    form = {"login": "martine@example.org", "password": PASSWORD, "next": "/tonight/"}
    asked = client.post(reverse("account_login"), form)
    assert asked.url == f"{reverse('accounts:birth_year')}?next=%2Ftonight%2F"
    assert 'href="/tonight/"' in client.get(asked.url).content.decode()
    assert client.get("/tonight/").status_code == 200  # nothing is locked meanwhile
    assert list(client.post(asked.url, {"birth_year": "84"}).context["form"].errors) == ["birth_year"]
    assert client.post(asked.url, {"birth_year": "1984"}).url == "/tonight/"
    assert old.birth.year == 1984
    assert client.get(asked.url).url == "/tonight/"  # asked once
    assert Client().post(reverse("account_login"), form).url == "/tonight/"


def test_a_child_of_before_gets_a_pseudonym_at_once_and_keeps_its_name_for_its_clubs(client: Client) -> None:
    old = a_player(CALLED, "lea@example.org", birth_year=None)
    clubs.join(by=old, club=a_club())
    sign_in(client, old.user)
    answer = client.post(reverse("accounts:birth_year"), {"birth_year": str(clock.now().year - 11)})
    assert answer.url == reverse("accounts:profile")
    old.refresh_from_db()
    assert old.display_name.startswith(("Joueur ", "Player "))
    page = client.get(answer.url).content.decode()
    assert f'value="{CALLED}"' in page
    assert old.display_name in page
    assert reverse("accounts:ask_consent") in page


def test_the_name_of_a_child_of_before_leaves_its_teams_and_tables(frozen_clock: clock.Frozen) -> None:
    frozen_clock.set(FIRST_ROUND)
    old = a_player(CALLED, "lea@example.org", birth_year=None)
    match = first_match(a_league(club=a_club()))
    entry = match.side_rows.get(position=0).entry
    entry.team.spells.filter(slot=1).update(player=old)
    entry.roster.filter(slot=1).update(player=old)
    clubs.rename_team(by=SITE, team=entry.team, name=f"{CALLED} et cie")
    drawn = clubs.form_team(by=SITE, name=f"{CALLED} & Noé", players=[old, a_guardian()], drawn=True)
    match = play_match(match, winner=0)
    assert set(rows_with(CALLED)) > {"accounts_player.display_name", "clubs_team.name", "games_table.name"}
    services.tell_birth_year(by=old, player=old, year=clock.now().year - 11)
    hidden = Player.objects.get(pk=old.pk).display_name
    assert rows_with(CALLED) == ["accounts_birthyear.called"]
    drawn.refresh_from_db()
    match.table.refresh_from_db()
    assert drawn.name == f"{hidden} & Noé"
    assert f"{hidden} et cie" in match.table.team_names


def test_who_is_a_child_again_after_a_correction_keeps_name_and_pseudonym() -> None:
    child = a_child()
    shown = child.display_name
    services.ask_birth_year_again(by=a_boss(), player=child)
    child = Player.objects.get(pk=child.pk)
    assert minors.is_child(child)  # until it has told another year
    services.tell_birth_year(by=child, player=child, year=clock.now().year - 10)
    child = Player.objects.get(pk=child.pk)
    assert (child.display_name, child.birth.called, child.birth.year) == (shown, CALLED, clock.now().year - 10)


def test_a_child_changes_the_name_in_its_clubs_and_never_the_pseudonym() -> None:
    child = a_child()
    shown = child.display_name
    for by in (child, None, a_guardian()):
        if by is not child:
            with pytest.raises(NotAllowed):
                services.edit_profile(by=by, player=child, display_name="X Y", language="fr", time_zone="UTC")
    services.edit_profile(by=child, player=child, display_name="Léa G.", language="fr", time_zone="America/Toronto")
    child = Player.objects.get(pk=child.pk)
    assert (child.display_name, child.birth.called) == (shown, "Léa G.")
    with pytest.raises(Refused) as refused:
        services.rename_player(by=a_boss(), player=child, display_name=CALLED)
    assert (refused.value.code, refused.value.field) == ("pseudonym", "display_name")


def test_at_fifteen_the_person_chooses_the_name_that_others_see() -> None:
    with at(2026):
        child = a_child(age=14)
    with at(2027):
        services.edit_profile(by=child, player=child, display_name=CALLED, language="fr", time_zone="America/Toronto")
    assert Player.objects.get(pk=child.pk).display_name == CALLED


def test_the_year_is_told_once_and_only_an_administrator_lets_it_be_told_again() -> None:
    child, boss = a_child(), a_boss()
    with pytest.raises(Conflict):
        services.tell_birth_year(by=child, player=child, year=1980)
    for by in (child, a_guardian(), None):
        with pytest.raises(NotAllowed):
            services.ask_birth_year_again(by=by, player=child)
    assert minors.is_child(child)
    services.ask_birth_year_again(by=boss, player=child)
    entry = bytes(JournalEntry.objects.order_by("seq").last().body).decode()
    assert "birth_year.asked_again" in entry
    assert str(clock.now().year - 9) not in entry
    services.tell_birth_year(by=child, player=Player.objects.get(pk=child.pk), year=1980)
    assert minors.is_adult(child)


def test_a_child_holds_no_office_that_shows_names_of_children_or_statements(frozen_clock: clock.Frozen) -> None:
    frozen_clock.set(FIRST_ROUND)
    child, club = a_child(), a_club()
    consented(child, a_guardian())
    clubs.join(by=child, club=club)
    league = a_league(club=club)
    for act in (
        lambda: services.give_role(player=child, name="referee", by=SITE),
        lambda: clubs.give_role(by=SITE, club=club, player=child, name="officer"),
        lambda: roles.give(by=SITE, competition=league, player=child, name="referee"),
        lambda: clubs.found_club(by=child, name="Les Petits", town="Ici"),
    ):
        with pytest.raises(Refused, match="child_office") as refused:
            act()
        assert refused.value.field == "player"


def test_no_public_page_names_a_child(client: Client, frozen_clock: clock.Frozen) -> None:
    """A child plays in a league: every page that a visitor can open of it says the pseudonym."""
    frozen_clock.set(FIRST_ROUND)
    child = a_child()
    consented(child, a_guardian())
    club = a_club()
    clubs.join(by=child, club=club)
    league = a_league(club=club)
    match = first_match(league)
    spot = match.side_rows.get(position=0).entry.roster.get(slot=1)
    spot.player = child
    spot.save()
    match = play_match(match, winner=0)
    game = match.games.get().game
    addresses = [
        reverse("pages:home"),
        reverse("pages:club", args=[club.slug]),
        reverse("competitions:match", args=[match.slug]),
        reverse("games:replay", args=[game.slug]),
        reverse("games:table", args=[match.table.slug]),
        reverse("ratings:leaderboards"),
        reverse("journal:index"),
        reverse("pages:player", args=[child.slug]),
    ]
    texts = [client.get(address, follow=True).content.decode() for address in addresses]
    assert any(child.display_name in text for text in texts)
    for address, text in zip(addresses, texts, strict=True):
        assert CALLED not in text, address
        assert "Léa" not in text, address
    closed = texts[-1]
    assert child.display_name in closed
    assert match.slug not in closed


def test_the_staff_of_the_club_see_by_which_name_it_knows_the_child(client: Client) -> None:
    child, officer = a_child(), a_guardian()
    club = clubs.found_club(by=officer, name="Club de tock de Shawinigan", town="Shawinigan")
    consented(child, officer)
    clubs.join(by=child, club=club)
    client.force_login(officer.user, backend=BACKEND)
    assert f"{child.display_name} ({CALLED})" in client.get(reverse("clubs:edit", args=[club.slug])).content.decode()
    assert CALLED not in client.get(reverse("pages:club", args=[club.slug])).content.decode()


def test_the_admin_shows_no_year_of_birth(client: Client) -> None:
    child, boss = a_child(), a_boss()
    client.force_login(boss.user, backend=BACKEND)
    page = client.get(f"/staff/admin/accounts/player/{child.pk}/change/").content.decode()
    assert child.display_name in page
    assert str(BirthYear.objects.get(player=child).year) not in page
    assert CALLED not in page
    assert client.get("/staff/admin/accounts/birthyear/").status_code == 404
    assert str(child.birth) == f"birth year of {child.pk}"
