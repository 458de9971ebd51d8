"""One act is punished once: a second complaint is added to the open case or refused, and no finding counts twice."""

import pytest

from games.models import GameEvent
from tests.competitions.world import a_player
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case, Ruling
from tock_league.arbitration.selectors.cases import audit, case_files
from tock_league.arbitration.selectors.rulings.context import ground
from tock_league.arbitration.selectors.rulings.proposals import Proposal
from tock_league.arbitration.services.appeals import hearing, reviews
from tock_league.arbitration.services.cases import admissibility, disputes
from tock_league.arbitration.services.rulings import signing
from tock_league.common.errors import Conflict, NotAllowed, Refused

from .browsers import signed_in, to, words_of
from .world import TALK, WORDS, World, decided, fresh, replied, votes

AGAIN = "Encore lui, au même coup."
NOTHING = Decision("dismissed", facts="Rien.", reasons="Rien n’est prouvé.")


def file(world: World, *, seq: int = 5, kind: str = "talk", seat: int = 1, text: str = AGAIN) -> Case:
    return disputes.file(by=world.players[seat], game=world.game, seq=seq, kind=kind, text=text)


@pytest.mark.parametrize("kind", ["talk", "conduct", "other"])
@pytest.mark.parametrize("seat", [1, 3])
def test_a_second_complaint_about_the_same_act_is_added_to_the_open_case(world: World, kind: str, seat: int) -> None:
    case = world.dispute()
    assert file(world, kind=kind, seat=seat) == case
    assert Case.objects.count() == 1
    said = case_files.case_file(fresh(case), world.referees[0]).statements
    assert [one.text for one in said] == [WORDS, AGAIN]
    assert audit.audit().faults == ()


def test_added_complaints_are_limited_like_other_texts(world: World) -> None:
    world.dispute()
    for time in range(3):
        file(world, text=f"Encore lui, {time}.")
    with pytest.raises(Refused) as many:
        file(world, text="Encore lui, 3.")
    assert many.value.code == "too_many"


def test_a_complaint_about_another_play_waits_for_the_open_case(world: World) -> None:
    world.dispute()
    with pytest.raises(Conflict) as other:
        file(world, seq=8)
    assert other.value.code == "case_open"
    with pytest.raises(Conflict) as theirs:  # the other side complains of an act of this side
        file(world, seat=0)
    assert theirs.value.code == "case_open"
    with pytest.raises(NotAllowed):
        disputes.file(by=a_player("Quidam"), game=world.game, seq=5, kind="talk", text="Moi aussi.")


def test_an_added_claim_of_talking_is_not_dismissed_by_one_referee(world: World) -> None:
    world.dispute(kind="clock")
    case = world.taken(world.heard(file(world, kind="talk")))
    assert isinstance(world.signed(case, NOTHING), Proposal)


def test_an_added_claim_of_talking_is_not_refused_as_inadmissible_by_one_referee(world: World) -> None:
    world.dispute(kind="clock")
    case = world.taken(file(world, kind="talk"))
    admissibility.dismiss(by=world.head, case=case, reason="Rien.", fresh=True)
    assert fresh(case).state == "triage"


@pytest.mark.parametrize("kind", ["talk", "conduct", "other"])
@pytest.mark.parametrize("decision", [None, NOTHING])
def test_a_complaint_about_an_act_that_was_ruled_is_refused_under_any_kind(world: World, kind: str, decision) -> None:
    case = world.ruled(decision)
    for seat in (1, 3):
        with pytest.raises(Conflict) as decided_already:
            file(world, kind=kind, seat=seat)
        assert (decided_already.value.code, decided_already.value.details["number"]) == ("act_decided", case.number)
    assert Case.objects.count() == 1


def test_another_play_may_be_disputed_after_a_ruling(world: World) -> None:
    world.ruled()
    assert file(world, seq=8).state == "filed"


def test_a_case_that_was_taken_back_or_not_admitted_may_be_filed_again(world: World) -> None:
    case = world.dispute()
    disputes.withdraw_case(by=world.players[1], case=case)
    case = world.taken(file(world, kind="clock"))
    admissibility.dismiss(by=world.head, case=case, reason="La pendule était juste.")
    assert file(world).state == "filed"


def called(world: World, seat: int = 0) -> tuple[object, Case]:
    sat = world.sat()
    sat.play_on(3)
    assert not sat.send(seat, "dispute", kind="talk").code
    return sat, world.taken(Case.objects.get())


def test_what_was_ruled_at_the_table_is_not_disputed_again_after_the_game(world: World, hand) -> None:
    sat, case = called(world)
    world.rule(case, decided(TALK, offender=world.players[1].pk, remedies=("blind_burn",)))
    assert not sat.send(1, "resign").code
    play = GameEvent.objects.filter(game=sat.game, code="play", seq__lt=case.seq).order_by("seq").last().seq
    for seq, kind in ((play, "talk"), (play, "conduct"), (case.seq, "talk")):
        with pytest.raises(Conflict) as ruled:
            file(world, seq=seq, kind=kind, seat=2)
        assert ruled.value.code == "act_decided"


def test_a_call_that_nobody_answered_takes_in_the_complaint_after_the_game(world: World, hand) -> None:
    from games.services import clocks

    sat = world.sat()
    sat.play_on(3)
    sat.send(0, "dispute", kind="talk")
    hand.advance(minutes=6)
    clocks.claim_due()
    assert not sat.send(1, "resign").code
    case = Case.objects.get()
    play = GameEvent.objects.filter(game=sat.game, code="play", seq__lt=case.seq).order_by("seq").last().seq
    assert file(world, seq=play, seat=0) == case
    assert Case.objects.count() == 1


def test_a_second_finding_for_one_act_is_not_signed(world: World) -> None:
    """The other side's own complaint about the same play can be filed, but it punishes nobody for the same act again."""
    first = world.ruled()
    again = world.taken(world.heard(file(world, seat=0, kind="conduct")))
    other = decided(world.against(first), row="abuse")
    with pytest.raises(Refused) as twice:
        signing.preview(by=world.head, case=again, decision=other)
    assert (twice.value.code, twice.value.field) == ("act_decided", "row")
    partner = decided(other, offender=world.players[2].pk, row="clock")
    assert signing.preview(by=world.head, case=again, decision=partner).penalty == "caution"


def test_a_finding_of_the_same_act_is_no_precedent(world: World) -> None:
    world.ruled()
    again = world.taken(world.heard(file(world, seat=0)))
    assert ground(again).findings == ()
    disputes.withdraw_case(by=world.players[0], case=again)
    assert len(ground(file(world, seq=8)).findings) == 1


def test_a_finding_that_counted_this_one_is_no_precedent_for_it_on_appeal(world: World, hand) -> None:
    first = world.ruled()
    hand.advance(minutes=1)
    second = world.ruled(seq=8)
    assert second.rulings.get().step == 2
    hearing.appeal(by=world.players[0], case=first, grounds="fact", text="Personne n’a rien entendu.")
    hearing.form_panel(by=world.organiser, case=fresh(first))
    replied(first, world.players)
    members = votes(world, fresh(first), "overturn", "overturn", "overturn")
    shown = hearing.preview(by=members[0], case=fresh(first), decision=world.against(first))
    assert (shown.step, shown.earlier) == (1, 0)


def test_a_re_examination_counts_what_the_first_ruling_counted(world: World, hand) -> None:
    first = world.ruled()
    hand.advance(minutes=1)
    second = world.ruled(seq=8)
    hand.advance(minutes=1)
    world.ruled(seq=6)
    review = reviews.open_review(by=world.another_head(), case=second, reason="Un enregistrement a été trouvé.")
    world.both_heard(review)
    case = world.taken(review, world.another_head())
    assert len(ground(case).findings) == 1
    assert Ruling.objects.get(case=first).step == 1


def test_the_page_of_a_ruling_names_the_earlier_cases_about_the_same_plays(world: World) -> None:
    first = world.ruled()
    again = world.taken(file(world, seat=0, kind="clock"))
    (known,) = case_files.case_file(again, world.head).earlier
    assert (known.case, known.offender, known.row) == (first, world.players[0], "talk")
    page = words_of(signed_in(world.head).get(to("case", again.number)))
    assert first.number in page
    assert "One act is punished once." in page
    assert case_files.case_file(again, world.players[0]).earlier == ()
    elsewhere = fresh(first)
    assert [one.case for one in case_files.case_file(elsewhere, world.head).earlier] == [again]


def test_the_replays_form_adds_to_the_open_case_and_names_the_one_that_decided(world: World, hand) -> None:
    from django.urls import reverse

    case = world.dispute()
    address = reverse("arbitration:dispute", args=[world.game.slug])
    partner, other = signed_in(world.players[3]), signed_in(world.players[0])
    assert case.number in words_of(partner.get(f"{address}?seq=5"))
    assert "<textarea" in partner.get(f"{address}?seq=5").content.decode()
    assert "<textarea" not in other.get(f"{address}?seq=5").content.decode()
    filed = partner.post(address, {"seq": 5, "kind": "conduct", "text": "Encore lui."}, follow=True)
    assert f"Your words are added to case {case.number}" in words_of(filed)
    world.rule(world.taken(world.heard(fresh(case))), world.against(case))
    refused = partner.post(address, {"seq": 5, "kind": "other", "text": "Encore lui."})
    assert f"This was decided in {case.number}: the way is an appeal." in words_of(refused)
    assert f'href="{to("case", case.number)}"' in refused.content.decode()
    assert "send it again" not in words_of(refused)
    assert "Encore lui." in refused.content.decode()  # what was typed stays
