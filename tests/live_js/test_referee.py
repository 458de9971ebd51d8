"""Calling the referee from a seat, the frozen table, and the view of a referee at the table."""

import pytest

from tests.servers.browser import overflow

from .harness import CLOCKS, NAMES, NOW, VIEW, FakeTable, boot, snap, until

pytestmark = pytest.mark.browser

STILL = {"bank": CLOCKS["bank"]}
FROZEN = {**VIEW, "frozen": {"by": "call", "seat": 2, "seq": 412, "held": False, "until": NOW + 290_000}}


def seated(view=VIEW, **more):
    """Return the boot data of seat 1 at a match table, where a referee can be called."""
    first = more.pop("snap", None) or snap(view)
    return boot(view, **more) | {"snap": first | {"you": {"seat": 1, "role": "seat", "powers": ["play", "dispute"]}}}


class CallTable(FakeTable):
    """Also accepts a call: the clocks stop."""

    def obey(self, frame):
        if frame["kind"] != "dispute" or frame["id"] in self.answers:
            yield from super().obey(frame)
            return
        self.answers[frame["id"]] = {"t": "ack", "id": frame["id"], "seq": self.seq + 1}
        yield self.answers[frame["id"]]
        frozen = {"by": "call", "seat": self.seat, "seq": self.seq + 1, "held": False, "until": NOW + 300_000}
        yield self.event("dispute", {}, {**self.view, "frozen": frozen, "calls": [0, 1, 0, 0]})


def call_button(page):
    return page.get_by_role("button", name="Call the referee").first


def test_one_tap_opens_a_dialog_and_one_more_calls(opened):
    table = CallTable()
    page = opened(seated(), table)
    call_button(page).click()
    dialog = page.get_by_role("dialog", name="Call the referee?")
    dialog.get_by_label("What is it about?").select_option("talk")
    dialog.get_by_label("In a few words").fill("  Il a parlé <b>tout haut</b>.  ")
    dialog.get_by_text("32 of 280 characters").wait_for()
    dialog.get_by_role("button", name="Call the referee").click()
    page.get_by_role("heading", level=1, name="The clocks are stopped").wait_for()
    assert table.commands("dispute") == [{"kind": "talk", "text": "Il a parlé <b>tout haut</b>."}]
    assert page.locator("#called").inner_text().startswith("The clocks are stopped. You called the referee. If nobody")
    assert page.locator("#cap").is_hidden()
    assert not dialog.is_visible()


def test_nothing_has_to_be_said_and_two_clicks_are_one_call(opened):
    table = CallTable()
    page = opened(seated(), table)
    call_button(page).click()
    page.locator("#call-now").wait_for()
    page.evaluate("(() => { const b = document.getElementById('call-now'); b.click(); b.click(); })()")
    page.get_by_role("heading", level=1, name="The clocks are stopped").wait_for()
    assert table.commands("dispute") == [{}]


def test_by_keyboard_alone(opened):
    table = CallTable()
    page = opened(seated(), table)
    page.keyboard.press("F2")
    page.get_by_role("dialog", name="Call the referee?").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("F2")
    until(page, "document.activeElement.id === 'call-now'")
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name="The clocks are stopped").wait_for()
    assert table.commands("dispute") == [{}]


def test_a_call_is_no_longer_than_280_characters(opened):
    table = CallTable()
    page = opened(seated(), table)
    call_button(page).click()
    page.get_by_label("In a few words").fill("x" * 275)
    page.get_by_label("In a few words").press_sequentially("x" * 10, delay=0)
    page.get_by_text("280 of 280 characters").wait_for()


@pytest.mark.parametrize("width", [360, 1280])
def test_the_button_is_large_and_far_from_release(opened, width):
    table = CallTable()
    page = opened(seated(), table, screen={"width": width, "height": 780})
    box = call_button(page).bounding_box()
    assert box["width"] >= 44
    assert box["height"] >= 44
    assert box["x"] + box["width"] <= width
    below = page.locator("#choices").bounding_box()
    assert below["y"] - (box["y"] + box["height"]) > 200
    call_button(page).click()
    assert overflow(page) == 0
    for button in page.get_by_role("dialog").get_by_role("button").all():
        assert button.bounding_box()["height"] >= 44


def test_there_is_nobody_to_call_where_no_referee_comes(opened):
    page = opened(boot(), FakeTable())  # a practice table, and a table from before this feature
    assert page.locator("#referee").is_hidden()
    page.keyboard.press("F2")
    assert page.get_by_role("dialog").count() == 0


def test_after_two_calls_the_way_is_the_replay(opened):
    view = {**VIEW, "calls": [0, 2, 0, 0]}
    table = CallTable(view)
    page = opened(seated(view), table)
    assert call_button(page).get_attribute("aria-disabled") == "true"
    call_button(page).click(force=True)
    page.get_by_role("dialog", name="No call now").get_by_text("called twice").wait_for()
    assert table.commands("dispute") == []


def test_while_the_clocks_stand_nothing_can_be_played(opened):
    table = CallTable(FROZEN)
    page = opened(seated(FROZEN, snap=snap(FROZEN, clocks=STILL)), table)
    page.get_by_role("heading", level=1, name="The clocks are stopped").wait_for()
    text = page.locator("#frozen-text").inner_text()
    assert text.startswith("Océane called the referee. If nobody comes within 4:")
    page.locator("#hand button[data-card='9C']").click(force=True)
    page.locator("#hand button[data-card='9C']").click(force=True)
    assert [f for f in table.received if f["t"] == "cmd"] == []
    page.get_by_text("Nothing can be played until the clocks run again").wait_for()
    # announced once: text that changes each second is not in a live region
    said = page.locator("#called").inner_text()
    page.wait_for_timeout(1300)
    assert page.locator("#called").inner_text() == said
    assert page.locator("#frozen-text").inner_text() != text


def test_a_referee_takes_the_case_and_play_goes_on(opened):
    table = CallTable(FROZEN)
    page = opened(seated(FROZEN), table)
    held = {**FROZEN, "frozen": {**FROZEN["frozen"], "held": True, "until": 0}}
    table.say(table.event("hold", {}, held))
    page.get_by_text("A referee has taken the case and decides.").first.wait_for()
    until(page, "document.getElementById('called').textContent.includes('taken the case')")
    after = {key: value for key, value in held.items() if key != "frozen"} | {"owed": [0, 0, 0, 1]}
    frame = table.event("resume", {"by": "referee"}, after)
    table.say(frame | {"clocks": {**CLOCKS, "opened": frame["now"] + 10_000, "due": frame["now"] + 50_000}})
    page.get_by_role("heading", level=1, name="Your turn: choose a card").wait_for()
    page.get_by_text("Play goes on: the clock runs in 10 seconds.").wait_for()
    assert page.locator("#called").inner_text() == "Your turn: choose a card"
    assert page.locator("#said").inner_text().startswith("Play goes on. The clock runs in 10 seconds")
    page.get_by_text("Play goes on: the clock runs in 9 seconds.").wait_for()
    assert "owes 1 turn: talking penalty" in page.locator(".seat", has_text="Yvon").inner_text()


def test_a_case_that_is_given_back_is_free_on_every_page_at_once(opened):
    taken = {**FROZEN, "frozen": {**FROZEN["frozen"], "held": True, "until": NOW + 100_000}}
    table = CallTable(taken)
    page = opened(seated(taken), table)
    page.get_by_text("A referee has taken the case and decides.").first.wait_for()
    free = {**FROZEN, "frozen": {**FROZEN["frozen"], "held": False, "until": NOW + 300_000}}
    table.say(table.event("free", {"until": NOW + 300_000}, free))
    until(page, "!document.getElementById('frozen-text').textContent.includes('has taken the case')")
    until(page, "document.getElementById('called').textContent.includes('If nobody comes in time')")
    page.locator("#plays").get_by_text("The referee no longer has the case: another one may take it.").wait_for()


def test_a_rewind_shows_the_earlier_board(opened):
    table = CallTable()
    page = opened(seated(), table)
    page.get_by_role("heading", level=1, name="Your turn: choose a card").wait_for()
    back = {**VIEW, "turn": 0, "decision": "1.430", "marbles": {**VIEW["marbles"], "1": ["r", "r", "r", "t30"]}}
    back.pop("legal")
    table.view, table.seq = back, 430
    table.say(snap(back, seq=430) | {"epoch": 1})
    page.get_by_role("heading", level=1, name="Martine’s turn").wait_for()
    until(page, "tockTable.board.nodeAt(1, 't18') === undefined")
    assert page.locator("#said").inner_text().startswith("The referee has taken play back")


def test_a_referee_sees_the_table_live_and_the_hand_that_was_opened(opened):
    public = {key: value for key, value in VIEW.items() if key not in ("hand", "legal")}
    view = public | {"hand": ["4D", "KS"]}
    you = {"role": "referee", "powers": [], "sees": 3}
    data = boot(view, seat=None, role="referee", desk="/case-of-table", snap=snap(view, seat=None) | {"you": you})
    page = opened(data, FakeTable(view, seat=None))
    page.get_by_text("You are the referee", exact=True).wait_for()
    assert page.get_by_role("link", name="Open the case file").get_attribute("href") == "/case-of-table"
    assert page.locator("#sees").inner_text() == f"{NAMES[3]}’s hand, opened for the case"
    assert page.locator("#hand button").count() == 2
    assert page.locator("#referee").is_hidden()
    assert page.locator("#delay").is_hidden()
    page.locator("#hand button").first.click(force=True)
    assert page.locator("#choices").inner_text() == ""


def test_what_the_strip_says(js):
    def words(now=NOW, **frozen):
        shown = VIEW | ({"frozen": {"seq": 3, "held": False, "until": 0} | frozen} if frozen else {})
        return js("referee.js", "m.frozenWords(a[0], a[1], a[2])", {"names": NAMES, "seat": 1}, shown, now)

    assert words() is None
    assert words(by="referee")["text"] == "A referee has stopped the game."
    assert (
        words(by="call", seat=1, held=True)["text"]
        == "You called the referee. A referee has taken the case and decides."
    )
    assert "within 0:01," in words(by="call", seat=0, until=NOW + 900)["text"]
    assert "within 0:00," in words(by="call", seat=0, until=NOW - 900)["text"]
    assert "comes in time," in words(0, by="call", seat=0, until=NOW)["text"]


def test_a_play_caught_by_the_freeze_goes_out_once_when_the_clocks_run(opened):
    class Stopped(CallTable):
        def obey(self, frame):
            if "frozen" in self.view:
                yield {
                    "t": "nak",
                    "id": frame["id"],
                    "code": "frozen",
                    "why": "referee",
                    "retry": True,
                    "seq": self.seq,
                }
            else:
                yield from super().obey(frame)

    table = Stopped(dict(VIEW))
    page = opened(seated(touch=False), table)
    page.get_by_role("heading", level=1, name="Your turn: choose a card").wait_for()
    frozen = table.event("dispute", {"seat": 2}, FROZEN)  # the freeze arrives while the player plays
    page.get_by_label("Play in notation").fill("KS t18-t31")
    page.get_by_label("Play in notation").press("Enter")
    until(page, "tockTable.link.commands.size === 1")
    page.wait_for_timeout(200)
    table.say(frozen)
    page.get_by_role("heading", level=1, name="The clocks are stopped").wait_for()
    page.wait_for_timeout(2500)  # longer than the time after which an unanswered command is sent again
    assert len([f for f in table.received if f["t"] == "cmd"]) == 1
    table.say(table.event("resume", {"by": "clock"}, dict(VIEW)))
    page.get_by_role("heading", level=1, name="Océane’s turn").wait_for()
    assert [c["play"] for c in table.commands("play")] == ["KS t18-t31"]


def test_a_call_that_comes_second_is_not_made_later(opened):
    class Stopped(CallTable):
        def obey(self, frame):
            yield {"t": "nak", "id": frame["id"], "code": "frozen", "why": "referee", "retry": True, "seq": self.seq}

    table = Stopped()
    page = opened(seated(), table)
    call_button(page).click()
    page.get_by_role("dialog").get_by_role("button", name="Call the referee").click()
    page.get_by_text("The clocks are stopped; no play counts now.").wait_for()
    assert page.evaluate("tockTable.link.commands.size") == 0


@pytest.mark.parametrize(("out", "calls"), [([0], True), ([1], False)])
def test_a_team_that_is_out_calls_nobody(opened, out, calls):
    view = {**VIEW, "out": out}
    page = opened(seated(view), CallTable(view))
    until(page, "document.querySelectorAll('#hand button').length > 0")
    assert call_button(page).is_visible() == calls
    page.keyboard.press("F2")
    if calls:
        page.get_by_role("dialog").wait_for()  # the form is loaded when it is asked for
    else:
        page.wait_for_timeout(300)
    assert page.get_by_role("dialog").count() == calls
