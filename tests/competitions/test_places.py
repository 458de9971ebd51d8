"""Matches on boards, at tables of the site, or as their captains agree: leagues, club nights, one match of many."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import Competition, Match, PlaceProposal
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.results import papers_waiting
from tock_league.competitions.selectors.rounds.places import place_of
from tock_league.competitions.selectors.seasons.regulation_lines import regulation_lines
from tock_league.competitions.services.results import paper
from tock_league.competitions.services.rounds import opening, places, schedule
from tock_league.journal.models import JournalEntry
from tock_league.notices.models import Notice

from .world import FIRST_ROUND, a_league, a_signed_up_player, a_tournament, finish_game, first_match, under_way

pytestmark = pytest.mark.django_db


def captain(match: Match, position: int):
    return match.side_rows.get(position=position).entry.roster.get(role="starter", slot=1).player


def placed(league: Competition, **place) -> Match:
    """Return the first match of a league whose games are played as `place` says."""
    Competition.objects.filter(pk=league.pk).update(**place)
    return first_match(Competition.objects.get(pk=league.pk))


@pytest.fixture
def agreed(league: Competition) -> Match:
    """The first match of a league in which captains may agree on a board."""
    return placed(league, by_agreement=True)


@pytest.fixture
def on_boards(league: Competition) -> Match:
    return placed(league, on_paper=True)


def again(match: Match) -> Match:
    return Match.objects.select_related("competition", "table").get(pk=match.pk)


# --- a league on boards


@pytest.mark.both_databases
def test_a_league_on_boards_opens_no_table_and_asks_its_captains_at_the_hour(on_boards: Match, hand) -> None:
    hand.set(FIRST_ROUND - timedelta(minutes=10))
    assert opening.open_due_tables() == 0
    assert papers_waiting.papers_of(captain(on_boards, 0)) == []
    hand.set(FIRST_ROUND)
    assert opening.open_due_tables() == 2  # both matches of the round
    assert opening.open_due_tables() == 0
    match = again(on_boards)
    assert (match.state, match.table) == ("called", None)
    assert [found.what for found in papers_waiting.papers_of(captain(match, 0))] == ["report"]
    paper.report(by=captain(match, 0), match=match, games=[paper.Game(0, 3)])
    assert [found.what for found in papers_waiting.papers_of(captain(match, 1))] == ["accept"]
    paper.accept(by=captain(match, 1), match=match, seen=1)
    assert again(match).state == "confirmed"
    assert standings.table(match.competition)[0].points == "2"


def test_a_league_match_on_a_board_waits_for_its_new_date(on_boards: Match, hand) -> None:
    hand.set(FIRST_ROUND)
    opening.open_due_tables()
    schedule.move(by=SITE, match=on_boards, starts_at=FIRST_ROUND + timedelta(days=2))
    assert again(on_boards).state == "scheduled"
    assert papers_waiting.papers_of(captain(on_boards, 0)) == []


def test_leagues_and_nights_are_made_for_boards_by_their_forms(roles, club, hand) -> None:
    league = a_league(2, club=club, state="draft")
    client = roles("organiser")
    settings = reverse("competitions:edit_tournament", args=[league.slug])
    sent = {"name": "Ligue du jeudi", "size": 2, "rules": "shawinigan/1:4", "best_of": 1, "clocks": "on"}
    for chosen, wanted in (("paper", (True, False)), ("agreed", (False, True)), ("tables", (False, False))):
        assert client.post(settings, sent | {"place": chosen}).status_code == 302
        league.refresh_from_db()
        assert (league.on_paper, league.by_agreement) == wanted
        assert client.get(settings).context["form"]["place"].value() == chosen
    for address, more in (
        (reverse("competitions:new_night"), {}),
        (reverse("competitions:new"), {"season": league.division.season_id, "division": "9"}),
    ):
        body = sent | {"name": "Sur le bois", "club": club.pk, "place": "paper"} | more
        assert client.post(address, body).status_code == 302
        made = Competition.objects.order_by("-pk")[0]
        assert (made.name, made.on_paper, made.by_agreement) == ("Sur le bois", True, False)
        wrong = client.post(address, body | {"place": "moon", "name": "Lune"})
        assert list(wrong.context["form"].errors) == ["place"]


def test_the_regulations_say_where_the_games_are_played(league: Competition, english) -> None:
    def said() -> str:
        lines = regulation_lines(Competition.objects.get(pk=league.pk))
        return next(line.text for line in lines if line.term == "Where the games are played")

    assert said() == "at the tables of this site"
    Competition.objects.filter(pk=league.pk).update(by_agreement=True)
    assert "where both captains of a match agree" in said()
    Competition.objects.filter(pk=league.pk).update(by_agreement=False, on_paper=True)
    assert said().startswith("on boards")


# --- agreement


@pytest.mark.both_databases
def test_captains_agree_on_a_board_and_the_match_is_played_there(agreed: Match, hand) -> None:
    home, away = captain(agreed, 0), captain(agreed, 1)
    places.propose(by=home, match=agreed, on_board=True)
    assert not again(agreed).is_on_board
    places.propose(by=home, match=agreed, on_board=True)  # a second press
    assert PlaceProposal.objects.count() == 1
    places.accept(by=away, match=agreed, on_board=True)
    places.accept(by=away, match=agreed, on_board=True)  # a second press
    assert again(agreed).is_on_board
    assert PlaceProposal.objects.get().state == "accepted"
    assert sum("match.placed" in str(body) for body in JournalEntry.objects.values_list("body", flat=True)) == 1
    hand.set(FIRST_ROUND)
    opening.open_due_tables()
    match = again(agreed)
    assert (match.state, match.table) == ("called", None)
    other = match.competition.matches.exclude(pk=match.pk).get(round=match.round)
    assert (other.state, other.table is not None) == ("called", True)
    paper.certify(by=SITE, match=match, games=[paper.Game(1, 2)])
    assert again(match).state == "confirmed"


def test_the_same_wish_of_both_captains_is_an_agreement(agreed: Match, hand) -> None:
    places.propose(by=captain(agreed, 0), match=agreed, on_board=True)
    places.propose(by=captain(agreed, 1), match=agreed, on_board=True)
    assert again(agreed).is_on_board


def test_an_open_table_is_closed_when_both_want_a_board_and_another_opens_when_they_change_their_minds(
    agreed: Match, hand
) -> None:
    hand.set(FIRST_ROUND - timedelta(minutes=5))
    opening.open_due_tables()
    first = again(agreed).table
    assert first is not None
    places.propose(by=captain(agreed, 1), match=agreed, on_board=True)
    places.accept(by=captain(agreed, 0), match=agreed)
    first.refresh_from_db()
    assert (first.state, again(agreed).table, again(agreed).state) == ("closed", None, "scheduled")
    hand.set(FIRST_ROUND + timedelta(minutes=1))
    opening.open_due_tables()
    places.propose(by=captain(agreed, 0), match=agreed, on_board=False)
    places.accept(by=captain(agreed, 1), match=agreed)
    match = again(agreed)
    assert (match.on_board, match.state, match.table.state) == (None, "called", "open")
    assert match.table != first


def test_a_proposal_is_declined_or_taken_back_and_the_match_stays(agreed: Match, hand) -> None:
    home, away = captain(agreed, 0), captain(agreed, 1)
    for answer, by, state in ((places.decline, away, "declined"), (places.withdraw, home, "withdrawn")):
        places.propose(by=home, match=agreed, on_board=True)
        answer(by=by, match=agreed)
        assert PlaceProposal.objects.order_by("-pk")[0].state == state
        assert not again(agreed).is_on_board
    with pytest.raises(Conflict, match="nothing_proposed"):
        places.accept(by=away, match=agreed)


def test_who_may_say_what(agreed: Match, hand) -> None:
    home, away = captain(agreed, 0), captain(agreed, 1)
    partner = agreed.side_rows.get(position=0).entry.roster.get(role="starter", slot=2).player
    stranger = a_signed_up_player("passant@example.org", "Luc Passant")
    for person in (partner, stranger, None, SITE):
        with pytest.raises(NotAllowed):
            places.propose(by=person, match=agreed, on_board=True)
    for person in (home, away, stranger, None):
        with pytest.raises(NotAllowed):
            places.decide(by=person, match=agreed, on_board=True)
    places.propose(by=home, match=agreed, on_board=True)
    with pytest.raises(Conflict, match="nothing_proposed"):
        places.accept(by=home, match=agreed)  # the own proposal
    with pytest.raises(Conflict, match="nothing_proposed"):
        places.withdraw(by=away, match=agreed)
    with pytest.raises(Conflict, match="proposal_changed"):
        places.accept(by=away, match=agreed, on_board=False)
    views = [place_of(again(agreed), person) for person in (home, away, stranger, None)]
    assert [(view.is_own, view.may_answer, view.may_propose, view.may_decide) for view in views] == [
        (True, False, False, False),
        (False, True, False, False),
        (False, False, False, False),
        (False, False, False, False),
    ]


def test_an_organiser_decides_in_any_league_and_an_open_proposal_ends(agreed: Match, hand) -> None:
    places.propose(by=captain(agreed, 0), match=agreed, on_board=True)
    places.decide(by=SITE, match=agreed, on_board=True)
    assert again(agreed).is_on_board
    assert PlaceProposal.objects.get().state == "ended"
    Competition.objects.filter(pk=agreed.competition_id).update(by_agreement=False)
    places.decide(by=SITE, match=agreed, on_board=False)
    assert again(agreed).on_board is None
    with pytest.raises(Conflict, match="not_by_agreement"):
        places.propose(by=captain(agreed, 0), match=agreed, on_board=True)


def test_a_match_that_has_begun_stays_where_it_is(agreed: Match, hand) -> None:
    places.propose(by=captain(agreed, 0), match=agreed, on_board=True)
    opening.open_table(match_id=agreed.pk, early=True)
    finish_game(agreed, 0)
    for act in (places.accept, places.decline):
        with pytest.raises(Conflict, match="match_begun"):
            act(by=captain(agreed, 1), match=agreed)
    with pytest.raises(Conflict, match="match_begun"):
        places.decide(by=SITE, match=agreed, on_board=True)
    assert not place_of(again(agreed), captain(agreed, 1)).is_shown


def test_a_tournament_has_both_kinds_of_matches_in_one_round(hand) -> None:
    cup = a_tournament(4, on_paper=False)
    Competition.objects.filter(pk=cup.pk).update(by_agreement=True)
    first, second = under_way(cup)
    places.propose(by=captain(first, 0), match=first, on_board=True)
    places.accept(by=captain(first, 1), match=first)
    assert again(first).state == "called"
    paper.report(by=captain(first, 0), match=first, games=[paper.Game(0, 1)])
    with pytest.raises(Conflict, match="not_open"):
        paper.report(by=captain(second, 0), match=second, games=[paper.Game(0, 1)])


def test_people_are_told_what_is_proposed_and_where_they_play(agreed: Match, hand) -> None:
    Competition.objects.filter(pk=agreed.competition_id).update(by_agreement=True)
    for position in (0, 1):
        person = captain(agreed, position)
        person.user = a_signed_up_player(f"c{position}@example.org", f"Capitaine {position}").user
        type(person).objects.filter(user=person.user).update(user=None)
        person.save()
    home, away = captain(agreed, 0), captain(agreed, 1)
    places.propose(by=home, match=agreed, on_board=True)
    places.decline(by=away, match=agreed)
    places.propose(by=home, match=agreed, on_board=True)
    places.accept(by=away, match=agreed)
    told = {
        person: sorted(Notice.objects.filter(player=person).values_list("kind", flat=True)) for person in (home, away)
    }
    assert told == {home: ["match_on_board", "place_declined"], away: ["place_proposed", "place_proposed"]}


# --- pages


def test_captains_press_the_buttons_of_the_page(agreed: Match, sign_in, hand) -> None:
    address, deed = (reverse(f"competitions:{name}", args=[agreed.slug]) for name in ("match", "place"))
    Player.objects.update(language="en")
    client = sign_in(captain(agreed, 0))
    assert "Propose a board" in client.get(address).content.decode()
    assert client.post(deed, {"what": "propose", "on_board": "board"}).url == address
    assert "Take the proposal back" in client.get(address).content.decode()
    client = sign_in(captain(agreed, 1))
    page = client.get(address).content.decode()
    assert "proposes to play it on a board." in page
    assert 'value="accept"' in page
    stale = client.post(deed, {"what": "accept", "on_board": "table"})
    assert (stale.status_code, "look at the newest one" in stale.content.decode()) == (409, True)
    for body in ({}, {"what": "accept"}, {"what": "burn", "on_board": "board"}, {"what": "accept", "on_board": "moon"}):
        assert client.post(deed, body).status_code == 422
    assert client.post(deed, {"what": "accept", "on_board": "board"}).url == address
    assert "On a board; the captains enter the result." in client.get(address).content.decode()


@pytest.mark.parametrize(
    ("role", "status"),
    [("visitor", 302), ("player", 403), ("officer", 302), ("organiser", 302), ("admin", 302)],
)
def test_officials_decide_on_the_page(role, status, roles, club, hand) -> None:
    match = first_match(a_league(2, club=club))
    deed = reverse("competitions:place", args=[match.slug])
    assert roles(role).post(deed, {"what": "decide", "on_board": "board"}).status_code == status
    assert again(match).is_on_board == (status == 302 and role != "visitor")


# --- two at once


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_an_acceptance_and_a_withdrawal_at_once_leave_one_of_them(hand) -> None:
    match = placed(a_league(2), by_agreement=True)
    home, away = captain(match, 0), captain(match, 1)
    for _turn in range(3):
        Match.objects.filter(pk=match.pk).update(on_board=None)
        places.propose(by=home, match=match, on_board=True)
        gate = threading.Barrier(2)
        outcomes: dict[str, str] = {}

        def press(name: str, act, by, gate=gate, outcomes=outcomes) -> None:
            gate.wait()
            try:
                act(by=by, match=match)
                outcomes[name] = "done"
            except Refused as error:
                outcomes[name] = str(error.code)
            finally:
                connection.close()

        pressing = [
            threading.Thread(target=press, args=given)
            for given in (("accept", places.accept, away), ("withdraw", places.withdraw, home))
        ]
        for thread in pressing:
            thread.start()
        for thread in pressing:
            thread.join()
        state = PlaceProposal.objects.order_by("-pk")[0].state
        assert (outcomes, again(match).is_on_board) in [
            ({"accept": "done", "withdraw": "nothing_proposed"}, True),
            ({"accept": "nothing_proposed", "withdraw": "done"}, False),
        ]
        assert state == ("accepted" if outcomes["accept"] == "done" else "withdrawn")
    assert not PlaceProposal.objects.filter(state="open").exists()
