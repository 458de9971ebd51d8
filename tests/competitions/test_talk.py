"""Talk after a game: among those who played it, muted, reported, closed by a club; never during a game."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Table
from games.permissions import Person
from games.services.casual import meeting, opening, seating
from tests.accounts.children import BACKEND
from tests.documents import squeezed
from tock_league.accounts import blocks
from tock_league.accounts.models import BirthYear, Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_user, give_role
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club, Membership
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.competitions import people
from tock_league.competitions.models import TalkLine, TalkReport
from tock_league.competitions.selectors.results import talk as talks
from tock_league.competitions.services.results import settlement, talk
from tock_league.competitions.services.rounds import publishing
from tock_league.pages.waiting import waiting_for

from .world import FIRST_ROUND, a_club, a_league, a_player, finish_game, first_match, play_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(hand) -> Club:
    return a_club()


@pytest.fixture
def game(club, hand) -> Game:
    """Give a game of the club's league that was just played."""
    league = a_league(2, club=club)
    hand.set(FIRST_ROUND)
    return play_match(first_match(league), winner=0).games.get().game


@pytest.fixture
def players(game) -> list[Player]:
    return list(talks.players_of(game).order_by("pk"))


def browser(player: Player) -> Client:
    user = create_user(email=f"{player.slug}@example.org")
    Player.objects.filter(pk=player.pk).update(user=user, language="en")
    client = Client(headers={"accept-language": "en"})
    client.force_login(user, backend=BACKEND)
    return client


def officer_of(club: Club) -> Player:
    officer = a_player("Officière")
    clubs.join(by=SITE, club=club, player=officer)
    clubs.give_role(by=SITE, club=club, player=officer, name="officer")
    return officer


def read(game: Game, person: Player) -> list[str]:
    return [said.line.text for said in talks.talk(game, person).lines]


def refused(act, kind=Refused) -> str:
    with pytest.raises(kind) as error:
        act()
    assert str(error.value.sentence)
    return error.value.code


def test_those_who_played_talk_by_a_page_that_escapes_what_they_say(game, players):
    anna, bruno = players[:2]
    page = reverse("competitions:talk", args=[game.slug])
    hers = browser(anna)
    assert page in hers.get(reverse("games:replay", args=[game.slug])).content.decode()
    match = game.match_game.match
    for name, slug in (("competitions:match", match.slug), ("pages:game_end", game.slug)):
        assert page in hers.get(reverse(name, args=[slug])).content.decode()
    assert hers.post(page, {"text": "<i>Bravo</i>"}).status_code == 422
    assert hers.post(page, {"text": "Bravo & merci, 3 < 4"}).status_code == 302
    text = squeezed(browser(bruno).get(page).content.decode())
    assert "Bravo &amp; merci, 3 &lt; 4" in text
    assert "Report" in text


def test_nobody_else_reads_or_says_anything(game, club):
    stranger, officer, boss = a_player("Étrangère"), officer_of(club), a_player("Chef")
    give_role(by=SITE, player=boss, name="administrator")
    for person in (stranger, officer, boss, SITE):
        refused(lambda person=person: talk.say(by=person, game=game, text="Bonjour"), NotAllowed)
    page = reverse("competitions:talk", args=[game.slug])
    for client in (browser(stranger), browser(officer), browser(boss)):
        assert client.get(page).status_code == 404
        assert client.post(page, {"text": "Bonjour"}).status_code == 404
        assert page not in client.get(reverse("games:replay", args=[game.slug])).content.decode()
    assert Client().get(page).status_code == 302
    assert not TalkLine.objects.exists()


def test_nothing_is_said_during_a_game_or_a_week_after_it(club, hand):
    league = a_league(2, club=club)
    hand.set(FIRST_ROUND)
    match = first_match(league)
    publishing.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    running = match.table.games.get()
    anna = talks.players_of(running).first()
    assert refused(lambda: talk.say(by=anna, game=running, text="Joue le roi"), Conflict) == "talk_closed"
    assert browser(anna).get(reverse("competitions:talk", args=[running.slug])).status_code == 404
    over = play_match(match, winner=0).games.get().game
    talk.say(by=anna, game=over, text="Bravo")
    hand.advance(days=8)
    assert refused(lambda: talk.say(by=anna, game=over, text="Encore"), Conflict) == "talk_closed"
    assert read(over, anna) == ["Bravo"]
    hand.advance(days=30)
    assert people.forget_talk() == 1
    assert read(over, anna) == []


def test_nothing_is_said_or_read_between_the_games_of_a_match_or_in_another_game(club, hand):
    league = a_league(2, club=club, best_of=3)
    hand.set(FIRST_ROUND)
    match = first_match(league)
    publishing.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    settlement.settle(game_id=finish_game(match, 0))
    first = talks.game(match.games.get(number=1).game.slug)
    anna, bruno = talks.players_of(first)[:2]
    assert refused(lambda: talk.say(by=anna, game=first, text="Joue le roi"), Conflict) == "talk_closed"
    settlement.settle(game_id=finish_game(match, 0))
    first = talks.game(first.slug)
    talk.say(by=anna, game=first, text="Bravo")
    made = opening.open_table(by=Person(player_id=bruno.pk))
    seating.sit(made.code, 1, by=Person(player_id=anna.pk))
    meeting.begin(made.code, by=Person(player_id=anna.pk), fill=True)
    made.table.games.update(state="playing")
    assert refused(lambda: talk.say(by=bruno, game=first, text="Joue le roi"), Conflict) == "talk_playing"
    assert read(first, bruno) == []
    made.table.games.update(state="over")
    assert read(first, bruno) == ["Bravo"]


def test_a_club_closes_its_talk_by_a_switch(game, players, club):
    officer = browser(officer_of(club))
    edit = reverse("clubs:talk", args=[club.slug])
    assert officer.post(edit, {"open": "no"}).status_code == 302
    assert refused(lambda: talk.say(by=players[0], game=game, text="Bravo"), Conflict) == "talk_closed"
    assert "Open the talk" in squeezed(officer.get(reverse("clubs:edit", args=[club.slug])).content.decode())
    assert browser(players[1]).post(edit, {"open": "yes"}).status_code == 403
    officer.post(edit, {"open": "yes"})
    talk.say(by=players[0], game=game, text="Bravo")


def test_a_casual_game_is_looked_after_by_the_home_clubs_and_without_one_there_is_no_talk(club):
    anna, bruno = a_player("Anna Roy"), a_player("Bruno Roy")
    made = opening.open_table(by=Person(player_id=anna.pk))
    seating.sit(made.code, 1, by=Person(player_id=bruno.pk))
    meeting.begin(made.code, by=Person(player_id=anna.pk), fill=True)
    made.table.games.update(state="over", finished_at=clock.now())
    game = talks.game(made.table.games.get().slug)
    Membership.objects.create(club=club, player=bruno, since=clock.now())
    assert refused(lambda: talk.say(by=anna, game=game, text="Encore une ?"), Conflict) == "talk_closed"  # they play on
    Membership.objects.all().delete()
    Table.objects.filter(pk=made.table_id).update(state="finished")
    game = talks.game(game.slug)
    assert refused(lambda: talk.say(by=anna, game=game, text="Bravo"), Conflict) == "talk_closed"
    clubs.join(by=bruno, club=club)
    line = talk.say(by=anna, game=game, text="Bravo")
    talk.report(by=bruno, line=line)
    assert [report.line for report in waiting_for(officer_of(club)).reports] == [line]


def test_muted_and_blocked_people_are_not_read_and_do_not_learn_it(game, players):
    anna, bruno, carole = players[:3]
    for person in (anna, bruno, carole):
        talk.say(by=person, game=game, text=person.display_name)
    hers = browser(anna)
    page = reverse("competitions:talk", args=[game.slug])
    assert hers.post(reverse("competitions:mute", args=[bruno.slug]), {"next": page})["Location"] == page
    blocks.block(by=carole, player=anna)
    assert read(game, anna) == [anna.display_name]
    assert len(read(game, bruno)) == 3
    assert "Unmute" in squeezed(hers.get(page).content.decode())
    hers.post(reverse("competitions:unmute", args=[bruno.slug]), {"next": page})
    assert read(game, anna) == [anna.display_name, bruno.display_name]
    assert refused(lambda: talk.mute(by=anna, player=anna)) == "self_muted"


def test_a_reported_line_waits_for_the_clubs_moderators_who_keep_or_remove_it(game, players, club):
    anna, bruno, carole = players[:3]
    line = talk.say(by=anna, game=game, text="Vous jouez mal")
    other = talk.say(by=anna, game=game, text="Bravo")
    assert refused(lambda: talk.report(by=anna, line=line)) == "own_line"
    his = browser(bruno)
    assert his.post(reverse("competitions:report_talk", args=[line.pk])).status_code == 302
    assert talk.report(by=bruno, line=line) == TalkReport.objects.get()
    talk.report(by=carole, line=line)
    second = talk.report(by=carole, line=other)
    officer = officer_of(club)
    client = browser(officer)
    assert "Vous jouez mal" in squeezed(client.get("/").content.decode())
    first = TalkReport.objects.order_by("pk").first()
    assert his.post(reverse("competitions:decide_talk", args=[first.pk]), {"decision": "remove"}).status_code == 404
    refused(lambda: talk.decide(by=bruno, report=first, keep=True), NotAllowed)
    client.post(reverse("competitions:decide_talk", args=[first.pk]), {"decision": "remove"})
    assert refused(lambda: talk.decide(by=officer, report=first, keep=True), Conflict) == "report_decided"
    client.post(reverse("competitions:decide_talk", args=[second.pk]), {"decision": "keep"})
    assert read(game, carole) == ["Bravo"]
    assert waiting_for(officer).reports == ()
    assert list(TalkReport.objects.values_list("kept", flat=True)) == [False, False, True]


def test_children_take_no_part_and_flooding_ends(game, players, monkeypatch):
    anna, bruno = players[:2]
    BirthYear.objects.create(player=bruno, year=clock.now().year - 9, told_at=clock.now())
    assert refused(lambda: talk.say(by=bruno, game=game, text="Bravo")) == "child_talk"
    assert not talks.may_read(bruno, game)
    monkeypatch.setattr(talk, "LINES_MOST", 2)
    for number in (1, 2):
        talk.say(by=anna, game=game, text=f"ligne {number}")
    assert refused(lambda: talk.say(by=anna, game=game, text="ligne 3")) == "lines_most"


@pytest.mark.parametrize("text", ["", " ", "x" * 201, "<script>", "a\u202eb"])
def test_bad_lines_are_refused_by_their_field(game, players, text):
    with pytest.raises(Refused) as error:
        talk.say(by=players[0], game=game, text=text)
    assert error.value.field == "text"


def test_a_line_of_another_game_is_not_there(game, players, hand):
    line = talk.say(by=players[0], game=game, text="Bravo")
    with pytest.raises(NotThere):
        talks.line(line.pk, a_player("Étrangère"))
    assert clock.now() - line.at < timedelta(minutes=1)
