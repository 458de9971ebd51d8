"""Re-examinations: another head referee opens one on new evidence, both sides answer, and a panel's word is final."""

import pytest

from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors.cases.lookup import WITH
from tock_league.arbitration.selectors.cases.powers import powers_by_case
from tock_league.arbitration.selectors.rulings.proposals import Proposal
from tock_league.arbitration.services.appeals import hearing, reviews
from tock_league.arbitration.services.cases import disputes
from tock_league.arbitration.services.referees import leases
from tock_league.arbitration.services.rulings import signing
from tock_league.common.errors import Conflict, NotAllowed, Refused

from .world import World, a_referee, fresh, replied, votes

pytestmark = pytest.mark.django_db
NOTHING = Decision("dismissed", facts="Le témoin dit autre chose.", reasons="La parole n’est pas prouvée.")
WITNESS = "Un témoin s’est présenté."


def may(viewer, case):
    found = Case.objects.select_related(*WITH).get(pk=case.pk)
    return powers_by_case(viewer, [found])[found.pk]


def opened(world: World, **more: object) -> Case:
    """Return the re-examination of a ruled case, which another head referee has opened."""
    return reviews.open_review(by=world.another_head(), case=world.ruled(**more), reason=WITNESS)  # type: ignore[arg-type]


def panel_ruled(world: World, choice: str) -> Case:
    """Return a case that a panel has ruled: the first ruling stands (`uphold`) or falls (`overturn`)."""
    case = world.appealed()
    members = [seat.member for seat in case.panel.filter(place__isnull=False)]
    for member in members:
        hearing.vote(by=member, case=fresh(case), vote=choice, note="Je l’ai entendu.")
    if choice == "uphold":
        hearing.rule(by=members[0], case=fresh(case), reasons="La décision est juste.")
    else:
        shown = hearing.preview(by=members[0], case=fresh(case), decision=NOTHING)
        hearing.rule(by=members[0], case=fresh(case), decision=NOTHING, preview_digest=shown.digest)
    return fresh(case)


@pytest.mark.parametrize("choice", ["uphold", "overturn"])
def test_nobody_re_examines_what_a_panel_has_ruled(world: World, choice: str) -> None:
    case, other = panel_ruled(world, choice), world.another_head()
    with pytest.raises(Conflict) as refused:
        reviews.open_review(by=other, case=case, reason=WITNESS)
    assert refused.value.code == "panel_final"
    assert "review" not in may(other, case), "no page offers what is refused"


def test_whoever_has_ruled_a_case_does_not_open_its_re_examination(world: World) -> None:
    case, other = world.ruled(), world.another_head()
    with pytest.raises(NotAllowed):
        reviews.open_review(by=world.head, case=case, reason=WITNESS)
    assert "review" not in may(world.head, case)
    assert "review" in may(other, case)


def test_whoever_ruled_an_earlier_review_neither_opens_nor_judges_the_next_one(world: World) -> None:
    first = opened(world)
    second_head = world.another_head()
    leases.take(by=second_head, case=world.both_heard(first))
    world.rule(fresh(first), NOTHING, by=second_head)
    for judge in (world.head, second_head):
        with pytest.raises(NotAllowed):
            reviews.open_review(by=judge, case=fresh(first), reason="Encore un témoin.")
    again = reviews.open_review(by=world.another_head(), case=fresh(first), reason="Encore un témoin.")
    for judge in (world.head, second_head):
        with pytest.raises(Refused) as refused:
            leases.take(by=judge, case=again)
        assert refused.value.details["ground"] == "author"


def test_whoever_opened_a_re_examination_does_not_judge_it(world: World) -> None:
    """Otherwise one head referee alone would overturn another one's ruling."""
    opener = world.another_head()
    review = reviews.open_review(by=opener, case=world.ruled(), reason=WITNESS)
    with pytest.raises(Refused) as refused:
        leases.take(by=opener, case=world.both_heard(review))
    assert (refused.value.code, refused.value.details["ground"]) == ("conflict", "author")
    assert leases.take(by=world.referees[0], case=review).referee == world.referees[0]


def test_a_re_examination_opened_before_the_appeal_does_not_overturn_the_panel(world: World) -> None:
    case = world.ruled()
    judge, opener = world.referees[0], world.another_head()
    review = reviews.open_review(by=opener, case=case, reason=WITNESS)
    leases.take(by=judge, case=world.both_heard(review))
    hearing.appeal(by=world.players[0], case=case, grounds="fact", text="Personne n’a rien entendu.")
    for _number in range(2):
        a_referee(world.competition)
    hearing.form_panel(by=world.organiser, case=fresh(case))

    def refused(code: str) -> None:
        with pytest.raises(Conflict) as found:
            signing.preview(by=judge, case=fresh(review), decision=NOTHING)
        assert (found.value.code, found.value.details["number"]) == (code, case.number)

    refused("under_appeal")
    replied(case, world.players)
    members = votes(world, fresh(case), "uphold", "uphold", "overturn")
    refused("under_appeal")
    hearing.rule(by=members[0], case=fresh(case), reasons="La décision est juste.")
    refused("panel_final")
    assert case.rulings.filter(superseded_by=None, level=1).exists()


def test_a_second_signature_does_not_overturn_the_panel_either(world: World) -> None:
    case, judge = world.ruled(), world.referees[0]
    review = reviews.open_review(by=world.another_head(), case=case, reason=WITNESS)
    leases.take(by=judge, case=world.both_heard(review))
    assert isinstance(world.signed(fresh(review), NOTHING, by=judge), Proposal)
    hearing.appeal(by=world.players[0], case=case, grounds="fact", text="Personne n’a rien entendu.")
    with pytest.raises(Conflict) as refused:
        world.countersigned(fresh(review))
    assert refused.value.code == "under_appeal"
    assert case.rulings.filter(superseded_by=None).exists()


def test_a_re_examination_is_not_ruled_before_both_sides_have_answered(world: World) -> None:
    case = opened(world)
    judge, accused, accuser = world.referees[0], world.players[0], world.players[1]
    leases.take(by=judge, case=case)
    for speaker in (accused, accuser):
        with pytest.raises(Refused) as refused:
            signing.preview(by=judge, case=fresh(case), decision=NOTHING)
        assert refused.value.code == "answer_pending"
        assert "answer" in may(speaker, case)
        disputes.answer(by=speaker, case=fresh(case), text="Voici ce que j’ai vu.")
        assert "answer" not in may(speaker, case)
        with pytest.raises(Conflict):
            disputes.answer(by=speaker, case=fresh(case), text="Encore.")
    assert fresh(case).heard
    assert world.rule(fresh(case), NOTHING, by=judge).outcome == "dismissed"


def test_what_a_side_adds_to_a_re_examination_is_its_answer(world: World) -> None:
    case = opened(world)
    for speaker in world.players[:2]:
        for number in range(4):
            disputes.add(by=speaker, case=fresh(case), text=f"Texte {number}.")
        assert "add" not in may(speaker, case)
        with pytest.raises(Refused) as refused:
            disputes.add(by=speaker, case=fresh(case), text="Encore.")
        assert refused.value.code == "too_many"
    assert fresh(case).heard


def test_the_silent_are_waited_for_until_their_time_is_over(world: World, hand) -> None:
    case = opened(world)
    hand.advance(hours=24, seconds=1)
    leases.take(by=world.referees[0], case=case)
    assert world.rule(fresh(case), NOTHING, by=world.referees[0]).outcome == "dismissed"
