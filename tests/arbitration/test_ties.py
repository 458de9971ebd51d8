"""Family ties: one declares, the other confirms or declines, either ends; what each step blocks; who sees them."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from tests.competitions.world import a_player
from tests.live.sockets import login_of
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.models import Case, FamilyTie, Recusal
from tock_league.arbitration.selectors.referees import conflicts
from tock_league.arbitration.selectors.referees.ties import of_player, waiting_for
from tock_league.arbitration.services.appeals import hearing
from tock_league.arbitration.services.referees import recusals, ties
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.competitions.models import CompetitionRole
from tock_league.competitions.services.seasons import roles

from .world import World, fresh, related

ADDRESS = "/profile/family/"


@pytest.fixture
def world(world: World) -> World:
    """The world of all tests, with the table of its match open."""
    world.open()
    return world


@pytest.fixture
def case(world: World) -> Case:
    return world.heard(world.dispute())


def signed_in(player: Player) -> Client:
    client = Client()
    client.force_login(login_of(player), backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def test_a_declared_tie_blocks_the_referee_who_declared_it_at_once(world: World, case: Case) -> None:
    ties.declare(by=world.referees[0], other=world.players[0])
    assert conflicts.grounds(world.referees[0], case) == ("family",)


def test_a_player_cannot_exclude_a_referee_by_a_tie_that_the_referee_has_not_confirmed(
    world: World, case: Case
) -> None:
    tie = ties.declare(by=world.players[0], other=world.referees[0])
    assert conflicts.grounds(world.referees[0], case) == ()
    ties.answer(by=world.referees[0], tie=tie, accept=True)
    assert conflicts.grounds(world.referees[0], case) == ("family",)


def test_a_declined_tie_blocks_nobody_and_can_be_declared_again(world: World, case: Case) -> None:
    tie = ties.declare(by=world.referees[0], other=world.players[0])
    for _time in range(2):
        ties.answer(by=world.players[0], tie=tie, accept=False)
    assert conflicts.grounds(world.referees[0], case) == ()
    assert of_player(world.players[0]) == of_player(world.referees[0]) == []
    with pytest.raises(Conflict):
        ties.answer(by=world.players[0], tie=tie, accept=True)
    assert ties.declare(by=world.players[0], other=world.referees[0]).pk != tie.pk


@pytest.mark.parametrize("who", [0, 1])
def test_either_of_the_two_ends_a_confirmed_tie(world: World, case: Case, who: int) -> None:
    pair = (world.players[0], world.referees[0])
    tie = related(*pair)
    for _time in range(2):
        ties.end(by=pair[who], tie=tie)
    assert conflicts.grounds(world.referees[0], case) == ()


@pytest.mark.both_databases
def test_both_declare_the_same_tie_and_it_is_confirmed(world: World) -> None:
    first = ties.declare(by=world.players[0], other=world.referees[0])
    assert ties.declare(by=world.players[0], other=world.referees[0]) == first
    assert FamilyTie.objects.get().confirmed_at is None
    assert ties.declare(by=world.referees[0], other=world.players[0]) == first
    assert FamilyTie.objects.get().confirmed_at is not None


def test_who_may_declare_answer_and_end(world: World) -> None:
    one, other, stranger = world.players[0], world.referees[0], world.organiser
    for by in (SITE, None):
        with pytest.raises(NotAllowed):
            ties.declare(by=by, other=one)
    bot = a_player("Robot", bot="club")
    for unfit in (one, bot):
        with pytest.raises(Refused) as refused:
            ties.declare(by=one, other=unfit)
        assert (refused.value.code, refused.value.field) == ("other", "other")
    tie = ties.declare(by=one, other=other)
    with pytest.raises(NotAllowed):
        ties.answer(by=one, tie=tie, accept=True)
    for accept in (True, False):
        with pytest.raises(NotThere):
            ties.answer(by=stranger, tie=tie, accept=accept)
    with pytest.raises(NotThere):
        ties.end(by=stranger, tie=tie)
    with pytest.raises(NotAllowed):
        ties.end(by=SITE, tie=tie)
    tie.refresh_from_db()
    assert (tie.confirmed_at, tie.until) == (None, None)


def test_declarations_that_nobody_answers_are_limited(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ties, "MOST_UNANSWERED", 1)
    ties.declare(by=world.players[0], other=world.players[1])
    with pytest.raises(Refused) as refused:
        ties.declare(by=world.players[0], other=world.players[2])
    assert (refused.value.code, refused.value.field) == ("unanswered", "other")


@pytest.mark.both_databases
def test_the_database_refuses_a_second_tie_a_strangers_declaration_and_an_early_confirmation(world: World) -> None:
    tie = ties.declare(by=world.players[0], other=world.referees[0])
    pair = {"low": tie.low, "high": tie.high, "since": clock.now()}
    with pytest.raises(IntegrityError), transaction.atomic():
        FamilyTie.objects.create(**pair, declared_by=tie.low)
    with pytest.raises(IntegrityError), transaction.atomic():
        FamilyTie.objects.create(**pair, declared_by=world.organiser, until=clock.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        FamilyTie.objects.filter(pk=tie.pk).update(confirmed_at=clock.now() - timedelta(seconds=1))


def test_only_the_two_see_a_tie_and_the_other_is_asked(world: World) -> None:
    one, other = world.players[0], world.referees[0]
    asker, asked, stranger = signed_in(one), signed_in(other), signed_in(world.organiser)
    assert asker.post(f"{ADDRESS}declare/", {"other": other.slug}).status_code == 302
    tie = FamilyTie.objects.get()
    assert (tie.declared_by, tie.confirmed_at) == (one, None)
    assert one.display_name in asked.get(ADDRESS).content.decode()
    assert other.display_name in asker.get(ADDRESS).content.decode()
    names = stranger.get(ADDRESS).content.decode().partition("<form")[0]
    assert one.display_name not in names
    assert other.display_name not in names
    assert [row.other for row in waiting_for(other)] == [one]
    assert waiting_for(one) == []
    assert ADDRESS in asked.get("/").content.decode()
    for what in ("answer", "end"):
        assert stranger.post(f"{ADDRESS}{tie.pk}/{what}/", {"accept": "yes"}).status_code == 404
        assert "/login/" in Client().post(f"{ADDRESS}{tie.pk}/{what}/")["Location"]
    assert asker.post(f"{ADDRESS}{tie.pk}/answer/", {"accept": "yes"}).status_code == 403
    assert asked.post(f"{ADDRESS}{tie.pk}/answer/", {"accept": "yes"}).status_code == 302
    tie.refresh_from_db()
    assert tie.confirmed_at is not None
    assert asker.post(f"{ADDRESS}{tie.pk}/end/").status_code == 302
    assert of_player(other) == []


def test_a_declaration_about_nobody_or_oneself_is_shown_at_its_field(world: World) -> None:
    client = signed_in(world.players[0])
    for sent in ({}, {"other": "nobody"}, {"other": world.players[0].slug}):
        page = client.post(f"{ADDRESS}declare/", sent)
        assert page.status_code == 422
        assert page.context["form"].errors["other"]
    assert not FamilyTie.objects.exists()


# --- the reserves of a panel


def appealed(world: World) -> tuple[Case, Player, Player]:
    """Return a case whose panel has one reserve, a member, and the reserve."""
    case = world.appealed()
    return case, case.panel.get(place=1).member, case.panel.get(place__isnull=True).member


def of_one_club(world: World, reserve: Player) -> None:
    club = Club.objects.first() or clubs.found_club(by=SITE, name="Club des Chutes", town="Shawinigan")
    for player in (world.players[0], reserve):
        clubs.join(by=player, club=club, player=player)


@pytest.mark.parametrize("how", ["recused", "role_ended"])
@pytest.mark.parametrize("tied", ["family", "club"])
def test_a_reserve_in_conflict_does_not_move_up(world: World, how: str, tied: str) -> None:
    case, member, reserve = appealed(world)
    if tied == "family":
        ties.declare(by=reserve, other=world.players[3])
    else:
        of_one_club(world, reserve)
    if how == "recused":
        recusals.recuse(by=member, case=case, reason="Je connais le joueur.")
    else:
        roles.end(by=SITE, role=CompetitionRole.objects.get(player=member, until__isnull=True))
    seat = case.panel.get(member=reserve)
    assert (seat.place, seat.left_at is not None) == (None, True)
    assert not case.panel.filter(place=1, left_at=None).exists()
    assert Recusal.objects.get(case=case, person=reserve).ground == tied
    with pytest.raises(NotAllowed):
        hearing.vote(by=reserve, case=fresh(case), vote="uphold", note="Oui.")


def test_a_reserve_without_conflict_moves_up_over_one_in_conflict(world: World) -> None:
    case, member, reserve = appealed(world)
    ties.declare(by=reserve, other=world.players[3])
    second = a_player("Seconde Réserve")
    roles.give(by=SITE, competition=world.competition, player=second, name="referee")
    case.panel.create(member=second, place=None, since=clock.now())
    recusals.recuse(by=member, case=case, reason="Je connais le joueur.")
    assert case.panel.get(place=1, left_at=None).member == second
