"""The partner desk: who writes and answers, how a pair becomes a team that registers, and what closes a line."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.accounts.children import BACKEND, a_child, a_guardian, consented
from tests.documents import squeezed
from tock_league.accounts import blocks
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user, give_role
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club, Team
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.competitions import people
from tock_league.competitions.models import Competition, Entry, PartnerAnswer, PartnerSearch
from tock_league.competitions.selectors.entries import partners as desks
from tock_league.competitions.services.entries import partners, registration
from tock_league.competitions.services.seasons import lifecycle
from tock_league.pages.waiting import waiting_for

from .world import START, a_club, a_league, a_tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand")]
TEXT = "Je joue le mercredi"


def a_person(name: str) -> Player:
    user = create_user(email=f"{name.split()[0].lower()}@example.org")
    return create_player(display_name=name, user=user, birth_year=1980)


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def members(club) -> list[Player]:
    found = [a_person(name) for name in ("Anna Roy", "Bruno Roy", "Carole Roy")]
    for player in found:
        clubs.join(by=player, club=club)
    return found


@pytest.fixture
def cup() -> Competition:
    return a_tournament(2, state="open")


def browser(player: Player) -> Client:
    Player.objects.filter(pk=player.pk).update(language="en")
    client = Client(headers={"accept-language": "en"})
    client.force_login(player.user, backend=BACKEND)
    return client


def refused(act, kind=Refused) -> str:
    with pytest.raises(kind) as error:
        act()
    assert str(error.value.sentence)
    return error.value.code


def lines(place, reader: Player) -> list[str]:
    return [line.search.text for line in desks.desk(place, reader).lines]


def paired(search: PartnerSearch, other: Player) -> Team:
    made = partners.reply(by=search.player, answer=partners.answer(by=other, search=search), accept=True)
    assert made.search.team is not None
    return made.search.team


# --- from a line to an entry -----------------------------------------------------------------------------------------


def test_from_a_line_to_the_registration_by_presses(cup):
    anna, bruno = a_person("Anna Roy"), a_person("Bruno Roy")
    hers, his = browser(anna), browser(bruno)
    desk = reverse("competitions:partners_event", args=[cup.slug])
    assert desk in hers.get(reverse("competitions:competition", args=[cup.slug])).content.decode()
    assert hers.post(desk, {"text": "<b>Je joue</b>"}).status_code == 422
    assert hers.post(desk, {"text": "Tom & Jerry < 3"}).status_code == 302
    page = squeezed(his.get(desk).content.decode())
    assert "Tom &amp; Jerry &lt; 3" in page
    assert "I would play" in page
    search = PartnerSearch.objects.get()
    his.post(reverse("competitions:answer_partner", args=[search.pk]))
    answer = PartnerAnswer.objects.get()
    home = squeezed(hers.get("/").content.decode())
    assert "Waiting for you" in home
    assert "Bruno Roy" in home
    assert cup.name in home
    assert reverse("competitions:reply_partner", args=[answer.pk]) in home
    onward = hers.post(reverse("competitions:reply_partner", args=[answer.pk]), {"accept": "yes"})
    assert onward["Location"] == reverse("competitions:register", args=[cup.slug])
    team = Team.objects.get(name="Anna Roy & Bruno Roy")
    assert "Register Anna Roy &amp; Bruno Roy" in squeezed(hers.get(onward["Location"]).content.decode())
    hers.post(onward["Location"], {"team": team.slug})
    entry = Entry.objects.get(competition=cup, team=team)
    registration.confirm(by=bruno, entry=entry)
    entry.refresh_from_db()
    assert entry.state == Entry.State.ACCEPTED
    assert lines(cup, bruno) == []
    assert not waiting_for(anna).partners


def test_a_pair_of_a_club_becomes_a_team_of_the_club_and_later_the_same_one(club, members, cup):
    anna, bruno, carole = members
    team = paired(partners.seek(by=anna, place=club, text=TEXT), bruno)
    assert (team.club, team.size, team.lacks) == (club, 2, 0)
    assert paired(partners.seek(by=anna, place=club, text=TEXT), bruno) == team
    other = paired(partners.seek(by=anna, place=club, text=TEXT), carole)
    assert other != team
    assert paired(partners.seek(by=anna, place=cup, text=TEXT), bruno).club is None  # an event of no club


def test_a_side_of_three_is_complete_with_the_second_answer():
    cup = a_tournament(0, state="open", rules="tock/1", seats=6)
    anna, bruno, carole, denis = (a_person(name) for name in ("Anna Roy", "Bruno Roy", "Carole Roy", "Denis Roy"))
    search = partners.seek(by=anna, place=cup, text=TEXT)
    waits = partners.answer(by=denis, search=search)
    team = paired(search, bruno)
    assert (team.size, team.lacks) == (3, 1)
    assert lines(cup, carole) == [TEXT]
    search.refresh_from_db()
    assert paired(search, carole) == team
    search.refresh_from_db()
    waits.refresh_from_db()
    assert (search.state, waits.state) == ("found", "declined")
    assert not waiting_for(anna).partners
    registration.register(by=anna, competition=cup, team=team)


def test_a_declined_answer_is_not_asked_about_again(club, members):
    anna, bruno, _carole = members
    search = partners.seek(by=anna, place=club, text=TEXT)
    answer = partners.answer(by=bruno, search=search)
    partners.reply(by=anna, answer=answer, accept=False)
    assert partners.answer(by=bruno, search=search).state == "declined"
    assert not waiting_for(anna).partners
    assert refused(lambda: partners.reply(by=anna, answer=answer, accept=True), Conflict) == "answered"


# --- who may ---------------------------------------------------------------------------------------------------------


def test_a_clubs_desk_is_for_its_members_and_moderators(club, members):
    anna, bruno, carole = members
    search = partners.seek(by=anna, place=club, text=TEXT)
    stranger = a_person("Étrangère Roy")
    for by in (stranger, SITE):
        refused(lambda by=by: partners.seek(by=by, place=club, text=TEXT), NotAllowed)
        refused(lambda by=by: partners.answer(by=by, search=search), NotAllowed)
    client = browser(stranger)
    assert client.get(reverse("competitions:partners_club", args=[club.slug])).status_code == 403
    for door in ("answer_partner", "take_back_partner", "close_partner"):
        assert client.post(reverse(f"competitions:{door}", args=[search.pk])).status_code == 404
    assert "partners/" not in client.get(reverse("pages:club", args=[club.slug])).content.decode()
    assert Client().get(reverse("competitions:partners_club", args=[club.slug])).status_code == 302
    refused(lambda: partners.remove(by=bruno, search=search), NotAllowed)
    refused(lambda: partners.withdraw(by=bruno, search=search), NotAllowed)
    clubs.give_role(by=SITE, club=club, player=carole, name="organiser")
    officer = browser(carole)
    assert "Remove" in squeezed(officer.get(reverse("competitions:partners_club", args=[club.slug])).content.decode())
    assert officer.post(reverse("competitions:close_partner", args=[search.pk])).status_code == 302
    search.refresh_from_db()
    assert (search.state, search.closed_by, lines(club, bruno)) == ("removed", carole, [])


def test_a_league_of_a_club_is_for_its_members_and_an_open_cup_for_everybody(club, members):
    league = a_league(2, club=club, state="draft")
    lifecycle.run_through(by=SITE, competition=league, to="open")
    league.refresh_from_db()
    stranger = a_person("Étrangère Roy")
    refused(lambda: partners.seek(by=stranger, place=league, text=TEXT), NotAllowed)
    team = paired(partners.seek(by=members[0], place=league, text=TEXT), members[1])
    assert team.club == club
    cup = a_tournament(2, state="open", club=club)
    assert paired(partners.seek(by=stranger, place=cup, text=TEXT), members[0]).club is None


def test_administrators_have_no_line_where_they_are_no_members(club, members):
    boss = a_person("Chef Roy")
    give_role(by=SITE, player=boss, name="administrator")
    refused(lambda: partners.seek(by=boss, place=club, text=TEXT), NotAllowed)
    search = partners.seek(by=members[0], place=club, text=TEXT)
    refused(lambda: partners.answer(by=boss, search=search), NotAllowed)
    desk = desks.desk(club, boss)
    assert (desk.may_seek, desk.may_remove, len(desk.lines)) == (False, True, 1)


def test_an_answer_of_somebody_who_has_left_is_refused_by_name(club, members):
    anna, bruno, _carole = members
    answer = partners.answer(by=bruno, search=partners.seek(by=anna, place=club, text=TEXT))
    clubs.leave(by=bruno, club=club)
    with pytest.raises(Refused) as error:
        partners.reply(by=anna, answer=answer, accept=True)
    assert error.value.code == "not_a_member"
    assert "Bruno Roy" in str(error.value.sentence)


def test_children_neither_write_nor_answer(club, members):
    child = a_child()
    consented(child, a_guardian())
    clubs.join(by=child, club=club)
    assert refused(lambda: partners.seek(by=child, place=club, text=TEXT)) == "child_desk"
    search = partners.seek(by=members[0], place=club, text=TEXT)
    assert refused(lambda: partners.answer(by=child, search=search)) == "child_desk"
    desk = desks.desk(club, child)
    assert desk.is_child
    assert not desk.may_seek


def test_blocked_people_neither_see_nor_answer_each_other(club, members):
    anna, bruno, carole = members
    search = partners.seek(by=anna, place=club, text=TEXT)
    blocks.block(by=anna, player=bruno)
    assert (lines(club, bruno), lines(club, carole)) == ([], [TEXT])
    refused(lambda: partners.answer(by=bruno, search=search), NotThere)
    assert browser(bruno).post(reverse("competitions:answer_partner", args=[search.pk])).status_code == 404
    answer = partners.answer(by=carole, search=search)
    blocks.block(by=carole, player=anna)  # afterwards
    assert not waiting_for(anna).partners
    assert refused(lambda: partners.reply(by=anna, answer=answer, accept=True)) == "apart"
    assert not Team.objects.filter(drawn=False, spells__player=anna).exists()


def test_what_one_person_may_have_open_is_bounded(club, members, monkeypatch):
    anna, bruno, _carole = members
    search = partners.seek(by=anna, place=club, text=TEXT)
    assert refused(lambda: partners.seek(by=anna, place=club, text=TEXT)) == "second_search"
    assert refused(lambda: partners.answer(by=anna, search=search)) == "self_answered"
    assert partners.answer(by=bruno, search=search) == partners.answer(by=bruno, search=search)
    monkeypatch.setattr(partners, "OPEN_MOST", 1)
    cup = a_tournament(0, state="open")
    assert refused(lambda: partners.seek(by=anna, place=cup, text=TEXT)) == "searches_most"
    monkeypatch.setattr(partners, "ANSWERS_MOST", 1)
    other = partners.seek(by=members[2], place=club, text=TEXT)
    assert refused(lambda: partners.answer(by=bruno, search=other)) == "answers_most"
    monkeypatch.setattr(partners, "SEARCHES_PER_DAY", 2)
    monkeypatch.setattr(partners, "OPEN_MOST", 9)
    partners.seek(by=anna, place=cup, text=TEXT)
    partners.withdraw(by=anna, search=search)
    with pytest.raises(Refused) as error:
        partners.seek(by=anna, place=club, text=TEXT)
    assert (error.value.code, error.value.status) == ("too_many_today", 429)


@pytest.mark.parametrize("text", ["", " ", "x" * 141, "<script>alert(1)</script>", "a\u202eb"])
def test_bad_lines_are_refused_by_their_field(club, members, text):
    with pytest.raises(Refused) as error:
        partners.seek(by=members[0], place=club, text=text)
    assert error.value.field == "text"
    assert str(error.value.sentence)
    assert not PartnerSearch.objects.exists()


# --- what closes a line ----------------------------------------------------------------------------------------------


def test_a_line_closes_when_entries_close_when_the_event_begins_and_when_the_searcher_plays(cup, hand):
    anna, bruno = a_person("Anna Roy"), a_person("Bruno Roy")
    search = partners.seek(by=anna, place=cup, text=TEXT)
    answer = partners.answer(by=bruno, search=search)
    team = clubs.form_team(by=SITE, name="Autrement", players=[anna, a_person("Carole Roy")])
    entry = registration.register(by=SITE, competition=cup, team=team)
    assert lines(cup, bruno) == []
    assert not waiting_for(anna).partners
    assert refused(lambda: partners.seek(by=anna, place=cup, text=TEXT)) == "plays_already"
    registration.withdraw_before_draw(by=anna, entry=entry)
    assert lines(cup, bruno) == [TEXT]
    lifecycle.run_through(by=SITE, competition=cup, to="closed")
    cup.refresh_from_db()
    assert not waiting_for(anna).partners
    refused(lambda: partners.reply(by=anna, answer=answer, accept=True), NotThere)
    assert refused(lambda: partners.seek(by=bruno, place=cup, text=TEXT), Conflict) == "desk_closed"
    page = browser(bruno).get(reverse("competitions:partners_event", args=[cup.slug]))
    assert page.status_code == 404


def test_a_line_in_a_club_ends_with_the_membership_and_after_a_month(club, members, hand):
    anna, bruno, carole = members
    partners.seek(by=anna, place=club, text="Anna")
    partners.seek(by=bruno, place=club, text="Bruno")
    assert sorted(lines(club, carole)) == ["Anna", "Bruno"]
    clubs.leave(by=anna, club=club)
    assert lines(club, carole) == ["Bruno"]
    hand.set(START + timedelta(days=31))
    assert lines(club, carole) == []
    partners.seek(by=bruno, place=club, text="Encore")  # the old line is no obstacle
    assert lines(club, carole) == ["Encore"]
    hand.set(START + timedelta(days=62))
    assert people.forget_searches() == 2
    assert [row.text for row in PartnerSearch.objects.all()] == ["Encore"]


def test_lines_and_answers_are_taken_back(club, members):
    anna, bruno, _carole = members
    search = partners.seek(by=anna, place=club, text=TEXT)
    partners.answer(by=bruno, search=search)
    client = browser(bruno)
    assert client.post(reverse("competitions:take_back_partner", args=[search.pk])).status_code == 302
    assert not PartnerAnswer.objects.exists()
    partners.answer(by=bruno, search=search)
    assert browser(anna).post(reverse("competitions:close_partner", args=[search.pk])).status_code == 302
    search.refresh_from_db()
    assert search.state == "withdrawn"
    assert PartnerAnswer.objects.get().state == "declined"
    partners.withdraw(by=anna, search=search)
    refused(lambda: partners.answer(by=bruno, search=search), NotThere)


def test_a_club_night_draws_its_partners_and_has_no_desk(club, members):
    from tock_league.competitions.services.seasons import nights, regulations

    night = nights.announce_night(by=SITE, club=club, name="Soirée", regulations=regulations.freeze(code="night"))
    assert not desks.has_desk(night)
    assert refused(lambda: partners.seek(by=members[0], place=night, text=TEXT), Conflict) == "desk_closed"
