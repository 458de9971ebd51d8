"""The faults that make a decision impossible, one at a time, and the effects of a possible one."""

from dataclasses import replace
from datetime import date

import pytest

from tests.every import every
from tock_league.arbitration.core.decisions import Decision, Setting, deviates, fault, left_out, needs_head, penalty_of
from tock_league.arbitration.core.effects import PlannedEffect, Scene, plan
from tock_league.arbitration.core.penalties import table_in_force

TABLE = table_in_force(date(2026, 9, 2))
SCENE = Scene(
    match=5, game=12, game_number=1, seat_of={1: 0, 2: 2, 3: 1, 4: 3}, position_of={1: 0, 2: 0, 3: 1, 4: 1},
    entry_of={0: 70, 1: 71},
)  # fmt: skip
TALK = Decision("upheld", row="talk", offender=3, rules=("8",), facts="Il a parlé.", reasons="C’est interdit.")


def setting(row: str = "talk", **more: object) -> Setting:
    base = Setting(
        row=TABLE.row(row) if row else None, step=1, running=False, players=frozenset({1, 2, 3, 4}), head=True,
        played=frozenset({1}), rewinds=frozenset({40}), seated=frozenset({1, 2, 3}),
    )  # fmt: skip
    return replace(base, **more)  # type: ignore[arg-type]


LIVE = setting(running=True)


def test_a_suspension_lasts_as_long_as_the_table_says() -> None:
    found = plan(replace(TALK, penalty="suspension"), setting(suspension_days=30), SCENE)
    assert found[-1] == PlannedEffect("suspension", "player:3", days=30)


def test_a_measure_against_somebody_without_a_seat_has_no_effect_at_the_table() -> None:
    burn = replace(TALK, remedies=("blind_burn",))
    assert plan(burn, LIVE, SCENE)[0] == PlannedEffect("blind_burn", "seat:1")
    without_seat = replace(SCENE, seat_of={1: 0})
    assert all(found.type != "blind_burn" for found in plan(burn, LIVE, without_seat))


def test_the_standard_ruling_has_no_fault() -> None:
    assert fault(TALK, setting(head=False)) is None
    assert penalty_of(TALK, setting()) == "warning"
    assert not deviates(TALK, setting())


@every(
    "change, place, code, field",
    [
        ({"outcome": "perhaps"}, setting(), "outcome", "outcome"),
        ({"facts": " "}, setting(), "facts_missing", "facts"),
        ({"reasons": ""}, setting(), "reasons_missing", "reasons"),
        ({"facts": "x" * 1001}, setting(), "text_long", "facts"),
        ({"reasons": "x" * 2001}, setting(), "text_long", "reasons"),
        ({"deviation_reason": "x" * 2001}, setting(), "text_long", "deviation_reason"),
        ({"rules": ()}, setting(), "rules", "rules"),
        ({"rules": ("8",) * 7}, setting(), "rules", "rules"),
        ({"rules": ("x" * 41,)}, setting(), "rules", "rules"),
        ({"fault": "mine"}, setting(), "fault", "fault"),
        ({}, setting(""), "row", "row"),
        ({"outcome": "dismissed"}, setting(), "row", "row"),
        ({"outcome": "referee_error", "row": "", "penalty": "", "offender": 3}, setting(""), "row", "row"),
        ({"offender": None}, setting(), "offender", "offender"),
        ({"offender": 99}, setting(), "offender", "offender"),
        ({"penalty": "stoning"}, setting(), "penalty", "penalty"),
        ({"remedies": ("blind_burn",)}, setting(), "game_over", "remedies"),
        ({"remedies": ("blind_burn", "blind_burn")}, LIVE, "remedy", "remedies"),
        ({"remedies": ("stone",)}, LIVE, "remedy", "remedies"),
        ({"remedies": ("touch",)}, LIVE, "remedy_not_in_row", "remedies"),
        ({"row": "touch", "remedies": ("touch",)}, setting("touch", running=True), "remedy_touch", "marble"),
        (
            {"row": "illegal", "remedies": ("rewind",), "rewind_to": 3},
            setting("illegal", running=True), "remedy_rewind", "rewind_to",
        ),
        ({"remedies": ("clock",), "clock_ms": 9}, LIVE, "remedy_clock", "clock_seat"),
        ({"remedies": ("clock",), "clock_seat": 7, "clock_ms": 9}, LIVE, "remedy_clock", "clock_seat"),
        ({"remedies": ("clock",), "clock_seat": 1}, LIVE, "remedy_clock", "clock_ms"),
        ({"remedies": ("clock",), "clock_seat": 1, "clock_ms": 700_000}, LIVE, "remedy_clock", "clock_ms"),
        ({"offender": 4, "remedies": ("blind_burn",)}, LIVE, "offender_seat", "offender"),
        (
            {"outcome": "referee_error", "row": "", "offender": None, "result": "void"},
            setting(""), "result_replay", "result",
        ),
        ({"result": "undo"}, setting(), "result", "result"),
        ({"result": "void"}, LIVE, "result", "result"),
        ({"result": "void", "game_number": 3}, setting(), "game_number", "game_number"),
        ({"result": "result", "game_number": 1}, setting(), "winner", "winner"),
        ({"result": "result", "game_number": 1, "winner": 5}, setting(), "winner", "winner"),
        ({"penalty": "caution"}, setting(), "deviation_reason", "deviation_reason"),
        (
            {"penalty": "caution", "deviation_reason": "Première partie de sa vie."},
            setting(head=False), "head_referee_needed", "penalty",
        ),
        ({"row": "talk_play"}, setting("talk_play", head=False), "head_referee_needed", "penalty"),
        ({}, setting(step=3, head=False), "head_referee_needed", "penalty"),
        (
            {"result": "result", "game_number": 1, "winner": 0},
            setting(head=False), "head_referee_needed", "result",
        ),
    ],
)  # fmt: skip
def test_each_fault_has_its_code_and_field(change: dict[str, object], place: Setting, code: str, field: str) -> None:
    found = fault(replace(TALK, **change), place)  # type: ignore[arg-type]
    assert found is not None
    assert (found.code, found.field) == (code, field)


def test_a_head_referee_may_deviate_with_a_reason() -> None:
    decision = replace(TALK, penalty="match_forfeit", deviation_reason="Il a recommencé sous les yeux de l’arbitre.")
    assert deviates(decision, setting())
    assert needs_head(decision, setting())
    assert fault(decision, setting()) is None


def test_a_dismissed_claim_and_a_referees_error_punish_nobody() -> None:
    for outcome in ("dismissed", "referee_error"):
        decision = Decision(outcome, facts="Rien.", reasons="Rien ne le montre.")
        assert fault(decision, setting("")) is None
        assert plan(decision, setting(""), SCENE) == ()


@pytest.mark.parametrize(
    ("decision", "place", "effects"),
    [
        (
            replace(TALK, remedies=("blind_burn",)),
            LIVE,
            [PlannedEffect("blind_burn", "seat:1"), PlannedEffect("warning", "player:3")],
        ),
        (replace(TALK, penalty="blind_burn"), setting(), [PlannedEffect("owed_burn", "player:3")]),
        (
            replace(TALK, remedies=("blind_burn",), penalty="blind_burn"),
            LIVE, [PlannedEffect("blind_burn", "seat:1")],
        ),
        (
            replace(TALK, penalty="warning_point"), setting(),
            [PlannedEffect("warning", "player:3"), PlannedEffect("points", "entry:71", amount=-1, position=1)],
        ),
        (
            replace(TALK, penalty="game_forfeit"), setting(),
            [PlannedEffect("forfeit_game", "game:12", position=1, game_number=1)],
        ),
        (replace(TALK, penalty="game_forfeit"), LIVE, [PlannedEffect("table_forfeit", "game:12", position=1)]),
        (replace(TALK, penalty="match_forfeit"), setting(), [PlannedEffect("forfeit_match", "match:5", position=1)]),
        (
            replace(TALK, penalty="match_forfeit"), LIVE,
            [PlannedEffect("table_forfeit", "game:12", position=1), PlannedEffect("forfeit_match", "match:5", position=1)],
        ),
        (
            replace(TALK, penalty="exclusion"), setting(),
            [PlannedEffect("forfeit_match", "match:5", position=1), PlannedEffect("exclusion", "entry:71", position=1)],
        ),
        (
            replace(TALK, result="result", game_number=1, winner=0), setting(),
            [PlannedEffect("warning", "player:3"), PlannedEffect("result", "match:5:1", position=0, game_number=1)],
        ),
    ],
)  # fmt: skip
def test_a_decision_has_these_effects(decision: Decision, place: Setting, effects: list[PlannedEffect]) -> None:
    assert list(plan(decision, place, SCENE)) == effects


def test_a_rewind_comes_before_the_burn_it_goes_with() -> None:
    decision = replace(TALK, row="talk_play", remedies=("blind_burn", "rewind"), rewind_to=40)
    types = [effect.type for effect in plan(decision, setting("talk_play", running=True), SCENE)]
    assert types == ["rewind", "blind_burn", "warning", "points"]


def test_the_digest_changes_with_every_part_of_a_decision() -> None:
    others = [
        {"facts": "Autre chose."}, {"reasons": "Autrement."}, {"penalty": "caution"}, {"offender": 4}, {"winner": 0},
        {"remedies": ("clock",)}, {"rules": ("7",)}, {"game_number": 1}, {"fault": "referee"}, {"card": "9C"},
    ]  # fmt: skip
    digests = {TALK.digest(), *(replace(TALK, **other).digest() for other in others)}  # type: ignore[arg-type]
    assert len(digests) == len(others) + 1
    assert replace(TALK, facts="Il a parlé. ").digest() == TALK.digest()


@pytest.mark.parametrize(
    ("change", "place", "left"),
    [
        ({}, LIVE, ("blind_burn",)),
        ({"row": "talk_play"}, setting("talk_play", running=True), ("blind_burn",)),
        ({"remedies": ("blind_burn",)}, LIVE, ()),
        ({"penalty": "blind_burn"}, LIVE, ()),
        ({"penalty": "game_forfeit"}, LIVE, ()),  # the game ends
        ({"offender": 4}, LIVE, ()),  # no seat at the table
        ({}, setting(), ()),  # the game is over
        ({"row": "touch"}, setting("touch", running=True), ()),
        ({"outcome": "dismissed", "row": "", "offender": None}, setting("", running=True), ()),
    ],
)
def test_a_finding_of_talking_demands_a_burn_where_one_is_possible(change, place: Setting, left) -> None:
    assert left_out(replace(TALK, **change), place) == left
