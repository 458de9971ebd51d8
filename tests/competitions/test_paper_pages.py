"""Results on paper: two captains, a referee, impossible papers, an absence."""

import pytest
from django.urls import reverse

from tock_league.common import clock
from tock_league.competitions.models import CompetitionRole

from .tournament_desk import a_called_match, address, text
from .world import a_player

pytestmark = pytest.mark.django_db


def paper(**games):
    return {"winner_1": "0", "margin_1": "3", "seen": "0", "act": "report"} | games


def test_one_captain_reports_and_the_other_accepts(sign_in, club, hand):
    _made, match, (home, away) = a_called_match(club)
    assert sign_in(home).post(address("paper", match.slug), paper()).status_code == 302
    match.refresh_from_db()
    assert match.state == "reported"
    client = sign_in(away)
    page = client.get(address("paper", match.slug))
    assert page.context["to_accept"]
    seen = page.context["sheet"].version
    assert client.post(address("paper", match.slug), {"act": "accept", "seen": seen}).status_code == 302
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert client.post(address("paper", match.slug), paper(winner_1="1", seen=seen)).status_code == 409


def test_two_captains_who_disagree_wait_for_a_referee(sign_in, club, hand):
    made, match, (home, away) = a_called_match(club)
    sign_in(home).post(address("paper", match.slug), paper())
    client = sign_in(away)
    seen = client.get(address("paper", match.slug)).context["sheet"].version
    assert client.post(address("paper", match.slug), paper(winner_1="1", seen=seen)).status_code == 302
    match.refresh_from_db()
    assert match.state == "contested"
    referee = a_player("Sylvie Doucet")
    CompetitionRole.objects.create(competition=made, player=referee, name="referee", since=clock.now())
    client = sign_in(referee)
    seen = client.get(address("paper", match.slug)).context["sheet"].version
    assert client.post(address("paper", match.slug), paper(seen=seen, act="certify")).status_code == 302
    match.refresh_from_db()
    assert match.state == "confirmed"


@pytest.mark.parametrize(
    "games", [{"winner_1": ""}, {"winner_1": "7"}, {"margin_1": "9"}, {"margin_1": "-1"}, {"margin_1": "many"}]
)
def test_an_impossible_paper_comes_back_with_its_field(games, sign_in, club, hand):
    _made, match, (home, _away) = a_called_match(club)
    answer = sign_in(home).post(address("paper", match.slug), paper(**games))
    assert answer.status_code == 422
    assert answer.context["form"].errors
    match.refresh_from_db()
    assert match.state == "called"


def test_strangers_report_nothing_and_nobody_decides_an_absence_for_others(sign_in, client, club, hand):
    _made, match, (home, _away) = a_called_match(club)
    assert client.get(address("paper", match.slug)).status_code == 302
    client = sign_in(a_player("Réjean"))
    for name in ("paper", "absent"):
        assert client.get(address(name, match.slug)).status_code == 403
        assert client.post(address(name, match.slug), paper()).status_code == 403
    client = sign_in(home)
    other = client.post(address("absent", match.slug), {"what": "forfeit:1", "reason": "Ils dorment"})
    assert other.status_code == 422
    assert client.post(address("absent", match.slug), {"what": "forfeit:0", "reason": "Malade"}).status_code == 302
    match.refresh_from_db()
    assert match.state == "awarded"


def test_the_organiser_notes_who_did_not_come(sign_in, organiser, club, hand):
    _made, match, _captains = a_called_match(club)
    client = sign_in(organiser)
    assert client.post(address("absent", match.slug), {"what": "no_show:1", "reason": ""}).status_code == 422
    assert client.post(address("absent", match.slug), {"what": "no_show:1", "reason": "Pas là"}).status_code == 302
    match.refresh_from_db()
    assert match.state == "awarded"


def test_a_paper_waits_on_the_first_page_of_the_captain_who_has_to_answer(sign_in, club, hand):
    _made, match, (home, away) = a_called_match(club)
    link = address("paper", match.slug)
    assert link in text(sign_in(home).get(reverse("pages:home")))
    sign_in(home).post(link, paper())
    assert link not in text(sign_in(home).get(reverse("pages:home")))
    assert link in text(sign_in(away).get(reverse("pages:home")))
