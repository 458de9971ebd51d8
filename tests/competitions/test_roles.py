"""Roles in one competition: who grants them, what they allow, and when they end."""

import pytest

from games.models import TableRole
from tock_league.accounts.permissions import SITE, can
from tock_league.clubs import services as clubs
from tock_league.common.errors import NotAllowed, Refused
from tock_league.competitions.announcements import RoleEnded
from tock_league.competitions.models import CompetitionRole
from tock_league.competitions.services.rounds import publishing
from tock_league.competitions.services.seasons import roles

from .world import a_club, a_player, a_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db):
    return a_club()


@pytest.fixture
def officer(club):
    player = a_player("Dirigeante Une")
    clubs.join(by=player, club=club)
    clubs.give_role(by=SITE, club=club, player=player, name="officer")
    return player


@pytest.fixture
def cup(hand, club):
    return a_tournament(4, club=club, on_paper=False)


def test_the_clubs_officer_names_an_organiser_who_names_referees(cup, officer):
    organiser, referee = a_player("Organisateur Deux"), a_player("Arbitre Trois")
    with pytest.raises(NotAllowed):
        roles.give(by=organiser, competition=cup, player=referee, name="referee")
    roles.give(by=officer, competition=cup, player=organiser, name="organiser")
    assert can(organiser, "competition.organise", cup)
    roles.give(by=organiser, competition=cup, player=referee, name="referee")
    assert can(referee, "competition.referee", cup)
    assert not can(referee, "competition.organise", cup)
    with pytest.raises(NotAllowed):  # organisers cannot appoint further organisers
        roles.give(by=organiser, competition=cup, player=referee, name="organiser")
    with pytest.raises(NotAllowed):
        roles.give(by=referee, competition=cup, player=organiser, name="referee")


def test_granting_and_ending_a_role_are_idempotent(cup):
    referee = a_player("Arbitre Trois")
    first = roles.give(by=SITE, competition=cup, player=referee, name="referee")
    assert roles.give(by=SITE, competition=cup, player=referee, name="referee") == first
    ended = roles.end(by=SITE, role=first)
    assert roles.end(by=SITE, role=first).until == ended.until
    assert CompetitionRole.objects.count() == 1
    assert roles.give(by=SITE, competition=cup, player=referee, name="referee") != first


def test_unknown_offices_and_outsiders_without_reason_are_refused(cup):
    with pytest.raises(Refused) as error:
        roles.give(by=SITE, competition=cup, player=a_player(), name="king")
    assert (error.value.code, error.value.field) == ("competition_role_name", "name")
    with pytest.raises(Refused) as error:
        roles.give(by=SITE, competition=cup, player=a_player(), name="referee", outsider=True)
    assert (error.value.code, error.value.field) == ("reason_missing", "reason")
    made = roles.give(
        by=SITE, competition=cup, player=a_player(), name="referee", outsider=True, reason="Tous en conflit"
    )
    assert made.outsider


def test_referees_stand_at_every_open_table_and_leave_with_their_office(cup, hand):
    early, late = a_player("Arbitre Trois"), a_player("Arbitre Quatre")
    roles.give(by=SITE, competition=cup, player=early, name="referee")
    hand.advance(hours=2)
    assert publishing.open_due_tables() == 2
    office = roles.give(by=SITE, competition=cup, player=late, name="head_referee")
    rows = {(row.player, row.role) for row in TableRole.objects.all()}
    assert rows == {(early, "referee"), (late, "head_referee")}
    assert TableRole.objects.count() == 4
    roles.end(by=SITE, role=office)
    assert {row.player for row in TableRole.objects.all()} == {early}


def test_the_end_of_an_office_is_announced_within_its_transaction(cup, monkeypatch):
    from tock_league.common import bus

    heard = []
    monkeypatch.setattr(bus, "publish", heard.append)
    referee = a_player("Arbitre Trois")
    office = roles.give(by=SITE, competition=cup, player=referee, name="referee")
    roles.end(by=SITE, role=office)
    assert [said for said in heard if isinstance(said, RoleEnded)] == [RoleEnded(cup.pk, referee.pk, "referee")]
