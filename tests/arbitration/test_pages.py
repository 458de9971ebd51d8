"""The pages of arbitration: visibility by role, forms with their errors, a double click with one effect, the public
book."""

import re
from datetime import timedelta

import pytest
from allauth.account.internal.flows import login
from django.test import Client
from django.urls import reverse

from games.models import GameEvent
from games.selectors.referee import rewindable
from tests.competitions.world import START, a_player
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_user
from tock_league.arbitration.models import Appeal, Case, CaseEvent, Lease, Ruling, Vote
from tock_league.arbitration.services.appeals import hearing
from tock_league.arbitration.services.cases import disputes
from tock_league.arbitration.services.referees import leases
from tock_league.common import clock
from tock_league.competitions.services.seasons import roles

from .world import WORDS, World, a_referee, fresh, replied

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
pytestmark = pytest.mark.django_db


def signed_in(player: Player | None) -> Client:
    """Return a browser that reads English, with `player` signed in if given."""
    browser = Client(headers={"accept-language": "en"})
    if player is None:
        return browser
    if player.user is None:
        player.user = create_user(email=f"{player.slug}@example.org", password="le tock du mercredi")
        player.language = "en"
        player.save()
    browser.force_login(player.user, backend=BACKEND)
    return gave_password(browser, player)


def gave_password(browser: Client, player: Player, *, ago: int = 0) -> Client:
    """Return the browser as after a sign-in with the password, so many seconds ago."""
    session = browser.session
    session[login.AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "password", "at": clock.now().timestamp() - ago}]
    session[login._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(player.user.pk)
    session.save()
    return browser


def words_of(answer) -> str:
    """Return the text of a page, without tags, in one line."""
    body = re.sub(r"<(script|svg)\b.*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    body = re.sub(r"<[^>]+>", " ", body).replace("&#x27;", "'").replace("&nbsp;", " ")
    return " ".join(body.split())


def to(name: str, number: object) -> str:
    return reverse(f"arbitration:{name}", args=[number])


@pytest.fixture
def called(world: World):
    """A game in its first turns; seat 0 has called the referee because seat 1 talked."""
    sat = world.sat()
    sat.play_on(3)
    assert not sat.send(0, "dispute", kind="talk", text="Il parle à son partenaire").code
    return sat, Case.objects.get()


def typed(world: World, **more: object) -> dict[str, object]:
    """Return the form of a referee who finds that the first player of the other side has talked."""
    decision = {"outcome": "upheld", "row": "talk", "offender": world.players[1].pk, "penalty": "", "rules": "8, 9"}
    decision |= {"facts": "Il a parlé au coup 12.", "reasons": "Parler est interdit."}
    return decision | more


def digest_of(answer) -> str:
    return re.search(r'name="preview_digest" value="(\w{64})"', answer.content.decode()).group(1)


# ---- the desk


def test_the_desk_shows_the_call_with_its_time_and_who_may_take_it(world: World, called, hand) -> None:
    _sat, case = called
    hand.move(timedelta(seconds=72)) if hasattr(hand, "move") else None
    page = signed_in(world.referees[0]).get(reverse("arbitration:desk", args=[world.competition.slug]))
    words = words_of(page)
    assert "calls: talking" in words
    assert "If nobody takes the case, play goes on by itself in:" in words
    assert "Take the case" in words
    assert "Clocks stopped" in words  # the list of tables
    assert case.number[-6:] not in words_of(signed_in(a_player("Quidam")).get(page.request["PATH_INFO"]))


@pytest.mark.parametrize("who", ["stranger", "party", "visitor"])
def test_the_desk_is_the_referees_and_the_organisers(world: World, called, who: str) -> None:
    person = {"stranger": a_player("Quidam"), "party": world.players[0], "visitor": None}[who]
    answer = signed_in(person).get(reverse("arbitration:desk", args=[world.competition.slug]))
    assert answer.status_code == (302 if who == "visitor" else 403)


def test_the_desk_polls_and_reloads_when_something_changed(world: World, called) -> None:
    _sat, case = called
    browser = signed_in(world.referees[0])
    first = browser.get(reverse("arbitration:news", args=[world.competition.slug])).json()
    assert first["waiting"] == 1
    assert first["key"] in browser.get(reverse("arbitration:desk", args=[world.competition.slug])).content.decode()
    leases.take(by=world.referees[1], case=case)
    second = browser.get(reverse("arbitration:news", args=[world.competition.slug])).json()
    assert second["waiting"] == 0
    assert second["key"] != first["key"]


def test_from_the_table_a_referee_comes_to_its_case(world: World, called) -> None:
    _sat, case = called
    address = reverse("arbitration:table_case", args=[world.match.table.slug])
    assert signed_in(world.referees[0]).get(address).url == to("case", case.number)
    assert signed_in(world.players[0]).get(address).status_code == 403
    leases.take(by=world.head, case=case)
    browser = signed_in(world.head)
    decided = typed(world, remedies=["blind_burn"])
    seen = browser.post(to("rule", case.number), decided | {"do": "preview"})
    browser.post(to("rule", case.number), decided | {"do": "sign", "preview_digest": digest_of(seen)})
    assert signed_in(world.referees[0]).get(address).url == reverse("arbitration:desk", args=[world.competition.slug])


# ---- the case at the table: take, preview, sign


def test_a_referee_takes_previews_and_signs_and_the_table_plays_on(world: World, called) -> None:
    sat, case = called
    browser = signed_in(world.referees[0])
    assert browser.post(to("take", case.number)).url == to("case", case.number)
    page = words_of(browser.get(to("case", case.number)))
    assert "You hold this case" in page
    assert "Il parle à son partenaire" in page
    assert "calls the referee" in page  # the log of the table
    seen = browser.post(to("rule", case.number), typed(world, remedies=["blind_burn"]) | {"do": "preview"})
    assert seen.status_code == 200
    assert "burns one card blind and loses a turn" in words_of(seen)
    assert "the table says: recorded warning" in words_of(seen)
    assert not Ruling.objects.exists()
    signature = typed(world, remedies=["blind_burn"]) | {"do": "sign", "preview_digest": digest_of(seen)}
    first = browser.post(to("rule", case.number), signature)
    second = browser.post(to("rule", case.number), signature)  # a double click
    assert first.status_code == 302
    assert second.url == first.url
    assert Ruling.objects.count() == 1
    assert GameEvent.objects.filter(game=sat.game, code="penalty").count() == 1
    assert sat.state.frozen is None
    assert "Ruling" in words_of(browser.get(first.url))


def test_two_referees_cannot_take_one_case(world: World, called) -> None:
    _sat, case = called
    signed_in(world.referees[0]).post(to("take", case.number))
    second = signed_in(world.referees[1]).post(to("take", case.number))
    assert second.status_code == 409
    assert Lease.objects.filter(ended_at__isnull=True).count() == 1


def test_two_clicks_take_a_case_once(world: World, called) -> None:
    _sat, case = called
    browser = signed_in(world.referees[0])
    assert [browser.post(to("take", case.number)).status_code for _click in range(2)] == [302, 302]
    assert CaseEvent.objects.filter(case=case, type="lease_taken").count() == 1


@pytest.mark.parametrize("who", ["party", "stranger"])
def test_only_a_referee_of_the_event_takes_and_rules(world: World, called, who: str) -> None:
    _sat, case = called
    person = world.players[0] if who == "party" else a_player("Quidam")
    browser = signed_in(person)
    assert browser.post(to("take", case.number)).status_code in (403, 404)
    assert browser.post(to("rule", case.number), typed(world)).status_code in (403, 404)
    assert not Lease.objects.exists()


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"facts": ""}, "facts"),
        ({"reasons": "x" * 2001}, "reasons"),
        ({"facts": "<script>alert(1)</script>"}, "facts"),
        ({"row": ""}, "row"),
        ({"offender": ""}, "offender"),
        ({"offender": "999999"}, "offender"),
        ({"penalty": "game_forfeit", "deviation_reason": "Il a crié."}, "penalty"),  # the head referee's
        ({"remedies": ["touch"]}, "remedies"),  # not in this row
        ({"remedies": ["clock"], "clock_seat": "1", "clock_s": "9999"}, "clock_s"),
        ({"rules": ""}, "rules"),
    ],
)
def test_a_faulty_decision_names_its_field_and_writes_nothing(world: World, called, more, field) -> None:
    _sat, case = called
    leases.take(by=world.referees[0], case=case)
    answer = signed_in(world.referees[0]).post(to("rule", case.number), typed(world, **more) | {"do": "preview"})
    assert answer.status_code == 422
    assert list(answer.context["decision_form"].errors) == [field]
    assert f'href="#id_{field}' in answer.content.decode()  # the summary links there
    assert "preview_digest" not in answer.content.decode()
    assert not Ruling.objects.exists()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"remedies": ["rewind"]}, "taken back: before the"),
        ({"remedies": ["clock"], "clock_seat": "0", "clock_s": "30"}, "gets 30 s"),
        ({"remedies": ["clock"], "clock_seat": "1", "clock_s": "-20"}, "loses 20 s"),
        ({"remedies": []}, "no change"),
    ],
)
def test_the_preview_says_what_happens_at_the_table(world: World, called, given, sentence) -> None:
    sat, case = called
    leases.take(by=world.referees[0], case=case)
    back = rewindable(sat.game)[-1]
    decided = typed(world, row="illegal", rewind_to=back) | given
    seen = signed_in(world.referees[0]).post(to("rule", case.number), decided | {"do": "preview"})
    assert seen.status_code == 200, seen.context["decision_form"].errors
    assert sentence in words_of(seen)


def test_a_decision_for_the_head_referee_is_handed_to_the_head_referee(world: World, called) -> None:
    _sat, case = called
    leases.take(by=world.head, case=case)
    forfeit = typed(world, penalty="game_forfeit", deviation_reason="Il a refusé de se taire.")
    seen = signed_in(world.head).post(to("rule", case.number), forfeit | {"do": "preview"})
    assert seen.status_code == 200, seen.context["decision_form"].errors
    assert "the game is forfeited" in words_of(seen)
    assert "Signed as head referee." in words_of(seen)


def test_a_signature_on_an_old_preview_is_refused_and_shows_the_new_one(world: World, called) -> None:
    _sat, case = called
    leases.take(by=world.referees[0], case=case)
    browser = signed_in(world.referees[0])
    decision = typed(world, remedies=["blind_burn"])
    answer = browser.post(to("rule", case.number), decision | {"do": "sign", "preview_digest": "0" * 64})
    assert answer.status_code == 409
    assert "Something has changed since the preview" in words_of(answer)
    assert digest_of(answer) != "0" * 64
    assert not Ruling.objects.exists()


def test_a_referee_opens_one_hand_and_it_is_recorded(world: World, called) -> None:
    sat, case = called
    leases.take(by=world.referees[0], case=case)
    browser = signed_in(world.referees[0])
    assert browser.post(to("seat", case.number), {"seat": "1"}).status_code == 302
    assert GameEvent.objects.filter(game=sat.game, code="seat_view").count() == 1
    assert browser.post(to("seat", case.number), {"seat": "7"}).status_code == 422
    assert signed_in(world.referees[1]).post(to("seat", case.number), {"seat": "1"}).status_code in (403, 409, 422)
    assert "looked at the hand" not in words_of(signed_in(world.players[1]).get(to("case", case.number)))


def test_the_log_of_a_running_table_is_the_referees_alone(world: World, called) -> None:
    _sat, case = called
    assert "Log of the table" in words_of(signed_in(world.referees[0]).get(to("case", case.number)))
    assert "Log of the table" not in words_of(signed_in(world.players[0]).get(to("case", case.number)))


# ---- after the game: dispute, answer, appeal


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


@pytest.mark.parametrize(("language", "words"), [("en", "Burns one card blind"), ("fr", "Brûle une carte à l’aveugle")])
def test_the_penalty_table_stands_in_both_languages(db, language: str, words: str) -> None:
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
