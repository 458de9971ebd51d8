"""The pages of a case at the table: take it, preview, sign; errors name their field and two clicks act once."""

import pytest

from games.models import GameEvent
from games.selectors.referee import rewindable
from tests.competitions.world import a_player
from tock_league.arbitration.models import CaseEvent, Lease, Ruling
from tock_league.arbitration.services.referees import leases

from .browsers import digest_of, signed_in, to, typed, words_of
from .world import World

pytestmark = pytest.mark.django_db


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
