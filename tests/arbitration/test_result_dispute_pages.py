"""The pages of a dispute of a result that people entered, over HTTP."""

import json
import re

import pytest
from django.urls import reverse

from tests.competitions.world import a_player
from tock_league.arbitration.models import Case, Draft, Ruling
from tock_league.competitions.selectors.results.effective import effective_of

from .browsers import signed_in, to, words_of
from .entered_world import WORDS, Room, a_room
from .world import fresh

pytestmark = pytest.mark.django_db
BUTTON = "Dispute the result"
GIVEN = {"kind": "result", "asks": "score", "text": WORDS}


@pytest.fixture
def room(hand) -> Room:
    made = a_room()
    made.certified(1)
    return made


def page_of(room: Room) -> str:
    return reverse("competitions:match", args=[room.match.slug])


def form_of(room: Room) -> str:
    return reverse("arbitration:dispute_result", args=[room.match.slug])


def values(html: str, name: str) -> list[str]:
    return re.findall(rf'name="{name}" value="([^"]*)"', html)


@pytest.mark.parametrize("position", [0, 1])
def test_both_teams_find_the_button_and_file(room: Room, position: int) -> None:
    browser = signed_in(room.player(position))
    page = browser.get(page_of(room))
    assert BUTTON in words_of(page)
    assert form_of(room) in page.content.decode()
    form = browser.get(form_of(room))
    assert "The result that stands:" in words_of(form)
    assert "It can be disputed until" in words_of(form)
    told = browser.post(form_of(room), GIVEN, follow=True)
    case = Case.objects.get()
    assert f"Case {case.number} is filed." in words_of(told)
    assert case.side == position
    assert "asked for: that the result is corrected" in words_of(told)
    assert BUTTON not in words_of(browser.get(page_of(room))), "while the case is open there is nothing to press"
    other = signed_in(room.player(1 - position))
    assert "A case is about your match; your side may answer." in words_of(other.get(page_of(room)))
    assert case.number in words_of(other.get(form_of(room)))
    joined = other.post(form_of(room), {**GIVEN, "text": "Nous aussi."}, follow=True)
    assert f"Your words are added to case {case.number}" in words_of(joined)
    assert Case.objects.count() == 1


def test_no_button_stands_where_it_would_refuse(room: Room, hand) -> None:
    for person in (a_player("Quidam"), room.organiser, room.head, room.referees[0], None):
        browser = signed_in(person)
        assert BUTTON not in words_of(browser.get(page_of(room)))
        if person is None:
            assert browser.get(form_of(room)).status_code == 302
            continue
        shown = browser.get(form_of(room))
        assert "Only the players of this match may dispute its result." in words_of(shown)
        assert "<textarea" not in shown.content.decode()
        assert browser.post(form_of(room), GIVEN).status_code == 403
    hand.advance(minutes=31)
    player = signed_in(room.player(0))
    assert BUTTON not in words_of(player.get(page_of(room)))
    assert "The time to dispute this result ended" in words_of(player.get(form_of(room)))
    assert player.post(form_of(room), GIVEN).status_code == 422
    assert not Case.objects.exists()


def test_an_undecided_match_has_no_button(hand) -> None:
    room = a_room()
    browser = signed_in(room.player(0))
    assert BUTTON not in words_of(browser.get(page_of(room)))
    assert "Nobody has entered the result of this match" in words_of(browser.get(form_of(room)))
    assert browser.get(form_of(room).replace(room.match.slug, "nowhere")).status_code == 404


def test_a_form_with_faults_comes_back_with_what_was_typed(room: Room) -> None:
    browser = signed_in(room.player(0))
    answer = browser.post(form_of(room), {"asks": "replay", "text": "Ma feuille."})
    assert answer.status_code == 422
    html = answer.content.decode()
    assert "Ma feuille." in html
    assert re.search(r'value="replay"[^>]*checked', html)
    assert "This field is required." in words_of(answer)


def test_the_draft_is_on_the_page_again_and_can_be_discarded(room: Room) -> None:
    browser = signed_in(room.player(0))
    html = browser.get(form_of(room)).content.decode()
    (token,) = values(html, "draft_token")
    sent = {"draft_token": token, "draft_version": "0", "kind": "eligibility", "text": "Ma feuille."}
    address = reverse("arbitration:dispute_draft", args=[room.match.slug])
    saved = browser.post(address, sent, headers={"accept": "application/json"})
    assert json.loads(saved.content)["version"] == 1
    other = signed_in(room.player(0, 2))
    assert other.post(address, sent, headers={"accept": "application/json"}).status_code == 403
    html = browser.get(form_of(room)).content.decode()
    assert "Ma feuille." in html
    assert "Your draft is here again." in html
    assert re.search(r'value="eligibility"[^>]*checked', html)
    browser.post(reverse("arbitration:discard_dispute", args=[room.match.slug]))
    assert not Draft.objects.exists()
    browser.logout()
    late = browser.post(form_of(room), sent | {"asks": "score"})
    assert late.status_code == 302
    assert Draft.objects.get().fields["text"] == ["Ma feuille."], "an expired session loses nothing"


def test_the_referee_reads_the_claim_and_puts_the_score_right(room: Room) -> None:
    case = room.taken(room.file())
    browser = signed_in(room.head)
    page = browser.get(to("case", case.number))
    told = words_of(page)
    assert "Result entered" in told
    assert WORDS in told
    assert "Error in the result entered" in told
    html = page.content.decode()
    assert re.search(r'name="winner_1"', html)
    assert not re.search(r'name="game_number"', html)
    given = {
        "outcome": "entry_error", "result": "paper", "winner_1": "0", "margin_1": "2", "fault": "own", "rules": "4",
        "facts": "La feuille.", "reasons": "La feuille signée compte.",
    }  # fmt: skip
    bad = browser.post(to("rule", case.number), {**given, "winner_1": "", "do": "preview"})
    assert bad.status_code == 422
    assert 'aria-invalid="true"' in bad.content.decode() or "invalid" in bad.content.decode()
    shown = browser.post(to("rule", case.number), {**given, "do": "preview"})
    assert shown.status_code == 200
    names = [str(side.entry) for side in room.match.side_rows.order_by("position")]
    assert f"{names[0]}, 1 – 0 (by decision)" in words_of(shown)
    (digest,) = set(values(shown.content.decode(), "preview_digest"))
    browser.post(to("rule", case.number), {**given, "do": "sign", "preview_digest": digest})
    assert Ruling.objects.get().outcome == "entry_error"
    room.match.refresh_from_db()
    assert effective_of(room.match).winner == 0
    public = words_of(signed_in(None).get(to("ruling", case.number)))
    assert "error in the result entered" in public
    assert f"The score is corrected: {names[0]} 1 – 0 {names[1]}." in public
    assert "by decision" in words_of(signed_in(None).get(page_of(room))).lower()


def test_the_games_of_a_draft_decision_are_kept(room: Room) -> None:
    case = room.taken(room.file())
    browser = signed_in(room.head)
    html = browser.get(to("case", case.number)).content.decode()
    token = next(
        token for token in values(html, "draft_token")
        if browser.post(
            to("draft", case.number),
            {"draft_token": token, "draft_version": "0", "result": "paper", "winner_1": "0", "margin_1": "5"},
            headers={"accept": "application/json"},
        ).status_code == 200
        and Draft.objects.filter(form="decision").exists()
    )  # fmt: skip
    assert token
    assert Draft.objects.get(form="decision").fields["margin_1"] == ["5"]
    html = browser.get(to("case", case.number)).content.decode()
    assert re.search(r'name="margin_1" value="5"', html)
    assert fresh(case).state == "hearing"


def test_a_result_that_staff_of_one_club_entered_says_that_it_can_be_disputed(room: Room, hand) -> None:
    from tock_league.accounts.permissions import SITE
    from tock_league.clubs import services as clubs
    from tock_league.competitions.services.seasons import roles

    club = clubs.found_club(by=SITE, name="Castors", town="Shawinigan")
    other = a_room()
    officer = a_player("Officier")
    clubs.join(by=officer, club=club)
    clubs.join(by=other.player(1), club=club)
    roles.give(by=SITE, competition=other.competition, player=officer, name="organiser")
    other.certified(1, by=officer)
    visitor = signed_in(None)
    assert "both teams may dispute it until" in words_of(visitor.get(page_of(other)))
    hand.advance(minutes=31)
    told = words_of(visitor.get(page_of(other)))
    assert "entered by staff of one team's club" in told
    assert "may dispute it" not in told
