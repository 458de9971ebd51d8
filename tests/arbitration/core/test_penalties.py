"""The penalty table: its texts in every language, and how repeated offences count."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from tock_league.arbitration.core import penalties
from tock_league.arbitration.core.penalties import SEVERITY, Finding, Step, check, earlier, table_in_force

DAY = date(2026, 9, 2)
TABLE = table_in_force(DAY)


@pytest.mark.parametrize(
    ("row", "steps"),
    [
        ("talk", ("warning", "warning", "game_forfeit")),
        ("talk_play", ("warning_point", "game_forfeit", "match_forfeit")),
        ("touch", ("caution", "warning", "blind_burn")),
        ("illegal", ("caution", "warning", "warning_point")),
        ("exposed", ("warning", "blind_burn", "game_forfeit")),
        ("late", ("game_forfeit", "match_forfeit", "exclusion")),
        ("abuse", ("match_forfeit", "suspension", "ban")),
    ],
)
def test_a_row_gives_the_expected_penalties(row: str, steps: tuple[str, ...]) -> None:
    assert tuple(step.penalty for step in TABLE.row(row).steps) == steps


TRACTOR = table_in_force(DAY, "tractor")


@pytest.mark.parametrize(
    ("row", "steps"),
    [
        ("talk", ("warning", "warning_point", "game_forfeit")),
        ("talk_play", ("warning_point", "game_forfeit", "match_forfeit")),
        ("take_back", ("caution", "warning", "warning_point")),
        ("illegal", ("caution", "warning", "warning_point")),
        ("exposed", ("warning", "warning_point", "game_forfeit")),
        ("late", ("game_forfeit", "match_forfeit", "exclusion")),
        ("abuse", ("match_forfeit", "suspension", "ban")),
    ],
)
def test_tractor_has_a_table_of_its_own_with_caution_warning_and_points(row: str, steps: tuple[str, ...]) -> None:
    assert tuple(step.penalty for step in TRACTOR.row(row).steps) == steps


def test_a_family_without_a_table_uses_tocks() -> None:
    assert table_in_force(DAY, "poker") is TABLE


def test_no_card_is_burned_and_nothing_is_touched_in_tractor() -> None:
    assert (TRACTOR.version, TRACTOR.game) == ("2026/1-tractor", "tractor")
    assert penalties.by_version("2026/1-tractor") is TRACTOR
    assert TRACTOR.remedies == ("rewind", "clock")
    assert TABLE.remedies == penalties.REMEDIES
    assert "blind_burn" not in TRACTOR.penalties
    assert tuple(TABLE.penalties) == SEVERITY
    with pytest.raises(KeyError):
        TRACTOR.row("touch")


def test_the_second_talk_lets_the_head_referee_consider_the_game() -> None:
    second = TABLE.row("talk").steps[1]
    assert second.allows("warning")
    assert second.allows("game_forfeit")
    assert not second.allows("match_forfeit")
    assert not second.allows("caution")


def test_every_text_is_there_in_every_language() -> None:
    for table in penalties.all_tables():
        words = [
            *(row.infraction for row in table.rows),
            *(row.remedy for row in table.rows),
            *table.penalties.values(),
        ]
        for text in words:
            said = [text.of(language) for language, _name in settings.LANGUAGES]
            assert said == [text.fr, text.en, text.es]
            assert all(one.strip() for one in said)
            assert len(set(said)) == len(said)


def test_the_version_in_force_is_that_of_the_day_of_the_act() -> None:
    assert table_in_force(TABLE.effective_from) is TABLE
    assert table_in_force(TABLE.effective_from - timedelta(days=400)) is penalties.all_tables()[0]
    assert penalties.by_version("2026/1") is TABLE
    with pytest.raises(KeyError):
        penalties.by_version("1999/1")
    with pytest.raises(KeyError):
        TABLE.row("nothing")


findings = st.lists(
    st.builds(
        Finding,
        player=st.integers(1, 3),
        family=st.sampled_from(["talk", "touch"]),
        day=st.sampled_from([DAY, DAY + timedelta(days=1)]),
    ),
    max_size=12,
)


@given(findings, st.integers(1, 3))
def test_only_the_same_player_family_and_day_count(found: list[Finding], player: int) -> None:
    row = TABLE.row("talk_play")  # of the family of talking
    count = earlier(found, player=player, row=row, day=DAY)
    assert count == len([one for one in found if (one.player, one.family, one.day) == (player, "talk", DAY)])
    assert row.step(count) == min(count + 1, 3)


@given(st.sampled_from([row.code for row in TABLE.rows]), st.integers(0, 30))
def test_a_repeated_offence_never_weighs_less(row: str, count: int) -> None:
    steps = TABLE.row(row)
    now = steps.steps[steps.step(count) - 1].penalty
    later = steps.steps[steps.step(count + 1) - 1].penalty
    assert SEVERITY.index(later) >= SEVERITY.index(now)


def test_a_table_that_breaks_its_own_rules_is_refused() -> None:
    talk = TABLE.row("talk")
    for broken in (
        replace(talk, steps=()),
        replace(talk, steps=(Step("warning"), Step("caution"))),
        replace(talk, steps=(Step("game_forfeit", up_to="warning"),)),
        replace(talk, remedies=("stone",)),
        replace(talk, window="year"),
        replace(talk, steps=(Step("scolding"),)),
    ):
        with pytest.raises(ValueError):
            check(replace(TABLE, rows=(broken,)))
    with pytest.raises(ValueError):
        check(replace(TABLE, rows=(talk, talk)))
    with pytest.raises(ValueError):
        check(replace(TABLE, rows=()))
    with pytest.raises(ValueError):
        check(replace(TABLE, suspension_days=0))
    with pytest.raises(ValueError, match="a penalty that the table does not have"):
        check(replace(TRACTOR, rows=TABLE.rows))
    with pytest.raises(ValueError, match="the mildest first"):
        check(replace(TABLE, penalties=dict(reversed(TABLE.penalties.items()))))
    with pytest.raises(ValueError):
        talk.step(-1)
