"""Which decisions need two signatures."""

from dataclasses import replace

import pytest

from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.core.keys import kind_of, protected, two_keys

from .test_decisions import TALK, setting

NOTHING = Decision("dismissed", facts="Rien.", reasons="Rien.")
ERROR = Decision("referee_error", facts="Rien.", reasons="Rien.")


@pytest.mark.parametrize("kind", ["talk", "conduct", "deal", "other"])
@pytest.mark.parametrize("decision", [NOTHING, ERROR])
def test_a_claim_of_talking_conduct_or_a_false_deal_is_dismissed_by_two(kind: str, decision: Decision) -> None:
    assert two_keys(decision, setting("", claims=frozenset({kind}))) == "dismissal"


def test_another_claim_is_dismissed_by_one_unless_it_was_about_talking() -> None:
    clock = setting("", claims=frozenset({"clock"}))
    assert two_keys(NOTHING, clock) == ""
    assert two_keys(replace(NOTHING, about="clock"), clock) == ""
    assert two_keys(replace(NOTHING, about="talk"), clock) == "dismissal"


def test_naming_another_kind_does_not_make_a_claim_of_talking_harmless() -> None:
    assert two_keys(replace(NOTHING, about="clock"), setting("", claims=frozenset({"talk"}))) == "dismissal"
    assert not protected({"other"}, "clock")
    assert protected({"other"}, "other")
    assert protected({"clock", "talk"}, "clock")


@pytest.mark.parametrize("kind", ["talk", "conduct"])
def test_a_row_that_answers_another_claim_is_a_dismissal_in_other_words(kind: str) -> None:
    found = setting("clock", claims=frozenset({kind}))
    assert two_keys(replace(TALK, row="clock"), found) == "dismissal"
    assert two_keys(replace(TALK, row="clock"), setting("clock", claims=frozenset({"deal"}))) == ""


def test_a_finding_without_a_penalty_is_a_dismissal_in_other_words() -> None:
    assert two_keys(replace(TALK, penalty="none"), setting(claims=frozenset({"clock"}))) == "dismissal"


@pytest.mark.parametrize("penalty", ["exclusion", "suspension", "ban"])
def test_nobody_is_excluded_suspended_or_banned_by_one_signature(penalty: str) -> None:
    assert two_keys(replace(TALK, penalty=penalty), setting()) == "expels"


def test_a_ban_that_is_the_standard_of_the_table_needs_two_signatures_too() -> None:
    assert two_keys(replace(TALK, row="abuse"), setting("abuse", step=3)) == "expels"


@pytest.mark.parametrize(
    ("penalty", "step", "why"),
    [("", 1, ""), ("caution", 1, ""), ("game_forfeit", 1, "above"), ("game_forfeit", 2, "above"), ("", 3, "")],
)
def test_a_penalty_above_the_standard_needs_two_signatures(penalty: str, step: int, why: str) -> None:
    assert two_keys(replace(TALK, penalty=penalty), setting(step=step, claims=frozenset({"talk"}))) == why


def test_a_family_of_the_table_names_the_claim_that_it_answers() -> None:
    assert [kind_of(family) for family in ("talk", "abuse", "clock")] == ["talk", "conduct", ""]


def test_a_decision_is_read_back_from_its_body_and_texts() -> None:
    decision = replace(TALK, remedies=("blind_burn",), deviation_reason="Parce que.")
    texts = {name: getattr(decision, name) for name in ("facts", "reasons", "deviation_reason")}
    assert Decision.of_body(decision.body(), texts) == decision
