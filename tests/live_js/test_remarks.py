"""Beside a replay: comments on the play shown, other plays drawn on the board, and the way to a table that plays on."""

from typing import Any

import pytest

from .harness import boot, snap, until
from .test_replay import OPENING, frames, heading

pytestmark = pytest.mark.browser

REFUSED = """() => { const {fetch} = window; window.fetch = async () => { window.fetch = fetch;
  return new Response(JSON.stringify({error: {code: "blank", field: "text", message: "Type a comment."}}),
    {status: 422}); }; }"""  # without the browser's own line in the console
MARKUP = "<img src=x onerror=alert(1)> I had <3 kings"


@pytest.fixture
def replay(opened: Any, js_site: Any) -> Any:
    """Give `replay()`: a finished game's replay for one of its players, and what the page has sent."""

    def show(may_write: bool = True, address: str = "", **options: Any) -> tuple[Any, list[Any]]:
        sent: list[Any] = []
        kept: list[dict[str, Any]] = [
            {"id": 7, "seq": 5, "name": "Océane", "seat": 2, "text": MARKUP, "line": "9C t18-t27",
             "at": "2026-11-25T10:00:00Z", "removable": False},
        ]  # fmt: skip
        end = {**OPENING, "phase": "over", "result": {"ranks": [0, 1], "reason": "played"}}
        data = boot(OPENING, seat=None, replay=True, play_on="/games/g7q2/play-on/", other_plays=True)
        data |= {"as": "all", "record": "/api/record", "snap": snap(end, seat=None)}
        data |= {"comments": "/api/comments", "alternatives": "/api/alternatives"}
        page = opened(data, template="games/replay.html", visit=False, **options)

        def comments(route: Any) -> None:
            if route.request.method == "POST" and route.request.url.endswith("/remove"):
                kept[:] = [one for one in kept if f"/{one['id']}/" not in route.request.url]
            elif route.request.method == "POST":
                sent.append(route.request.post_data_json)
                kept.append(
                    {"id": 8, "name": "Martine", "seat": 0, "at": "2026-11-25T11:00:00Z", "removable": True} | sent[-1]
                )
            route.fulfill(json={"comments": kept, "may_write": may_write})

        page.route("**/api/record*", lambda route: route.fulfill(json={"frames": frames()}))
        page.route("**/api/comments**", comments)
        plays = ["9C t18-t27", "burn 4C", "JD t18xt51", "QD t18-t30"]
        page.route("**/api/alternatives*", lambda route: route.fulfill(json={"seq": 5, "plays": plays}))
        page.goto(f"{js_site.url}/table{address}")
        until(page, "window.tockReplay && tockReplay.steps && tockReplay.remarks?.all.length")
        return page, sent

    return show


def test_a_comment_stands_at_its_play_as_text_and_another_is_added_and_deleted(replay: Any) -> None:
    page, sent = replay()
    page.get_by_text("Step to a play to read its comments.").wait_for()
    assert page.locator("#plays .remark-count").all_inner_texts() == ["1 comment"]
    page.locator("#plays a", has_text="9C t18-t27").click()
    page.locator(".remarks").get_by_text(MARKUP, exact=True).wait_for()
    assert page.locator("#remarks img").count() == 0
    assert page.get_by_role("button", name="Delete").count() == 0
    page.evaluate(REFUSED)
    page.get_by_role("button", name="Add the comment").click()
    page.locator("#remarks [role=alert]", has_text="Type a comment.").wait_for()
    page.get_by_label("Your comment on this play").fill("Well seen.")
    page.get_by_role("button", name="Add the comment").click()
    page.locator(".remarks").get_by_text("Well seen.").wait_for()
    assert sent[-1] == {"seq": 5, "text": "Well seen.", "line": ""}
    assert page.get_by_label("Your comment on this play").input_value() == ""
    page.get_by_role("button", name="Delete the comment by Martine").click()
    until(page, "document.querySelectorAll('.remarks li').length === 1")


def test_who_did_not_play_reads_and_does_not_write(replay: Any) -> None:
    page, _ = replay(may_write=False, address="#5")
    page.locator(".remarks li").wait_for()
    assert page.get_by_label("Your comment on this play").is_hidden()


def test_another_play_is_drawn_from_the_list_and_goes_with_the_comment(replay: Any) -> None:
    page, sent = replay(address="#5")
    heading(page, "Play 2: Réjean moves forward 9.")
    assert page.locator("#key-other").is_hidden()
    page.get_by_text("What else could be played").click()
    other = page.get_by_label("Another play, drawn on the board")
    until(page, "document.querySelectorAll('#other-play option').length === 4")  # what was played is not listed
    other.select_option("QD t18-t30")
    assert page.locator("#board .board-other").count() == 1
    assert page.locator("#key-other").is_visible()
    # it ends where the queen leads, and not where the nine went
    place, end = page.evaluate(
        "[tockReplay.board.at(1, 't30'), document.querySelector('.board-other circle').attributes.cx.value]"
    )
    assert abs(place[0] - float(end)) < 0.01
    other.select_option("JD t18xt51")
    assert page.locator("#board .board-other").count() == 2
    other.select_option("burn 4C")
    assert page.locator("#board .board-other").count() == 0
    other.select_option("QD t18-t30")
    page.get_by_label("Your comment on this play").fill("The queen was better.")
    page.get_by_role("button", name="Add the comment").click()
    page.get_by_role("button", name="Show on the board: queen of diamonds").wait_for()
    assert sent == [{"seq": 5, "text": "The queen was better.", "line": "QD t18-t30"}]
    page.get_by_role("button", name="Next play").click()
    until(page, "!document.querySelector('#board .board-other')")


def test_the_bots_better_play_is_drawn_by_itself(replay: Any, js: Any) -> None:
    page, _ = replay(address="#5")
    page.evaluate(
        """() => { tockReplay.analysis.show([{seq: 5, seat: 1, line: "9C t18-t27", best: "4C t18-t14", chance: 430,
          best_chance: 512, plays: 4, by_clock: false}]); }"""
    )
    until(page, "document.querySelectorAll('#board .board-other').length === 1")
    assert page.locator("#key-other").is_visible()


def test_a_table_plays_on_from_the_play_shown_in_the_seat_that_is_looked_from(replay: Any, js_site: Any) -> None:
    page, _ = replay(address="?as=seat:3#5")
    asked: list[str] = []
    page.route("**/play-on/", lambda route: (asked.append(route.request.post_data), route.fulfill(body="there"))[1])
    button = page.get_by_role("button", name="Play on from here")
    until(page, "document.querySelector('#play-on [name=seq]').value === '5'")
    button.click()
    page.get_by_text("there").wait_for()
    assert "seq=5&seat=3" in asked[0]


def test_axe_finds_nothing(replay: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page, _ = replay(address="#5", bypass_csp=True)
    page.get_by_text("What else could be played").click()
    until(page, "document.querySelectorAll('#other-play option').length === 4")
    page.get_by_label("Another play, drawn on the board").select_option("QD t18-t30")
    page.evaluate(REFUSED)
    page.get_by_role("button", name="Add the comment").click()
    page.locator("#remarks [role=alert]", has_text="Type a comment.").wait_for()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
