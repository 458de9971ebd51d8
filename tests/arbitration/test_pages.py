"""The pages of arbitration after the game: dispute, answer, ruling and appeal by role, and the public book."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.competitions.world import START, a_player
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.models import Appeal, Case, CaseEvent, Vote
from tock_league.arbitration.services.appeals import hearing
from tock_league.arbitration.services.cases import disputes
from tock_league.common import clock
from tock_league.competitions.services.seasons import roles

from .browsers import digest_of, gave_password, signed_in, to, typed, words_of
from .world import WORDS, World, a_referee, fresh, replied

pytestmark = pytest.mark.django_db


def file_it(browser: Client, game, **more: object):
    data = {"seq": 5, "kind": "talk", "text": WORDS} | more
    return browser.post(reverse("arbitration:dispute", args=[game.slug]), data)


def test_a_loser_disputes_from_a_play_and_the_other_side_answers(world: World) -> None:
    game = world.played(0)
    browser = signed_in(world.players[1])
    page = browser.get(reverse("arbitration:dispute", args=[game.slug]) + "?seq=5")
    assert f'href="/games/{game.slug}/#5"' in page.content.decode()
    answer = file_it(browser, game)
    case = Case.objects.get()
    assert answer.url == to("case", case.number)
    assert (case.seq, case.kind, case.side) == (5, "talk", 1)
    other = signed_in(world.players[0])
    assert "Answer once" in words_of(other.get(to("case", case.number)))
    assert other.post(to("answer", case.number), {"text": "Je n’ai rien dit."}).status_code == 302
    assert fresh(case).heard
    assert "Je n’ai rien dit." in words_of(browser.get(to("case", case.number)))
    assert other.post(to("answer", case.number), {"text": "Encore."}).status_code in (403, 409, 422)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": "x" * 281}, "text"),
        ({"text": "x" * 1_000_000}, "text"),
        ({"text": "<b>Il a parlé</b>"}, "text"),
        ({"text": "Il\x00 a parlé"}, "text"),
        ({"kind": "treason"}, "kind"),
        ({"seq": "0"}, "seq"),
        ({"seq": "99999"}, "seq"),
        ({"seq": "9" * 40}, "seq"),
    ],
)
def test_a_dispute_with_a_fault_names_its_field_and_writes_nothing(world: World, more, field) -> None:
    game = world.played(0)
    answer = file_it(signed_in(world.players[1]), game, **more)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert not Case.objects.exists()
    assert not CaseEvent.objects.exists()


def test_two_clicks_file_one_dispute(world: World) -> None:
    game = world.played(0)
    browser = signed_in(world.players[1])
    assert [file_it(browser, game).status_code for _click in range(2)] == [302, 302]
    assert [event.type for event in Case.objects.get().events.all()] == ["filed"]


@pytest.mark.parametrize("address", ["?seq=abc", "?seq=-1", "?seq=", "", "?seq=²", "?seq=" + "9" * 400])
def test_a_dispute_page_without_a_proper_play_still_opens(world: World, address: str) -> None:
    game = world.played(0)
    page = signed_in(world.players[1]).get(reverse("arbitration:dispute", args=[game.slug]) + address)
    assert page.status_code == 200


def test_strangers_and_late_ones_are_told_why_they_cannot_dispute(world: World, hand) -> None:
    game = world.played(0)
    address = reverse("arbitration:dispute", args=[game.slug])
    window = reverse("arbitration:window", args=[game.slug])
    assert signed_in(world.players[1]).get(window).json()["possible"] is True
    assert signed_in(None).get(window).json() == {"possible": False}
    assert signed_in(a_player("Quidam")).get(window).json()["possible"] is False
    assert "Only the players of this game" in words_of(signed_in(a_player("Autre")).get(address))
    assert file_it(signed_in(a_player("Tiers")), game).status_code == 403
    with clock.frozen(START + timedelta(days=30)):
        browser = signed_in(world.players[1])
        assert "The time to dispute this game ended" in words_of(browser.get(address))
        assert file_it(browser, game).status_code in (409, 422)
        assert browser.get(window).json()["possible"] is False
    assert not Case.objects.exists()


def test_a_case_is_hidden_from_strangers_until_it_is_ruled(world: World) -> None:
    case = world.dispute()
    for person in (None, a_player("Quidam")):
        answer = signed_in(person).get(to("case", case.number))
        assert answer.status_code == (302 if person is None else 404)
    assert signed_in(None).get(to("ruling", case.number)).status_code == 404
    assert case.number not in signed_in(None).get(reverse("arbitration:book")).content.decode()


def test_a_match_leads_to_its_open_case_for_who_may_see_it_and_to_the_ruling_for_everybody(world: World) -> None:
    case = world.dispute()
    match = reverse("competitions:match", args=[world.match.slug])
    for person in (None, a_player("Quidam")):
        assert case.number not in signed_in(person).get(match).content.decode()
    for person in (world.players[0], world.players[1], world.head):
        assert f'href="{to("case", case.number)}"' in signed_in(person).get(match).content.decode()
    world.rule(world.taken(world.heard(case)), world.against(case))
    page = signed_in(None).get(match).content.decode()
    assert f'href="{to("ruling", case.number)}"' in page
    assert to("case", case.number) not in page


def test_an_overturned_game_shows_before_and_after_then_the_book_has_it(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    browser = signed_in(world.head)
    decided = typed(world, offender=world.players[0].pk, result="result", game_number="1", winner="1", fault="own")
    seen = browser.post(to("rule", case.number), decided | {"do": "preview"})
    assert seen.status_code == 200, seen.context["decision_form"].errors
    assert seen.context["preview"].changes.rows
    kinds = {row.kind for row in seen.context["preview"].changes.rows}
    assert {"result", "points"} <= kinds
    signature = decided | {"do": "sign", "preview_digest": digest_of(seen)}
    assert browser.post(to("rule", case.number), signature).status_code == 302
    public = signed_in(None)
    book = words_of(public.get(reverse("arbitration:book")))
    assert case.number[-6:] in book
    ruling = public.get(to("ruling", case.number))
    words = words_of(ruling)
    assert "Il a parlé au coup 12." in words
    assert "The win goes to" in words
    assert f'href="/games/{case.game.slug}/#{case.seq}"' in ruling.content.decode()
    assert WORDS not in words  # what a side wrote is not published
    rulings = words_of(public.get(reverse("arbitration:competition", args=[world.competition.slug])))
    assert world.players[0].display_name in rulings
    own = words_of(public.get(reverse("arbitration:penalties_player", args=[world.players[0].slug])))
    assert "recorded warning" in own
    team = world.match.side_rows.get(position=0).entry.team
    assert "recorded warning" in words_of(public.get(reverse("arbitration:penalties_team", args=[team.slug])))


def test_a_side_appeals_once_three_vote_and_the_panel_signs(world: World) -> None:
    case = world.ruled()
    loser = signed_in(world.players[0])
    appeal = {"grounds": "fact", "text": "Personne n’a rien entendu."}
    assert loser.post(to("appeal", case.number), appeal).status_code == 302
    assert loser.post(to("appeal", case.number), appeal).status_code in (403, 409, 422)
    assert Appeal.objects.count() == 1
    assert signed_in(world.players[1]).post(to("panel", case.number)).status_code == 403
    assert signed_in(world.organiser).post(to("panel", case.number)).status_code == 302
    members = [seat.member for seat in fresh(case).panel.filter(place__isnull=False)]
    assert len(members) == 3
    assert world.head not in members  # a referee who ruled does not judge the appeal
    first = signed_in(members[0])
    assert first.post(to("vote", case.number), {"vote": "uphold", "note": "Oui."}).status_code == 422, "too early"
    replied(case, world.players)
    assert first.post(to("vote", case.number), {"vote": "maybe", "note": "?"}).status_code == 422
    for member in members:
        vote = {"vote": "uphold", "note": f"Note de {member.display_name}"}
        assert signed_in(member).post(to("vote", case.number), vote).status_code == 302
        others = [other.display_name for other in members if other != member]
        page = words_of(signed_in(member).get(to("case", case.number)))
        if member != members[-1]:
            assert not any(f"Note de {name}" in page for name in others)
    assert Vote.objects.count() == 3
    page = words_of(first.get(to("case", case.number)))
    assert all(f"Note de {member.display_name}" in page for member in members)
    assert "the ruling stands" in page
    assert first.post(to("panel_rule", case.number), {"do": "uphold", "reasons": ""}).status_code == 422
    signed = first.post(to("panel_rule", case.number), {"do": "uphold", "reasons": "Les faits sont établis."})
    assert signed.status_code == 302
    assert fresh(case).state == "final"
    assert "The panel upholds the ruling" in words_of(signed_in(None).get(to("ruling", case.number)))


def test_when_no_referee_is_left_the_organiser_names_a_person_from_outside(world: World) -> None:
    case = world.heard(world.dispute())
    browser = signed_in(world.organiser)
    outsider = a_player("Marc Villemure")
    signed_in(outsider)  # has a login
    given = {"player": outsider.slug, "reason": "Tous les arbitres sont du même club."}
    gave_password(browser, world.organiser, ago=600)
    assert "reauthenticate" in browser.post(to("outsider", case.number), given)["Location"]
    gave_password(browser, world.organiser)
    assert browser.post(to("outsider", case.number), given).status_code == 422  # enough referees are left
    for role in world.competition.roles.filter(name__in=["referee", "head_referee"], until__isnull=True):
        roles.end(by=SITE, role=role, reason="parti")
    assert browser.post(to("outsider", case.number), given).status_code == 302
    assert fresh(case).outsider
    assert "named somebody from outside" in words_of(signed_in(outsider).get(to("case", case.number)))
    assert signed_in(outsider).post(to("take", case.number)).status_code == 302


def test_a_dismissal_of_talking_needs_a_second_referee(world: World) -> None:
    case = world.taken(world.heard(world.dispute()), by=world.referees[0])
    first, second = signed_in(world.referees[0]), signed_in(world.referees[1])
    assert first.post(to("dismiss", case.number), {"reason": ""}).status_code == 422
    assert first.post(to("dismiss", case.number), {"reason": "Rien au dossier."}).status_code == 302
    assert fresh(case).state == "triage"
    assert first.post(to("agree", case.number)).status_code in (403, 409, 422)
    assert "A second referee is asked" in words_of(second.get(to("case", case.number)))
    assert second.post(to("disagree", case.number), {"reason": "Le journal montre un mot."}).status_code == 302
    assert fresh(case).state == "filed"


def test_what_waits_for_somebody_stands_first_in_their_cases(world: World) -> None:
    case = world.dispute()
    words = words_of(signed_in(world.players[0]).get(reverse("arbitration:mine")))
    assert words.index("Waiting for you") < words.index("As a player")
    assert "Answer" in words
    disputes.answer(by=world.players[0], case=case, text="Je n’ai rien dit.")
    assert "Waiting for you" not in words_of(signed_in(world.players[0]).get(reverse("arbitration:mine")))
    assert "Take the case" in words_of(signed_in(world.referees[0]).get(reverse("arbitration:mine")))
    assert signed_in(None).get(reverse("arbitration:mine")).status_code == 302


def test_an_opener_takes_the_case_back(world: World) -> None:
    case = world.dispute()
    assert signed_in(world.players[0]).post(to("withdraw", case.number)).status_code == 403
    assert signed_in(world.players[1]).post(to("withdraw", case.number)).status_code == 302
    assert fresh(case).state == "withdrawn"


@pytest.mark.parametrize("name", ["take", "release", "withdraw", "panel", "agree", "rule", "answer", "appeal", "vote"])
def test_actions_are_never_links(world: World, name: str) -> None:
    case = world.dispute()
    assert signed_in(world.head).get(to(name, case.number)).status_code == 405


@pytest.mark.parametrize("number", ["TL-2026-999999", "x", "TL-2026-000001 "])
def test_a_case_that_is_not_there_is_not_found(world: World, number: str) -> None:
    assert signed_in(world.head).get(f"/cases/{number}/").status_code == 404
    assert signed_in(None).get(f"/rulings/{number}/").status_code == 404


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Burns one card blind"), ("fr", "Brûle une carte à l’aveugle"), ("es", "Quema una carta a ciegas")],
)
def test_the_penalty_table_stands_in_every_language(db, language: str, words: str) -> None:
    page = Client(headers={"accept-language": language}).get(reverse("arbitration:table"))
    assert words in words_of(page)
    assert "2026/1" in words_of(page)


@pytest.mark.parametrize("page", ["0", "-1", "abc", "99999999", "²"])
def test_a_page_number_beyond_the_book_shows_the_nearest_page(db, page: str) -> None:
    assert Client().get(reverse("arbitration:book"), {"page": page}).status_code == 200


def test_the_book_asks_the_database_no_more_for_more_rulings(world: World, django_assert_max_num_queries) -> None:
    world.ruled()
    public = Client()
    public.get(reverse("arbitration:book"))
    # Cases, sides with entries and teams, rulings, effects, appeals, panels, reviews; language and session of a
    # visitor.
    with django_assert_max_num_queries(16):
        public.get(reverse("arbitration:book"))


def test_a_referee_of_another_event_does_not_see_the_case(world: World) -> None:
    case = world.dispute()
    elsewhere = a_player("Arbitre d’ailleurs")
    assert signed_in(elsewhere).get(to("case", case.number)).status_code == 404
    here = a_referee(world.competition)
    assert signed_in(here).get(to("case", case.number)).status_code == 200


def test_a_note_of_a_member_stays_sealed_from_the_parties(world: World) -> None:
    case = world.appealed()
    for seat in case.panel.filter(place__isnull=False):
        hearing.vote(by=seat.member, case=case, vote="uphold", note="Note secrète")
    assert "Note secrète" not in words_of(signed_in(world.players[0]).get(to("case", case.number)))
