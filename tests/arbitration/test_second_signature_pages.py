"""The pages of two signatures, and the password that they ask for: what was typed survives it."""

import pytest
from django.urls import reverse

from tock_league.arbitration.models import Case, Ruling
from tock_league.arbitration.selectors.rulings.proposals import proposal_of
from tock_league.common.errors import Refused

from .browsers import BACKEND, digest_of, gave_password, signed_in, to, typed, words_of
from .world import World, fresh

PASSWORD = "le tock du mercredi"
WHY = "Il l’a fait exprès, devant tous."


@pytest.fixture
def taken(world: World) -> Case:
    return world.taken(world.heard(world.dispute()))


def a_ban(world: World) -> dict[str, object]:
    return typed(world, offender=world.players[0].pk, penalty="ban", deviation_reason=WHY)


def sign(browser, door: str, case: Case, typed: dict[str, object]):
    seen = browser.post(to(door, case.number), typed | {"do": "preview"})
    assert seen.status_code == 200
    return seen, browser.post(to(door, case.number), typed | {"do": "sign", "preview_digest": digest_of(seen)})


def test_a_ban_is_signed_by_one_and_then_by_another(world: World, taken: Case) -> None:
    first, second = signed_in(world.head), signed_in(world.referees[0])
    seen, answer = sign(first, "rule", taken, a_ban(world))
    assert "Exclusion, suspension and ban need two signatures." in words_of(seen)
    assert "Sign, and ask a second referee" in words_of(seen)
    assert answer.status_code == 302
    own = words_of(first.get(to("case", taken.number)))
    assert "Your signature is kept" in own
    assert "You have signed. Nothing takes effect before a second referee has signed too." in own
    page = second.get(to("case", taken.number))
    for words in ("Ruling that waits for a second signature", "Il a parlé au coup 12.", "ban", WHY, "Refuse to sign"):
        assert words in words_of(page)
    seen, answer = sign(second, "countersign", taken, {})
    assert "This is what the first referee saw and signed." in words_of(seen)
    assert "Sign as second referee" in words_of(seen)
    assert answer.status_code == 302
    ruling = Ruling.objects.get()
    assert (ruling.author, ruling.second) == (world.head, world.referees[0])
    shown = words_of(second.get(to("case", taken.number)))
    assert f"{world.head.display_name}, {world.referees[0].display_name}" in shown


def test_the_sides_read_that_a_decision_waits_and_nothing_of_it(world: World, taken: Case) -> None:
    sign(signed_in(world.head), "rule", taken, a_ban(world))
    words = words_of(signed_in(world.players[0]).get(to("case", taken.number)))
    assert "A decision is signed and waits for a second referee; nothing has taken effect." in words
    for secret in ("Il a parlé au coup 12.", WHY, "two signatures"):
        assert secret not in words
    assert signed_in(world.players[0]).post(to("countersign", taken.number), {"do": "preview"}).status_code in (
        403,
        404,
    )


def test_a_second_referee_refuses_on_the_page(world: World, taken: Case) -> None:
    sign(signed_in(world.head), "rule", taken, a_ban(world))
    second = signed_in(world.referees[0])
    assert second.post(to("refuse", taken.number), {"reason": ""}).status_code == 422
    assert second.post(to("refuse", taken.number), {"reason": "Trop sévère."}).status_code == 302
    assert fresh(taken).state == "filed"
    assert second.post(to("refuse", taken.number), {"reason": "Trop sévère."}).status_code == 422


def test_an_old_preview_is_shown_anew_to_the_second_referee(world: World, taken: Case) -> None:
    sign(signed_in(world.head), "rule", taken, a_ban(world))
    second = signed_in(world.referees[0])
    answer = second.post(to("countersign", taken.number), {"do": "sign", "preview_digest": "0" * 64})
    assert answer.status_code == 409
    assert "Something has changed since the preview" in words_of(answer)
    assert digest_of(answer) == proposal_of(fresh(taken)).digest


def test_a_signature_asks_for_the_password_and_keeps_what_was_typed(world: World, taken: Case) -> None:
    browser = gave_password(signed_in(world.head), world.head, ago=301)
    _seen, answer = sign(browser, "rule", taken, a_ban(world))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert fresh(taken).state == "hearing"
    wrong = browser.post(answer["Location"], {"password": "faux"})
    assert wrong.status_code == 200
    assert fresh(taken).state == "hearing"
    after = browser.post(answer["Location"], {"password": PASSWORD})
    assert after.status_code == 302, words_of(after)
    assert after["Location"] == to("case", taken.number)
    kept = proposal_of(fresh(taken)).decision
    assert (kept.penalty, kept.deviation_reason, kept.facts) == ("ban", WHY, "Il a parlé au coup 12.")


def test_what_was_typed_is_shown_again_when_the_lease_ends_during_the_sign_in(world: World, taken: Case, hand) -> None:
    browser = gave_password(signed_in(world.head), world.head, ago=301)
    _seen, answer = sign(browser, "rule", taken, a_ban(world))
    hand.advance(minutes=6)
    after = browser.post(answer["Location"], {"password": PASSWORD})
    assert after.status_code in (409, 422)
    assert WHY in after.content.decode()
    assert "You do not hold this case" in words_of(after)


@pytest.mark.parametrize(("door", "given"), [("countersign", {}), ("rule", None)])
def test_the_password_is_asked_for_on_these_signatures_only(world: World, taken: Case, door: str, given) -> None:
    if door == "countersign":
        sign(signed_in(world.head), "rule", taken, a_ban(world))
        browser = gave_password(signed_in(world.referees[0]), world.referees[0], ago=301)
        _seen, answer = sign(browser, door, taken, given)
        assert "reauthenticate" in answer["Location"]
        assert browser.post(answer["Location"], {"password": PASSWORD})["Location"] == to("case", taken.number)
    else:
        browser = gave_password(signed_in(world.head), world.head, ago=301)
        _seen, answer = sign(browser, door, taken, typed(world, offender=world.players[0].pk))
        assert answer["Location"] == to("case", taken.number)
    assert Ruling.objects.count() == 1


def test_dismissing_a_claim_of_talking_asks_both_referees_for_the_password(world: World, taken: Case) -> None:
    first = gave_password(signed_in(world.head), world.head, ago=301)
    answer = first.post(to("dismiss", taken.number), {"reason": "Rien au dossier.", "about": "talk"})
    assert "reauthenticate" in answer["Location"]
    first.post(answer["Location"], {"password": PASSWORD})
    assert fresh(taken).state == "triage"
    second = gave_password(signed_in(world.referees[0]), world.referees[0], ago=301)
    assert "reauthenticate" in second.post(to("agree", taken.number))["Location"]
    assert fresh(taken).state == "triage"
    assert signed_in(world.referees[0]).post(to("agree", taken.number)).status_code == 302
    assert fresh(taken).state == "inadmissible"


def test_a_login_without_a_password_is_not_asked_for_one(world: World, taken: Case) -> None:
    browser = gave_password(signed_in(world.head), world.head, ago=301)
    world.head.user.set_unusable_password()
    world.head.user.save()
    browser.force_login(world.head.user, backend=BACKEND)
    _seen, answer = sign(browser, "rule", taken, a_ban(world))
    assert answer["Location"] == to("case", taken.number)


def test_an_unknown_claim_is_refused_by_the_form(world: World, taken: Case) -> None:
    answer = signed_in(world.head).post(
        to("rule", taken.number), typed(world, outcome="dismissed", about="weather") | {"do": "preview"}
    )
    assert list(answer.context["decision_form"].errors) == ["about"]
    with pytest.raises(Refused):
        from tock_league.arbitration.core.decisions import Decision

        world.signed(taken, Decision("dismissed", facts="Rien.", reasons="Rien.", about="weather"))
