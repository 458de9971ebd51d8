"""The replay's analysis: sums of the choices, and the panel beside the plays."""

from typing import Any

import pytest

from .harness import until
from .test_replay import frames, heading, replay

__all__ = ["replay"]  # the fixture

pytestmark = pytest.mark.browser


def choice(seq: int, seat: int, line: str, best: str, chance: int, best_chance: int, **more: Any) -> dict[str, Any]:
    rest: dict[str, Any] = {"plays": 4, "by_clock": False}
    return (
        {"seq": seq, "seat": seat, "line": line, "best": best, "chance": chance, "best_chance": best_chance}
        | rest
        | more
    )


CHOICES = [
    choice(4, 0, "KS out", "KS out", 520, 520),
    choice(5, 1, "9C t18-t27", "4C t18-t14", 430, 512),
    choice(6, 2, "burn 4C", "burn 4C", 480, 480, plays=1),
    choice(7, 3, "QD t51-t63", "QD t51-t63", 470, 470, by_clock=True),
    choice(8, 0, "QH t0-t12", "9H t0-t9", 600, 600),
]


def test_what_a_choice_cost_and_who_lost_most(js: Any) -> None:
    assert js("choices.js", "a[0].map(m.costOf)", CHOICES) == [0, 82, 0, 0, 0]
    assert js("choices.js", "a[0].map(m.asGood)", CHOICES) == [True, False, True, True, True]
    rows = js("choices.js", "m.bySeat(a[0], 4)", CHOICES)
    assert [(row["count"], row["good"], row["cost"]) for row in rows] == [(2, 2, 0), (1, 0, 82), (0, 0, 0), (0, 0, 0)]
    assert [found["seq"] for found in js("choices.js", "m.dearest(a[0])", CHOICES)] == [5]
    assert js("choices.js", "m.dearest(a[0], 5, 100)", CHOICES) == []


def test_the_course_is_the_first_teams(js: Any) -> None:
    course = js("choices.js", "m.courseOf(a[0])", CHOICES)
    assert [point["chance"] for point in course] == [520, 570, 480, 530, 600]


def shown(
    replay: Any, answers: list[dict[str, Any]], more: dict[str, Any] | None = None, **options: Any
) -> tuple[Any, list[str]]:
    """Open the replay with an analysis that gives these answers in turn; return the page and the methods of the
    requests."""
    asked: list[str] = []

    def route(found: Any) -> None:
        asked.append(found.request.method)
        found.fulfill(json=answers[min(len(asked), len(answers)) - 1])

    page, _ = replay(analysis="/api/analysis", routes={"**/api/analysis": route} | (more or {}), **options)
    return page, asked


DONE = {"state": "done", "by": "club/1", "choices": CHOICES}


def test_it_is_asked_for_once_and_waited_for(replay: Any) -> None:
    page, asked = shown(replay, [{"state": "waiting"}, {"state": "waiting"}, DONE])
    page.get_by_text("Step through the plays").wait_for()
    assert asked == ["POST", "GET", "GET"]


def test_each_play_says_what_the_bot_would_have_played(replay: Any) -> None:
    page, _ = shown(replay, [DONE])
    forward = page.get_by_role("button", name="Next play")
    forward.click()
    page.get_by_text("Martine’s chances: 52 %").wait_for()
    page.get_by_text("The club bot would have played the same.").wait_for()
    forward.click()
    page.get_by_text("Réjean’s chances: 43 %").wait_for()
    page.get_by_text("Réjean’s case 18 to Martine’s case 14").wait_for()
    page.get_by_text("Chances then: 51 %, 8.2 points more.").wait_for()
    forward.click()
    page.get_by_text("There was nothing else to play.").wait_for()
    forward.click()
    page.get_by_text("The time was up: nobody chose this play.").wait_for()
    forward.click()
    page.get_by_text("The club bot thinks as much of another play.").wait_for()


def test_the_turning_points_lead_to_their_play(replay: Any) -> None:
    page, _ = shown(replay, [DONE])
    page.get_by_role("link", name="Réjean, 9 of clubs: −8.2 points").click()
    page.get_by_role("heading", level=1, name="Play 2: Réjean moves forward 9.", exact=True).wait_for()
    until(page, "document.querySelector('.analysis-knob').getAttribute('d').startsWith('M75')")
    page.get_by_text("3 choices, seat by seat").click()
    row = page.get_by_role("row", name="Réjean")
    assert row.get_by_role("cell").all_inner_texts() == ["0 %", "8.2"]


def test_a_running_game_has_none_and_a_fault_is_said(replay: Any) -> None:
    page, asked = shown(replay, [DONE], over=False)
    assert page.locator("#analysis").is_hidden()
    assert asked == []
    broken, asked = shown(replay, [{"state": "none"}], over=True)
    assert asked[0] == "POST"
    broken.locator("#analysis").wait_for()


def test_a_gift_is_a_stop_of_the_replay_with_its_own_judgement(replay: Any) -> None:
    record = frames()
    for event, gift in zip(record[1:], ("give KS", "give 9C"), strict=False):
        event["list"][0] |= {"d": {"seat": event["list"][0]["d"]["seat"], "play": gift}, "set": {}, "fx": []}
    gifts = [choice(4, 0, "give KS", "give KS", 500, 500), choice(5, 1, "give 9C", "give 4C", 430, 512)]
    page, _ = shown(
        replay,
        [DONE | {"choices": gifts}],
        address="#5",
        more={"**/api/record*": lambda route: route.fulfill(json={"frames": record})},
    )
    heading(page, "Play 2: Réjean gives the 9 of clubs.")
    page.get_by_text("Réjean’s chances: 43 %").wait_for()
    page.get_by_text("give the 4 of clubs").wait_for()
    page.get_by_role("button", name="Previous play").click()
    page.get_by_text("The club bot would have played the same.").wait_for()


def test_a_game_without_a_choice_has_no_panel(replay: Any) -> None:
    page, asked = shown(replay, [{"state": "waiting"}, DONE | {"choices": []}])
    until(page, "document.getElementById('analysis').hidden")
    assert asked == ["POST", "GET"]
    page.get_by_role("button", name="Next play").click()
    heading(page, "Play 1: Martine brings a marble out.")
    assert page.locator("#analysis").is_hidden()
