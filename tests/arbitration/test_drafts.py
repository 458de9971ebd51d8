"""What was typed into a case is kept on the server: through renewals, lost leases, handing over and expired sessions."""

import json
import re

import pytest
from django.core import signing
from django.test import Client

from tock_league.accounts.models import Player
from tock_league.arbitration.models import Case, Draft
from tock_league.arbitration.services.cases import disputes, drafts, overdue
from tock_league.arbitration.services.referees import leases
from tock_league.arbitration.views.kept import SALT
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import CompetitionRole
from tock_league.competitions.services.seasons import roles

from .browsers import signed_in, words_of
from .world import World, a_referee, fresh

TYPED = {"outcome": "upheld", "facts": "Il a parlé au coup 12.", "reasons": "Parler est interdit."}


def taken(world: World, by: Player) -> Case:
    return world.taken(world.heard(world.dispute()), by)


def token(person: Player, case: Case, form: str = "decision") -> dict[str, str]:
    return {"draft_token": signing.dumps([person.pk, case.pk, form], salt=SALT), "draft_version": "0"}


def kept(person: Player, case: Case, form: str = "decision") -> dict[str, list[str]]:
    return Draft.objects.get(person=person, case=case, form=form).fields


def saved(browser: Client, case: Case, body: dict[str, str]):
    return browser.post(f"/cases/{case.number}/draft/", body, headers={"accept": "application/json"})


def typed_in(page: str, name: str) -> str:
    found = re.search(rf'<textarea name="{name}".*?>\s*(.*?)</textarea>', page, re.DOTALL)
    return found[1] if found else ""


def test_a_draft_is_saved_while_typing_and_shown_again_with_a_notice(world: World) -> None:
    referee = world.referees[0]
    case, browser = taken(world, referee), signed_in(referee)
    answer = saved(browser, case, TYPED | token(referee, case))
    assert answer.status_code == 200
    assert answer.json()["version"] == 1
    page = browser.get(f"/cases/{case.number}/")
    assert "Your draft is here again" in words_of(page)
    assert typed_in(page.content.decode(), "facts") == TYPED["facts"]
    assert browser.post(f"/cases/{case.number}/draft/decision/discard/").status_code == 302
    assert not Draft.objects.exists()
    assert "Your draft is here again" not in words_of(browser.get(f"/cases/{case.number}/"))


@pytest.mark.parametrize("name", ["renew", "release", "seat", "rule"])
def test_every_button_keeps_what_was_typed(world: World, name: str) -> None:
    referee = world.referees[0]
    case, browser = taken(world, referee), signed_in(referee)
    browser.post(f"/cases/{case.number}/{name}/", TYPED | token(referee, case))
    assert kept(referee, case)["facts"] == [TYPED["facts"]]


def test_a_button_of_another_form_takes_along_what_the_script_adds(world: World) -> None:
    referee = world.referees[0]
    case, browser = taken(world, referee), signed_in(referee)
    other = json.dumps(list((TYPED | token(referee, case)).items()))
    browser.post(f"/cases/{case.number}/dismiss/", {"reason": "", "kept": [other, "[", "7", "[[1]]"]})
    assert kept(referee, case)["reasons"] == [TYPED["reasons"]]


def test_a_form_in_which_nothing_was_typed_leaves_no_draft(world: World) -> None:
    referee = world.referees[0]
    case, browser = taken(world, referee), signed_in(referee)
    browser.post(f"/cases/{case.number}/dismiss/", {"reason": " ", **token(referee, case, "dismiss")})
    assert not Draft.objects.exists()


def test_a_lost_lease_loses_no_text(world: World, hand) -> None:
    referee = world.referees[0]
    case, browser = taken(world, referee), signed_in(referee)
    saved(browser, case, TYPED | token(referee, case))
    hand.advance(minutes=6)
    overdue.sweep()
    assert fresh(case).state == "filed"
    newer = TYPED | token(referee, case) | {"facts": "Il a parlé au coup 13."}
    assert browser.post(f"/cases/{case.number}/rule/", newer).status_code in (409, 422)
    assert "Take the case again to go on with it" in words_of(browser.get(f"/cases/{case.number}/"))
    leases.take(by=referee, case=case)
    page = browser.get(f"/cases/{case.number}/").content.decode()
    assert typed_in(page, "facts") == "Il a parlé au coup 13."


def test_an_expired_session_loses_no_text(world: World) -> None:
    referee = world.referees[0]
    case, browser = taken(world, referee), signed_in(referee)
    body = TYPED | token(referee, case)
    browser.logout()
    assert saved(browser, case, body).status_code == 200
    pressed = browser.post(f"/cases/{case.number}/rule/", body | {"facts": "Au coup 13.", "draft_version": "1"})
    assert pressed.headers["location"].endswith(f"?next=/cases/{case.number}/")
    page = signed_in(referee).get(f"/cases/{case.number}/").content.decode()
    assert typed_in(page, "facts") == "Au coup 13."


def test_a_referee_who_hands_over_gives_the_draft_to_the_head_referee_and_to_nobody_else(world: World) -> None:
    giver, second = world.referees[:2]
    case, browser = taken(world, giver), signed_in(giver)
    saved(browser, case, TYPED | token(giver, case))
    browser.post(f"/cases/{case.number}/escalate/", {"reason": "Une partie perdue?", "draft": "on"})
    leases.take(by=second, case=case)
    assert typed_in(signed_in(second).get(f"/cases/{case.number}/").content.decode(), "facts") == ""
    leases.release(by=second, case=case)
    leases.take(by=world.head, case=case)
    page = signed_in(world.head).get(f"/cases/{case.number}/")
    assert f"The draft of {giver.display_name}, handed over with the case" in words_of(page)
    assert typed_in(page.content.decode(), "facts") == TYPED["facts"]
    drafts.discard(by=world.head, case=case, form="decision")
    assert kept(giver, case)["facts"] == [TYPED["facts"]]


def test_a_draft_that_is_not_handed_over_stays_with_its_writer(world: World) -> None:
    giver = world.referees[0]
    case, browser = taken(world, giver), signed_in(giver)
    saved(browser, case, TYPED | token(giver, case))
    browser.post(f"/cases/{case.number}/escalate/", {"reason": "Une partie perdue?"})
    leases.take(by=world.head, case=case)
    assert TYPED["facts"] not in signed_in(world.head).get(f"/cases/{case.number}/").content.decode()


def test_a_signed_draft_is_gone_and_so_is_an_answered_one(world: World) -> None:
    case = world.dispute()
    side = world.players[0]
    drafts.save(by=side, case=case, form="answer", fields={"text": ["Je n’ai"]}, version=0)
    disputes.answer(by=side, case=case, text="Je n’ai rien dit.")
    assert not Draft.objects.exists()
    world.taken(fresh(case))
    drafts.save(by=world.head, case=case, form="decision", fields={"facts": ["Il"]}, version=0)
    world.rule(fresh(case), world.against(case))
    assert not Draft.objects.exists()


def test_the_sweep_deletes_the_drafts_of_a_closed_case(world: World, hand) -> None:
    case = world.ruled()
    drafts.save(by=world.players[0], case=case, form="appeal", fields={"text": ["Personne"]}, version=0)
    hand.advance(hours=49)
    overdue.sweep()
    assert fresh(case).state == "final"
    assert not Draft.objects.exists()
    with pytest.raises(Conflict) as refused:
        drafts.save(by=world.players[0], case=case, form="appeal", fields={"text": ["Personne"]}, version=0)
    assert refused.value.code == "not_open"


def test_nobody_reads_or_overwrites_the_draft_of_somebody_else(world: World) -> None:
    referee, other = world.referees[:2]
    case = taken(world, referee)
    saved(signed_in(referee), case, TYPED | token(referee, case))
    thief = signed_in(other)
    assert saved(thief, case, {"facts": "Volé", **token(referee, case)}).status_code == 403
    for forged in ("", "x", signing.dumps([referee.pk, case.pk, "decision"], salt="other")):
        assert saved(thief, case, {"facts": "Volé", "draft_token": forged}).status_code == 403
    thief.post(f"/cases/{case.number}/draft/decision/discard/")
    thief.post(f"/cases/{case.number}/renew/", {"facts": "Volé", **token(referee, case)})
    assert kept(referee, case)["facts"] == [TYPED["facts"]]
    for person in (other, world.head, world.organiser, *world.players):
        assert TYPED["facts"] not in signed_in(person).get(f"/cases/{case.number}/").content.decode()


def test_a_token_of_one_case_or_form_opens_no_other(world: World) -> None:
    referee = world.referees[0]
    case, browser = taken(world, referee), signed_in(referee)
    elsewhere = signing.dumps([referee.pk, case.pk + 1, "decision"], salt=SALT)
    assert saved(browser, case, {"draft_token": elsewhere}).status_code == 403
    assert saved(browser, case, {"draft_token": token(referee, case, "diary")["draft_token"]}).status_code == 403


def test_of_two_windows_the_newer_save_stays_and_the_older_window_is_told(world: World) -> None:
    referee = world.referees[0]
    case, browser = taken(world, referee), signed_in(referee)
    first = TYPED | token(referee, case)
    saved(browser, case, first)
    saved(browser, case, first | {"facts": "La fenêtre neuve.", "draft_version": "1"})
    stale = first | {"facts": "La vieille fenêtre.", "draft_version": "1"}
    refused = saved(browser, case, stale)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "draft_newer")
    assert kept(referee, case)["facts"] == ["La fenêtre neuve."]
    page = browser.post(f"/cases/{case.number}/renew/", stale, follow=True)
    assert "A newer draft from another window was replaced" in words_of(page)
    assert kept(referee, case)["facts"] == ["La vieille fenêtre."]


def test_a_draft_discarded_in_one_window_does_not_come_back_from_another(world: World) -> None:
    referee = world.referees[0]
    case = taken(world, referee)
    drafts.save(by=referee, case=case, form="decision", fields={"facts": ["Il"]}, version=0)
    drafts.discard(by=referee, case=case, form="decision")
    with pytest.raises(Conflict) as refused:
        drafts.save(by=referee, case=case, form="decision", fields={"facts": ["Il a"]}, version=1)
    assert refused.value.code == "draft_newer"


def test_a_draft_has_a_size_and_a_known_form(world: World) -> None:
    referee = world.referees[0]
    case = taken(world, referee)
    with pytest.raises(Refused) as large:
        drafts.save(by=referee, case=case, form="decision", fields={"facts": ["é" * 9000]}, version=0)
    assert (large.value.code, large.value.field) == ("draft_large", "form")
    with pytest.raises(Refused) as unknown:
        drafts.save(by=referee, case=case, form="diary", fields={}, version=0)
    assert unknown.value.field == "form"
    assert not Draft.objects.exists()


def test_strangers_and_those_who_lost_the_right_to_the_case_keep_no_draft_in_it(world: World) -> None:
    referee = a_referee(world.competition)
    case = world.dispute()
    drafts.save(by=referee, case=case, form="decision", fields={"facts": ["Il\0"]}, version=0)
    assert kept(referee, case)["facts"] == ["Il"]
    role = CompetitionRole.objects.get(player=referee, competition=world.competition)
    roles.end(by=world.organiser, role=role, reason="Malade")
    for person in (referee, None):
        with pytest.raises(NotAllowed):
            drafts.save(by=person, case=case, form="decision", fields={"facts": ["Non"]}, version=1)


def test_the_reason_for_not_signing_second_is_kept_until_it_is_sent(world: World) -> None:
    first, second = world.head, world.referees[0]
    case = taken(world, first)
    world.signed(case, world.against(case, penalty="ban", deviation_reason="Il l’a fait exprès."), by=first)
    browser, reason = signed_in(second), {"reason": "Trop sévère."}
    assert saved(browser, case, reason | token(second, case, "refuse")).status_code == 200
    assert typed_in(browser.get(f"/cases/{case.number}/").content.decode(), "reason") == reason["reason"]
    assert browser.post(f"/cases/{case.number}/refuse/", reason).status_code == 302
    assert not Draft.objects.filter(form="refuse").exists()
