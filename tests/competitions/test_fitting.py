"""The desk's list of every team that may enter: of every club, with what stands in the way and the consents of children."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.accounts.children import a_child, a_guardian, consented
from tock_league.accounts import consents
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role as give_site_role
from tock_league.clubs.models import Team
from tock_league.clubs.services import form_team, give_role, join
from tock_league.common import clock
from tock_league.competitions.models import Entry
from tock_league.competitions.selectors.entries.fitting import fitting

from .world import START, a_club, a_player, a_signed_up_player, a_team, a_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    with clock.frozen(START):
        yield


def test_teams_of_every_club_are_listed_the_own_ones_first_and_found_by_words() -> None:
    club, other = a_club(), a_club("Club de La Tuque", town="La Tuque")
    event = a_tournament(2, club=club, state="open")
    away, free, own = a_team("Les Absents", club=other), a_team("Les Libres"), a_team("Les Nôtres", club=club)
    a_team("Les Trois", size=3)
    assert [one.team for one in fitting(event)] == [own, free, away]
    assert all(one.may_enter for one in fitting(event))
    for words in ("absents", "La Tuque", "Les Absents B"):
        assert [one.team for one in fitting(event, words)] == [away]
    assert not {one.team.pk for one in fitting(event)} & set(Entry.objects.values_list("team", flat=True))


def test_what_stands_in_the_way_is_shown() -> None:
    event = a_tournament(2, state="open")
    entered = Entry.objects.filter(competition=event).order_by("pk")[0].roster.order_by("slot")[0].player
    busy = form_team(by=SITE, name="Les Pressés", players=[entered, a_player("Yvon Roy")])
    small = a_team("Les Seuls")
    small.spells.filter(slot=2).update(left=clock.now())
    shown = {one.team: one for one in fitting(event)}
    assert (list(shown[busy].elsewhere), shown[busy].may_enter) == ([entered], False)
    assert (shown[small].lacks, shown[small].may_enter) == (1, False)


def test_the_consent_for_a_child_is_shown_and_without_it_the_team_is_not_offered(client: Client) -> None:
    event = a_tournament(2, state="open")
    child, guardian = a_child(), a_guardian()
    consent = consented(child, guardian)
    team = form_team(by=SITE, name="Les Petits", players=[child, a_player("Noé Roy")])
    (found,) = fitting(event, "petits")
    assert ([one.consent for one in found.needed], found.may_enter) == ([consent], True)
    consents.withdraw(by=guardian, consent=consent)
    (found,) = fitting(event, "petits")
    assert ([one.consent for one in found.needed], found.may_enter) == ([None], False)
    boss = a_signed_up_player("o@example.org", "Chantal Brière")
    address = reverse("competitions:fitting_teams", args=[event.slug])
    client.force_login(boss.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert client.get(address).status_code == 403
    give_site_role(by=SITE, player=boss, name="organiser")
    page = client.get(address).content.decode()
    assert child.display_name in page
    assert "Léa" not in page
    assert f'value="{team.slug}"' not in page


def test_a_team_of_another_club_is_registered_from_the_list(client: Client) -> None:
    club, other = a_club(), a_club("Club de La Tuque", town="La Tuque")
    organiser = a_signed_up_player("o@example.org", "Chantal Brière")
    join(by=SITE, club=club, player=organiser)
    give_role(by=SITE, club=club, player=organiser, name="organiser")
    event = a_tournament(2, club=club, state="open")
    away = a_team("Les Absents", club=other)
    client.force_login(organiser.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    address = reverse("competitions:fitting_teams", args=[event.slug])
    assert f'value="{away.slug}"' in client.get(address).content.decode()
    sent = {"team": away.slug, "next": address}
    assert client.post(reverse("competitions:register_team", args=[event.slug]), sent)["Location"] == address
    assert Entry.objects.filter(competition=event, team=away, state="accepted").exists()


def test_the_queries_do_not_grow_with_the_teams() -> None:
    event = a_tournament(2, state="open")

    def count() -> int:
        with CaptureQueriesContext(connection) as asked:
            fitting(event)
        return len(asked)

    a_team("Équipe de plus 0")
    few = count()
    for number in range(1, 8):
        a_team(f"Équipe de plus {number}")
    assert Team.objects.count() > 8
    assert count() == few <= 5
