"""A sample of `python -m tests.engine.agree`: the engine against the reference, in every configuration of the rulebook."""

import json

import pytest

from games.engine import registry
from games.engine.tock.rules import TockRules
from tests.engine import agree, built, reference
from tests.engine.configurations import ALL, Configuration

EACH = 36  # of every configuration, half from games and half constructed; the command compares 20,000 in total


def test_the_engine_offers_every_rule_set_and_table_that_the_rulebook_knows() -> None:
    offered = {
        Configuration(rules, seats, teams)
        for rules, entry in registry.entries().items()
        if isinstance(entry.rules, TockRules)
        for seats, numbers in entry.rules.teams.items()
        for teams in numbers
    }
    assert offered == {table for table in ALL if not table.full}
    assert len(ALL) == 16


@pytest.mark.parametrize("table", ALL, ids=str)
def test_both_implementations_agree_on_played_and_constructed_positions(table: Configuration) -> None:
    counts = agree.agreement(table, EACH, seed=2026)
    assert counts["positions"] == EACH
    assert counts["listed"] > 2 * EACH
    assert counts["refused"] > 3 * EACH


def test_a_difference_is_reported_with_the_position_the_line_and_both_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: a reference that lists one play less is detected at once."""
    whole = reference.legal
    monkeypatch.setattr(reference, "legal", lambda position: whole(position)[1:])
    with pytest.raises(agree.Difference, match=r"legal\n  position  \{.*\n  engine .*\n  reference \["):
        agree.agreement(ALL[0], 2, seed=1)


def test_every_kind_of_constructed_position_is_accepted_by_the_reference() -> None:
    seen = set()
    for table in ALL:
        for position in (next_ for _, next_ in zip(range(72), agree.on_purpose(table, agree.random.Random(5)))):  # noqa: B905
            assert not reference.checks.silent(reference.checks.checked(position))
            seen.add(position["phase"])
            assert json.loads(json.dumps(position)) == position
    assert seen == {"give", "play", "joker", "forced", "blind"}
    assert len(built.KINDS) == 9
