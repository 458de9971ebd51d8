"""The code of a player without an account: who makes it, who may use it, and what it does, never silently to games."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.accounts.signing import a_boss, a_player, sign_in
from tests.competitions.world import START, a_club, a_plan, a_tournament
from tock_league.accounts.minors import is_asked
from tock_league.accounts.models import BirthYear, Merge, Player, User
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player
from tock_league.clubs.models import Club, Membership, TeamPlayer
from tock_league.clubs.services import form_team, found_club, give_role, join
from tock_league.common import clock
from tock_league.common.errors import NotAllowed, NotThere, Refused
from tock_league.competitions.models import RosterSpot
from tock_league.competitions.services.entries.registration import register
from tock_league.journal.models import JournalEntry
from tock_league.newcomers import selectors, services
from tock_league.newcomers.models import Claim, ClaimCode
from tock_league.newcomers.views.claims import TRIES_OF_PERSON
from tock_league.notices.models import Notice
from tock_league.people import merging

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def at() -> Iterator[clock.Frozen]:
    cache.clear()
    with clock.frozen(START) as hand:
        yield hand


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def officer(club: Club) -> Player:
    found = a_player("Chantal Brière", "c@example.org")
    join(by=SITE, club=club, player=found)
    give_role(by=SITE, club=club, player=found, name="officer")
    return found


@pytest.fixture
def yvon(club: Club) -> Player:
    """A member without an account, in a team that is entered in an event."""
    found = create_player(display_name="Yvon Roy")
    join(by=SITE, club=club, player=found)
    team = form_team(
        by=SITE, name="Les Draveurs", players=[found, create_player(display_name="Réjean Côté")], club=club
    )
    register(by=SITE, competition=a_tournament(2, plan=a_plan("knockout"), state="open"), team=team)
    return found


def a_login(name: str = "yvon3", address: str = "yvon@example.org") -> User:
    return User.objects.get(pk=a_player(name, address).user_id)


@pytest.mark.both_databases
def test_a_fresh_account_becomes_the_player_with_its_own_settings(officer: Player, yvon: Player, club: Club) -> None:
    code, _ends = services.make_code(by=officer, player=yvon)
    user = a_login()
    own = Player.objects.get(user=user)
    Player.objects.filter(pk=own.pk).update(language="es")
    made = services.claim(user=user, code=code.lower().replace("-", " "))
    yvon.refresh_from_db()
    assert (made.state, yvon.user, yvon.display_name, yvon.language) == ("joined", user, "Yvon Roy", "es")
    assert RosterSpot.objects.filter(player=yvon, left=None).exists()
    assert TeamPlayer.objects.filter(player=yvon, left=None).exists()
    assert BirthYear.objects.get(player=yvon).year == 1984
    assert not is_asked(yvon)
    assert Merge.objects.get().kept == yvon
    journal = b"".join(bytes(body) for body in JournalEntry.objects.values_list("body", flat=True))
    assert all(kind in journal for kind in (b'"claim_code.made"', b'"player.claimed"', b'"player.merged"'))
    assert b"Yvon" not in journal
    with pytest.raises(NotThere):
        services.claim(user=a_login("Autre", "autre@example.org"), code=code)
    with pytest.raises(Refused, match="has_login"):
        services.make_code(by=officer, player=yvon)


def test_a_separation_gives_the_login_back(officer: Player, yvon: Player) -> None:
    code, _ends = services.make_code(by=officer, player=yvon)
    user = a_login()
    own = Player.objects.get(user=user)
    services.claim(user=user, code=code)
    boss = a_boss()
    merging.separate(by=boss, merge=Merge.objects.get(), reason="Une autre personne.")
    yvon.refresh_from_db()
    own.refresh_from_db()
    assert (yvon.user, own.user) == (None, user)
    assert services.make_code(by=officer, player=yvon)


def test_a_login_without_a_player_is_joined(officer: Player, yvon: Player) -> None:
    code, _ends = services.make_code(by=officer, player=yvon)
    user = a_login()
    Player.objects.filter(user=user).delete()
    assert services.claim(user=user, code=code).own is None
    yvon.refresh_from_db()
    assert yvon.user == user
    assert not Merge.objects.exists()


@pytest.mark.both_databases
def test_an_own_record_with_games_asks_the_administrators(officer: Player, yvon: Player) -> None:
    boss = a_boss()
    code, _ends = services.make_code(by=officer, player=yvon)
    user = a_login()
    own = Player.objects.get(user=user)
    team = form_team(by=SITE, name="Les Autres", players=[own, create_player(display_name="Marc Villemure")])
    register(by=SITE, competition=a_tournament(2, plan=a_plan("knockout"), state="open"), team=team)
    made = services.claim(user=user, code=code)
    yvon.refresh_from_db()
    assert (made.state, yvon.user, list(selectors.claims())) == ("asked", None, [made])
    assert not Merge.objects.exists()
    assert list(Notice.objects.filter(kind="merge_asked").values_list("player", flat=True)) == [boss.pk]
    RosterSpot.objects.filter(player=yvon).update(left=clock.now())
    merging.merge(by=boss, former=yvon, kept=own, reason="La même personne.")
    assert list(selectors.claims()) == []


def test_administrators_decline_a_claim(officer: Player, yvon: Player) -> None:
    code, _ends = services.make_code(by=officer, player=yvon)
    own = a_player("Yvon 3", "y@example.org")
    give_role(by=SITE, club=Membership.objects.filter(player=officer).get().club, player=_joined(own), name="organiser")
    made = services.claim(user=own.user, code=code)
    assert made.state == "asked"
    with pytest.raises(NotAllowed):
        services.decline(by=officer, claim=made)
    services.decline(by=a_boss(), claim=made)
    assert list(selectors.claims()) == []


def _joined(player: Player) -> Player:
    join(by=SITE, club=Club.objects.get(), player=player)
    return player


def test_who_may_make_a_code(officer: Player, yvon: Player, club: Club) -> None:
    member = _joined(a_player("Sylvie Doucet", "s@example.org"))
    for person in (None, member, yvon):
        with pytest.raises(NotAllowed):
            services.make_code(by=person, player=yvon)
    with pytest.raises(NotAllowed):
        services.make_code(by=officer, player=create_player(display_name="De passage"))
    visitor = create_player(display_name="De Passage")
    event = a_tournament(2, club=club, plan=a_plan("knockout"), state="open")
    made = services.save(
        by=officer,
        place=event,
        rows=((1, ("nom", "équipe")), (2, ("De Passage", "Eux")), (3, ("Son Amie", "Eux"))),
        agreed=True,
        choices={2: visitor.slug},
    )
    assert made is not None
    assert services.make_code(by=officer, player=Player.objects.get(display_name="Son Amie"))
    with pytest.raises(NotAllowed):  # a stranger's record: the list only brought it
        services.make_code(by=officer, player=visitor)


def test_entering_the_player_of_another_club_gives_no_code_for_it(client: Client, yvon: Player) -> None:
    thief = a_player("Sylvie Doucet", "s@example.org")
    club = found_club(by=thief, name="Club des voleurs", town="Ici")
    homeless = create_player(display_name="Marc Villemure")
    made = services.save(
        by=thief,
        place=club,
        rows=((1, ("nom",)), (2, ("Yvon Roy",)), (3, ("Marc Villemure",)), (4, ("Noé Roy",))),
        agreed=True,
        choices={2: yvon.slug, 3: homeless.slug},
    )
    assert made is not None
    assert Membership.objects.filter(club=club, player__in=[yvon, homeless]).count() == 2
    for player in (yvon, homeless):
        with pytest.raises(NotAllowed):
            services.make_code(by=thief, player=player)
    sign_in(client, thief.user)
    page = client.get(reverse("newcomers:club", args=[club.slug])).content.decode()
    own = Player.objects.get(display_name="Noé Roy")
    assert re.findall(r"/players/(\w+)/code/\"", page) == [own.slug]


def test_a_code_ends_by_time_by_a_new_one_and_by_its_maker(officer: Player, yvon: Player, at: clock.Frozen) -> None:
    user = a_login()
    first, _ends = services.make_code(by=officer, player=yvon)
    second, ends = services.make_code(by=officer, player=yvon)
    with pytest.raises(NotThere):
        services.claim(user=user, code=first)
    services.revoke_code(by=officer, player=yvon)
    with pytest.raises(NotThere):
        services.claim(user=user, code=second)
    third, ends = services.make_code(by=officer, player=yvon)
    assert third.replace("-", "").encode() not in b"".join(
        bytes(one.digest, "ascii") for one in ClaimCode.objects.all()
    )
    with pytest.raises(Refused, match="own_code"):
        services.claim(user=officer.user, code=third)
    at.advance(seconds=(ends - clock.now() + timedelta(seconds=1)).total_seconds())
    with pytest.raises(NotThere):
        services.claim(user=user, code=third)
    assert not Claim.objects.exists()


def test_a_child_is_not_joined_to_a_full_name(officer: Player, yvon: Player) -> None:
    code, _ends = services.make_code(by=officer, player=yvon)
    child = a_player("Léa Roy", "lea@example.org", birth_year=START.year - 10)
    with pytest.raises(Refused, match="child"):
        services.claim(user=child.user, code=code)
    assert ClaimCode.objects.filter(ended_at=None).exists()


def test_the_page_shows_whom_a_code_means_and_joins(client: Client, officer: Player, yvon: Player) -> None:
    code, _ends = services.make_code(by=officer, player=yvon)
    user = a_login()
    sign_in(client, user)
    page = client.post(reverse("newcomers:claim"), {"code": code})
    assert "Yvon Roy" in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    answer = client.post(reverse("newcomers:claim"), {"code": code, "confirm": "yes"})
    assert answer["Location"] == reverse("pages:player", args=[yvon.slug])
    assert client.get(answer["Location"]).status_code == 200
    assert Player.objects.get(pk=yvon.pk).user == user


def test_guessing_is_stopped_for_a_person_even_with_the_right_code(
    client: Client, officer: Player, yvon: Player
) -> None:
    code, _ends = services.make_code(by=officer, player=yvon)
    sign_in(client, a_login())
    for _try in range(TRIES_OF_PERSON):
        assert client.post(reverse("newcomers:claim"), {"code": "AAAAA-BBBBB"}).status_code == 422
    assert client.post(reverse("newcomers:claim"), {"code": code, "confirm": "yes"}).status_code == 429
    assert Player.objects.get(pk=yvon.pk).user is None


def test_an_officer_sees_a_code_once_and_ends_it(client: Client, officer: Player, yvon: Player, club: Club) -> None:
    sign_in(client, officer.user)
    page = client.post(reverse("newcomers:make_code", args=[yvon.slug])).content.decode()
    code = re.search(r"<code>(\w{5}-\w{5})</code>", page)
    assert code is not None
    people = client.get(reverse("newcomers:club", args=[club.slug])).content.decode()
    assert "Yvon Roy" in people
    assert code[1] not in people
    client.post(reverse("newcomers:revoke_code", args=[yvon.slug]))
    assert not ClaimCode.objects.filter(ended_at=None).exists()
