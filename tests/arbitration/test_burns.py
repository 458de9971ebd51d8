"""A finding of talking burns a card: the measure is chosen beforehand, and only a head referee leaves it out."""

import pytest

from tock_league.arbitration.forms import DecisionForm
from tock_league.arbitration.models import Case, Effect
from tock_league.arbitration.selectors.rulings.options import options
from tock_league.arbitration.services.rulings import signing
from tock_league.common.errors import Refused

from .browsers import signed_in, to, typed, words_of
from .world import TALK, World, decided, fresh

REASON = "La carte a déjà été brûlée à la demande des deux camps."


@pytest.fixture
def called(world: World):
    """A running game: seat 0 has called the referee because seat 1 talked."""
    sat = world.sat()
    sat.play_on(3)
    assert not sat.send(0, "dispute", kind="talk").code
    return sat, Case.objects.get()


def refused(world: World, case: Case, by, **more: object) -> tuple[str, str | None]:
    with pytest.raises(Refused) as error:
        world.rule(fresh(case), decided(TALK, **more), by=by)
    return error.value.code, error.value.field


def test_the_form_of_a_call_about_talking_has_the_row_and_the_burn_chosen(world: World, called) -> None:
    _sat, case = called
    world.taken(case, world.referees[0])
    page = signed_in(world.referees[0]).get(to("case", case.number))
    form = page.context["decision_form"]
    assert (form["row"].value(), form["remedies"].value()) == ("talk", ["blind_burn"])
    assert (
        page.content.decode().count("checked") == 4
    )  # the outcome, the row, the burn, and that a draft goes with the case
    assert "data-due=" in page.content.decode()


def test_a_call_about_something_else_has_no_measure_chosen(world: World) -> None:
    sat = world.sat()
    sat.send(0, "dispute", kind="clock")
    form = DecisionForm(options=options(Case.objects.get(), world.head))
    assert form["remedies"].value() is None
    assert form["row"].value() is None


@pytest.mark.parametrize("row", ["talk", "talk_play"])
def test_a_plain_referee_cannot_leave_the_burn_out_even_with_a_reason(world: World, called, row: str) -> None:
    _sat, case = called
    by, offender = world.referees[0], world.players[1].pk
    world.taken(case, by)
    for reason in ("", REASON):
        found = refused(world, case, by, row=row, offender=offender, deviation_reason=reason)
        assert found == ("burn_due", "remedies")


def test_a_head_referee_leaves_the_burn_out_with_a_written_reason_only(world: World, called) -> None:
    _sat, case = called
    offender = world.players[1].pk
    world.taken(case)
    assert refused(world, case, world.head, offender=offender) == ("burn_reason", "deviation_reason")
    decision = decided(TALK, offender=offender, deviation_reason=REASON)
    shown = signing.preview(by=world.head, case=fresh(case), decision=decision)
    assert (shown.left_out, shown.needs_head) == (("blind_burn",), True)
    world.rule(fresh(case), decision)
    assert not Effect.objects.filter(type="blind_burn").exists()


def test_the_page_names_the_burn_that_is_left_out(world: World, called) -> None:
    _sat, case = called
    world.taken(case, world.referees[0])
    page = signed_in(world.referees[0]).post(to("rule", case.number), typed(world, remedies=[]) | {"do": "preview"})
    assert list(page.context["decision_form"].errors) == ["remedies"]
    assert "give the case to the head referee" in words_of(page)


def test_a_burn_that_is_the_penalty_too_is_not_demanded_twice(world: World, called) -> None:
    _sat, case = called
    world.taken(case)
    more = {"penalty": "blind_burn", "deviation_reason": "Le tableau suffit d’une carte."}
    world.rule(fresh(case), decided(TALK, offender=world.players[1].pk, **more))
    assert Effect.objects.filter(type="blind_burn").count() == 1


def test_after_the_game_no_burn_is_demanded_and_the_page_says_why(world: World) -> None:
    case = world.taken(world.heard(world.dispute()), world.referees[0])
    page = signed_in(world.referees[0]).get(to("case", case.number))
    assert "The game is over: a finding of talking burns no card any more." in words_of(page)
    assert world.rule(case, world.against(case), by=world.referees[0]).penalty == "warning"


def test_a_dismissed_claim_takes_no_measure_chosen_beforehand(world: World, called) -> None:
    _sat, case = called
    given = typed(world, outcome="dismissed", remedies=["blind_burn"])
    form = DecisionForm(given, options=options(case, world.head))
    assert form.is_valid()
    assert form.decision().remedies == ()
