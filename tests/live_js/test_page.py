"""The table page in a browser, against a fake table: three input methods, touch, refusals, lost connections, small
screens."""

import pytest

from tests.servers.browser import overflow

from .harness import VIEW, FakeTable, boot, snap, until

pytestmark = pytest.mark.browser

SEVEN = {
    **VIEW,
    "hand": ["7C", "KS"],
    "legal": ["7C t18-t25", "7C t18-t20 t30-t35", "7C t30-t37", "KS t18-t31"],
}


def card(page, name):
    return page.locator(f"#hand button[data-card='{name}']")


def heading(page, text):
    page.get_by_role("heading", level=1, name=text).wait_for()


def marble(page, place):
    return page.locator(f".marble[data-key='m:{place}']")


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 20, start[1] - 20, steps=4)
    page.mouse.move(*end, steps=8)
    page.mouse.up()


def play_of(table):
    return [command["play"] for command in table.commands("play")]


def test_by_click(opened):
    table = FakeTable()
    page = opened(boot(), table)
    heading(page, "Your turn: choose a card")
    card(page, "9C").click()
    assert card(page, "9C").get_attribute("aria-pressed") == "true"
    assert table.commands("touch") == []  # marking a card is not sent
    card(page, "9C").press("Enter")
    heading(page, "Your turn: which marble?")
    assert page.locator("#hand .laid").inner_text().startswith("Your 9")
    marble(page, "t30").click()
    heading(page, "Your turn: where do you release the marble?")
    page.locator("#choices").get_by_role("button", name="Océane’s case 3").click()
    heading(page, "Océane’s turn")
    assert table.commands("touch") == [{"card": "9C"}, {"marble": "t30"}]
    assert play_of(table) == ["9C t30-t39"]
    assert page.locator("#plays li").count() == 1
    assert page.locator("#plays li code").inner_text() == "9C t30-t39"
    assert page.locator("#said").inner_text() in page.locator("#plays li").inner_text()


def test_a_second_tap_lays_and_a_tap_on_the_target_releases(opened):
    table = FakeTable()
    page = opened(boot(), table)
    card(page, "9C").click()
    card(page, "9C").click()
    heading(page, "Your turn: which marble?")
    marble(page, "t18").click()
    x, y = middle(page.locator(".target[data-key='t:t18-t27']"))
    page.mouse.click(x + 9, y + 9)  # the nearest target within range
    heading(page, "Océane’s turn")
    assert play_of(table) == ["9C t18-t27"]


def test_by_drag(opened):
    table = FakeTable()
    page = opened(boot(), table)
    heading(page, "Your turn: choose a card")
    board = middle(page.locator("#board svg.board"))
    drag(page, middle(card(page, "4D")), board)
    heading(page, "Your turn: which marble?")
    start = middle(marble(page, "t30"))
    # four spaces back, along the arm: the distance of t30 and t26 on the screen
    end = page.evaluate(
        """() => { const m = document.querySelector('#board svg').getScreenCTM();
        const [x, y] = JSON.parse(document.getElementById('geometry').textContent).places.t26;
        return [m.a * x + m.e, m.d * y + m.f]; }"""
    )
    drag(page, start, end)
    heading(page, "Océane’s turn")
    assert table.commands("touch") == [{"card": "4D"}, {"marble": "t30"}]
    assert play_of(table) == ["4D t30-t26"]


def test_a_marble_dropped_beside_its_targets_stays_touched(opened):
    table = FakeTable()
    page = opened(boot(), table)
    card(page, "9C").click()
    card(page, "9C").click()
    heading(page, "Your turn: which marble?")
    x, y = middle(marble(page, "t18"))
    drag(page, (x, y), (x + 150, y - 200))
    heading(page, "Your turn: where do you release the marble?")
    assert table.commands("touch") == [{"card": "9C"}, {"marble": "t18"}]
    assert play_of(table) == []


def test_by_keyboard_alone(opened):
    table = FakeTable()
    page = opened(boot(), table)
    heading(page, "Your turn: choose a card")
    page.keyboard.press("ArrowRight")  # from nowhere into the hand
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.card") == "9C"
    page.keyboard.press("Enter")
    assert table.commands("touch") == []
    page.keyboard.press("Escape")
    assert card(page, "9C").get_attribute("aria-pressed") == "false"
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # lays the card
    heading(page, "Your turn: which marble?")
    until(page, "document.activeElement.dataset.key === 't:t18-t27'")
    page.keyboard.press("ArrowUp")  # to the marbles on the board
    assert page.evaluate("document.activeElement.closest('svg.board') !== null")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    heading(page, "Your turn: where do you release the marble?")
    until(page, "document.activeElement.dataset.key === 't:t30-t39'")
    page.keyboard.press("Enter")
    heading(page, "Océane’s turn")
    assert play_of(table) == ["9C t30-t39"]


def test_the_command_line(opened):
    table = FakeTable()
    page = opened(boot(), table)
    line = page.get_by_label("Play in notation")
    line.fill("9c t30-t40")
    line.press("Enter")
    assert "not possible" in page.get_by_role("alert").filter(has_text="possible").inner_text()
    assert play_of(table) == []
    line.fill("ks t18-t31")
    line.press("Enter")
    heading(page, "Océane’s turn")
    assert play_of(table) == ["KS t18-t31"]


@pytest.mark.parametrize("touch", [True, False])
def test_a_seven_is_split_step_by_step(opened, touch):
    table = FakeTable(SEVEN)
    page = opened(boot(SEVEN, touch=touch), table)
    card(page, "7C").click()
    card(page, "7C").click()
    heading(page, "Your turn: which marble?")
    page.locator("#choices [data-key='m:t18']").click()
    heading(page, "Your turn: where do you release the marble?")
    assert page.locator("#choices").get_by_role("button", name="2 steps, then 5 more").count() == 1
    page.locator("#choices [data-key='t:t18-t20']").click()
    heading(page, "Your turn: 5 more, with which marble?")
    assert play_of(table) == []  # nothing is released yet
    page.get_by_role("button", name="Take back the last part").click()
    heading(page, "Your turn: which marble?" if not touch else "Your turn: where do you release the marble?")
    if not touch:
        page.locator("#choices [data-key='m:t18']").click()
    page.locator("#choices [data-key='t:t18-t20']").click()
    page.locator("#choices [data-key='t:t30-t35']").click()  # the only marble that is left: touched and laid out
    heading(page, "Your turn: release the marbles?")
    assert table.commands("touch") == ([{"card": "7C"}, {"marble": "t18"}, {"marble": "t30"}] if touch else [])
    page.get_by_role("button", name="Release").click()
    heading(page, "Océane’s turn")
    assert play_of(table) == ["7C t18-t20 t30-t35"]


@pytest.mark.parametrize(
    ("legal", "phase", "title", "press", "kind"),
    [
        (
            ["burn 10H", "burn 4D", "burn 9C", "burn KS"],
            "forced",
            "Your turn: you must burn a card",
            "Burn the 4 of diamonds",
            "burn",
        ),
        (
            ["give 10H", "give 4D", "give 9C", "give KS"],
            "give",
            "Give a card to Yvon",
            "Give the 4 of diamonds",
            "exchange",
        ),
    ],
)
def test_burn_and_exchange(opened, legal, phase, title, press, kind):
    view = {**VIEW, "phase": phase, "legal": legal, "given": [True, False, False, False]}
    table = FakeTable(view)
    page = opened(boot(view), table)
    heading(page, title)
    card(page, "4D").click()
    page.get_by_role("button", name=press).click()
    until(page, "document.querySelectorAll('#hand li').length === 3")
    assert table.commands(kind) == [{"card": "4D"}]


def test_refusals_are_shown_in_words_and_change_nothing(opened):
    table = FakeTable()
    page = opened(boot(), table)
    heading(page, "Your turn: choose a card")
    table.view["legal"] = []  # the table disagrees
    page.get_by_label("Play in notation").fill("9C t30-t39")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("The marble you touched must be played.").wait_for()
    heading(page, "Your turn: choose a card")
    assert len(page.locator("#hand button").all()) == 4


def test_a_card_that_cannot_be_played_is_not_sent(opened):
    view = {**VIEW, "legal": ["9C t18-t27"]}
    table = FakeTable(view)
    page = opened(boot(view), table)
    card(page, "KS").click(force=True)
    page.get_by_text("That card cannot be played while another one can.").wait_for()
    card(page, "KS").click(force=True)
    assert table.commands("touch") == []


def test_a_command_is_resent_with_its_id_until_it_is_answered(opened):
    table = FakeTable()
    page = opened(boot(), table)
    heading(page, "Your turn: choose a card")
    table.mute = True
    page.get_by_label("Play in notation").fill("KS t18-t31")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("Sent. Waiting for the table…").wait_for()
    page.wait_for_timeout(2400)
    sent = [frame for frame in table.received if frame["t"] == "cmd"]
    assert len(sent) >= 2
    assert len({frame["id"] for frame in sent}) == 1
    table.mute = False
    heading(page, "Océane’s turn")
    assert play_of(table) == ["KS t18-t31"]
    assert page.evaluate("Object.keys(sessionStorage).length") == 0


def test_a_reload_in_the_middle_of_a_command_loses_and_doubles_nothing(opened):
    table = FakeTable()
    page = opened(boot(), table)
    heading(page, "Your turn: choose a card")
    table.mute = True
    page.get_by_label("Play in notation").fill("KS t18-t31")
    page.get_by_role("button", name="Play", exact=True).click()
    until(page, "Object.keys(sessionStorage).length === 1")
    table.mute = False
    page.reload()
    heading(page, "Océane’s turn")
    assert play_of(table) == ["KS t18-t31"]
    assert len({frame["id"] for frame in table.received if frame["t"] == "cmd"}) == 1


def test_a_lost_connection_is_reported_and_restored_automatically(opened):
    table = FakeTable()
    page = opened(boot(), table)
    heading(page, "Your turn: choose a card")
    until(page, "tockTable.link.state.joined")
    table.sockets.pop().close(code=1012, reason="restart")
    page.get_by_text("The server restarts. One moment…").wait_for()
    # meanwhile the table went on without this page
    after = {**VIEW, "pile": "10H", "turn": 2, "decision": "0.413", "hand": ["4D", "9C", "KS"]}
    after.pop("legal")
    table.view, table.seq = after, 413
    heading(page, "Océane’s turn")
    page.locator("#strip").wait_for(state="hidden")
    assert page.locator("#hand button").count() == 3


def test_a_clock_stands_still_and_says_so_while_the_server_is_away(opened):
    table = FakeTable()
    page = opened(boot(), table)
    until(page, "tockTable.link.state.joined")
    page.evaluate("tockTable.link.doors.random = () => 0.99")  # reconnects after up to three seconds
    table.sockets.pop().close(code=1012, reason="restart")
    page.get_by_text("Paused: no word from the server.").wait_for()
    shown = page.locator("#cap").inner_text()
    before = page.evaluate("tockTable.link.now")
    until(page, "(window.t0 ??= performance.now()) + 1200 < performance.now()")
    assert page.evaluate("tockTable.link.now") == before
    assert page.locator("#cap").inner_text() == shown
    until(page, "tockTable.link.state.joined")
    page.get_by_text("Paused: no word from the server.").wait_for(state="hidden")
    until(page, "tockTable.link.now > 0 && !tockTable.link.paused")


def test_where_no_socket_comes_through_everything_goes_over_http(opened, js_site):
    table = FakeTable()
    page = opened(boot(), table, visit=False)
    page.route_web_socket("**/ws/table/**", lambda socket: socket.close(code=3000))
    page.goto(f"{js_site.url}/table")
    heading(page, "Your turn: choose a card")
    page.get_by_label("Play in notation").fill("KS t18-t31")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("heading", level=1, name="Océane’s turn").wait_for(timeout=15_000)
    assert table.received == []
    assert [item["d"]["play"] for item in table.log] == ["KS t18-t31"]
    page.get_by_text("No live line: the table follows a little later.").wait_for()


def test_a_wrong_view_is_noticed_and_replaced(opened):
    table = FakeTable()
    page = opened(boot(), table)
    until(page, "tockTable.link.state.joined")
    page.evaluate(
        "tockTable.link.held.view = {...tockTable.link.held.view, pile: 'AC'}; tockTable.link.held.hash = '0'.repeat(16)"
    )
    page.evaluate("tockTable.link.ping()")
    until(page, "tockTable.link.held.hash !== '0'.repeat(16) && tockTable.view.pile === '3C'")
    joins = [frame for frame in table.received if frame["t"] == "join"]
    assert [join["hash"] != "" for join in joins] == [True, False]


def test_anothers_play_is_animated_said_and_listed(opened):
    view = {**VIEW, "turn": 0}
    view.pop("legal")
    table = FakeTable(view)
    page = opened(boot(view), table)
    heading(page, "Martine’s turn")
    until(page, "tockTable.link.state.joined")
    after = {
        **view,
        "turn": 1,
        "pile": "QS",
        "marbles": {**view["marbles"], "0": ["h4", "r", "t16", "t10"]},
        "legal": VIEW["legal"],
    }
    event = table.event("play", {"play": "QS t70-t10"}, after, fx=[["move", 0, "t70", "t10"]])
    event["list"][0]["d"]["seat"] = 0
    table.say(event)
    heading(page, "Your turn: choose a card")
    assert page.locator("#said").inner_text() == "Martine moves forward 12."
    assert page.locator("#called").inner_text() == "Your turn: choose a card"
    assert page.locator("#plays li").inner_text().startswith("Q")
    place = page.evaluate("tockTable.board.nodeAt(0, 't10').node.getAttribute('transform')")
    x, y = page.evaluate("JSON.parse(document.getElementById('geometry').textContent).places.t10")
    assert place == f"translate({x:.2f} {y:.2f})"


def test_a_seated_person_says_ready(opened):
    view = {k: v for k, v in VIEW.items() if k not in ("legal", "hand", "pile")} | {
        "phase": "seating",
        "ready": [True, False, True, True],
    }
    table = FakeTable(view)
    page = opened(boot(view), table)
    heading(page, "Are you ready?")
    page.get_by_role("button", name="I am ready").click()
    heading(page, "4 of 4 seats are ready")
    assert table.commands("ready") == [{}]


def test_the_end_shows_the_result_and_the_ways_on(opened):
    view = {k: v for k, v in VIEW.items() if k not in ("legal", "hand")}
    view |= {"phase": "over", "result": {"ranks": [1, 0], "reason": "played"}}
    page = opened(boot(view, back="/tables/g7q2table/match/", back_name="Back to the match"), FakeTable(view))
    heading(page, "Your team wins!")
    assert page.get_by_role("link", name="See the game again").get_attribute("href") == "/games/g7q2/"
    assert page.get_by_role("link", name="Back to the match").get_attribute("href") == "/tables/g7q2table/match/"
    assert "1 marble in heaven" in page.locator(".result").inner_text()


def test_the_end_links_to_the_rulings_about_the_game(opened, js_site):
    view = {k: v for k, v in VIEW.items() if k not in ("legal", "hand")}
    view |= {"phase": "over", "result": {"ranks": [1, 0], "reason": "played"}}
    page = opened(boot(view, rulings="/games/g7q2/rulings/"), FakeTable(view), visit=False)
    ruling = {"url": "/rulings/TL-2026-000012/", "words": "Ruling 000012: talking.", "effects": "The win goes to B."}
    page.route("**/games/g7q2/rulings/", lambda route: route.fulfill(json={"rulings": [ruling]}))
    page.goto(f"{js_site.url}/table")
    link = page.get_by_role("link", name="Ruling 000012: talking.")
    assert link.get_attribute("href") == "/rulings/TL-2026-000012/"
    assert "The win goes to B." in page.locator("#decided").inner_text()


def test_a_spectator_sees_no_hand_and_is_told_of_the_delay(opened):
    view = {k: v for k, v in VIEW.items() if k not in ("legal", "hand")}
    page = opened(boot(view, seat=None), FakeTable(view, seat=None))
    heading(page, "Réjean’s turn")
    page.get_by_text("spectators follow one deal late").wait_for()
    assert page.locator("#hand button").count() == 0
    assert page.locator("#writing").is_hidden()


def test_the_first_view_is_there_without_javascript(opened):
    view = {k: v for k, v in VIEW.items() if k not in ("legal", "hand")}
    page = opened(boot(view, seat=None), java_script_enabled=False)
    assert page.locator("svg.board .marble").count() == 16
    assert page.locator("#seats .seat").count() == 4
    assert "JavaScript" in page.locator("noscript").inner_text()


@pytest.mark.parametrize("screen", [{"width": 360, "height": 740}, {"width": 1280, "height": 900}])
def test_everything_fits_and_can_be_pressed(opened, screen):
    table = FakeTable()
    phone = {"has_touch": True, "is_mobile": True} if screen["width"] == 360 else {}
    page = opened(boot(), table, screen=screen, **phone)
    heading(page, "Your turn: choose a card")
    card(page, "9C").click()
    card(page, "9C").click()
    heading(page, "Your turn: which marble?")
    assert overflow(page) == 0
    bottom = page.locator("#hand").bounding_box()
    if phone:
        assert bottom["y"] + bottom["height"] <= screen["height"]
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, a, input, select, summary')].filter((node) => {
        const box = node.getBoundingClientRect();
        return box.width && getComputedStyle(node).visibility !== 'hidden' && !node.matches('.skip, .visually-hidden')
          && (box.width < 43.5 || box.height < 43.5); }).map((node) => node.outerHTML.slice(0, 80))"""
    )
    assert small == []


def test_no_motion_where_none_is_wanted(opened):
    view = {**VIEW, "turn": 0}
    view.pop("legal")
    table = FakeTable(view)
    page = opened(boot(view), table, reduced_motion="reduce")
    until(page, "tockTable.link.state.joined")
    page.evaluate(
        """() => { window.asked = 0; const real = requestAnimationFrame; window.requestAnimationFrame = (f) => {
        if (new Error().stack.includes('motion.js')) window.asked += 1; return real(f); }; }"""
    )
    after = {**view, "turn": 1, "marbles": {**view["marbles"], "0": ["h4", "r", "t16", "t10"]}}
    table.say(table.event("play", {"play": "QS t70-t10"}, after, fx=[["move", 0, "t70", "t10"]]))
    until(page, "tockTable.view.turn === 1")
    assert page.evaluate("window.asked") == 0


def test_a_deploy_is_told(opened):
    table = FakeTable()
    page = opened(boot(), table)
    until(page, "tockTable.link.state.joined")
    table.say({"t": "note", "code": "deploy", "at": 1})
    page.get_by_text("The server is about to restart. Your game is kept.").wait_for()


def joins(table):
    return [frame.get("aside", False) for frame in table.received if frame["t"] == "join"]


def test_the_older_window_watches_until_a_press_takes_the_seat_over(opened):
    table = FakeTable()
    page = opened(boot(), table)
    until(page, "tockTable.link.state.joined")
    table.say({"t": "note", "code": "other_tab", "at": 1})
    page.locator("#strip").get_by_text("This seat is played in another window.").wait_for()
    table.say({"t": "note", "code": "verify", "at": 1})
    table.sockets.pop().close()
    until(page, "tockTable.link.state.joined && tockTable.link.said === ''", seconds=10)
    assert joins(table) == [False, True]  # a lost connection does not take the seat back
    page.locator("#strip").get_by_role("button", name="Play here").click()
    page.locator("#strip").wait_for(state="hidden")
    until(page, "!tockTable.link.aside")
    assert joins(table) == [False, True, False]


def test_a_play_refused_because_another_window_plays_says_so(opened):
    table = FakeTable()
    page = opened(boot(touch=False), table)
    until(page, "tockTable.link.state.joined")

    def refuse(frame):
        yield {"t": "nak", "id": frame["id"], "code": "other_tab", "why": "other_tab", "retry": False, "seq": 0}

    obey, table.obey = table.obey, refuse
    page.evaluate("tockTable.player.ask('play', { play: '9C t30-t39' })")
    page.locator("#refused").get_by_text("This seat is played in another window.").wait_for()
    page.locator("#strip").get_by_role("button", name="Play here").wait_for()
    table.obey = obey  # the other window has gone
    page.evaluate("tockTable.player.ask('play', { play: '9C t30-t39' })")
    page.locator("#strip").wait_for(state="hidden")
    assert play_of(table)[-1] == "9C t30-t39"


def test_who_is_there_is_shown(opened):
    table = FakeTable()
    page = opened(boot(), table)
    until(page, "tockTable.link.state.joined")
    seats = [
        {"name": "x", "online": True},
        {"name": "x", "online": True},
        {"name": "x", "bot": "club"},
        {"name": "x", "online": False},
    ]
    table.say({"t": "who", "seats": seats, "spectators": 27})
    page.locator("#seats").get_by_text("Your partner, Dealer, away").wait_for()
    page.locator("#seats").get_by_text("Bot, club level").wait_for()
    assert page.locator("#eyes").inner_text().startswith("27")


def test_the_snapshot_of_another_game_begins_anew(opened):
    table = FakeTable()
    page = opened(boot(), table)
    until(page, "tockTable.link.state.joined")
    second = {k: v for k, v in VIEW.items() if k not in ("legal", "hand", "pile")}
    second |= {"game": "h8r3", "phase": "seating", "ready": [False] * 4, "decision": "0.0"}
    table.view, table.seq = second, 1
    table.say(snap(second, seq=1))
    heading(page, "Are you ready?")
    assert page.locator("#plays li").count() == 0


def test_a_marked_card_is_played_by_one_more_press(opened):
    """On the place that one marble alone reaches, on its button, or on the card itself where it has one play."""
    view = {**VIEW, "legal": [line for line in VIEW["legal"] if line != "4D t18-t14"]}
    table = FakeTable(view)
    page = opened(boot(view), table)
    heading(page, "Your turn: choose a card")
    card(page, "9C").click()
    heading(page, "Your turn: where does it go?")
    words = page.locator("#choices [data-key='t:t30-t39']").inner_text()
    assert words.split("\n") == ["Océane’s case 3", "from your case 12, 9 steps, eats Océane"]
    page.mouse.click(*middle(page.locator(".target[data-key='t:t30-t39']")))
    heading(page, "Océane’s turn")
    table.say(snap(view, seq=500))
    table.view, table.seq = view, 500
    heading(page, "Your turn: choose a card")
    card(page, "KS").click()
    page.locator("#choices [data-key='t:t18-t31']").click()
    heading(page, "Océane’s turn")
    table.say(snap(view, seq=600))
    table.view, table.seq = view, 600
    heading(page, "Your turn: choose a card")
    card(page, "4D").click()
    card(page, "4D").click()
    heading(page, "Océane’s turn")
    assert play_of(table) == ["9C t30-t39", "KS t18-t31", "4D t30-t26"]
    assert table.commands("touch") == []


def test_a_marble_pressed_for_a_marked_card_is_touched_after_the_card(opened):
    table = FakeTable()
    page = opened(boot(), table)
    card(page, "9C").click()
    heading(page, "Your turn: where does it go?")
    marble(page, "t18").click()
    heading(page, "Your turn: where do you release the marble?")
    assert table.commands("touch") == [{"card": "9C"}, {"marble": "t18"}]
    until(page, "!tockTable.busy")
    page.keyboard.press("Escape")
    card(page, "KS").click(force=True)
    page.locator("#refused").get_by_text("The card you laid must be played.").wait_for()
    page.locator("#choices [data-key='t:t18-t27']").click()
    heading(page, "Océane’s turn")
    assert play_of(table) == ["9C t18-t27"]


def test_where_touches_do_not_bind_card_and_marble_change_until_the_release(opened):
    table = FakeTable()
    page = opened(boot(touch=False), table)
    card(page, "9C").click()
    marble(page, "t18").click()
    heading(page, "Your turn: where do you release the marble?")
    marble(page, "t18").click()  # put down
    heading(page, "Your turn: where does it go?")
    marble(page, "t30").click()
    card(page, "KS").click()  # another card, the same marble
    page.locator("#choices [data-key='t:t30-t7']").wait_for()
    drag(page, middle(card(page, "10H")), middle(page.locator("#board svg.board")))
    heading(page, "Your turn: which marble?")
    card(page, "9C").click()
    heading(page, "Your turn: where does it go?")
    assert len([frame for frame in table.received if frame["t"] == "cmd"]) == 0
    page.mouse.click(*middle(page.locator(".target[data-key='t:t18-t27']")))
    heading(page, "Océane’s turn")
    assert [frame["kind"] for frame in table.received if frame["t"] == "cmd"] == ["play"]


def test_a_marble_pressed_first_narrows_the_cards_and_sends_nothing(opened):
    view = {**VIEW, "legal": ["9C t18-t27", "9C t30-t39", "KS t18-t31", "4D t30-t26"]}
    table = FakeTable(view)
    page = opened(boot(view), table)
    heading(page, "Your turn: choose a card")
    assert page.locator("svg.board.quiet .marble.can").count() == 2
    assert page.locator("#hand.choosing li.off").count() == 1  # the ten
    marble(page, "t30").click()
    heading(page, "Your turn: which card for that marble?")
    off = "[...document.querySelectorAll('#hand li.off button')].map((b) => b.dataset.card)"
    assert page.evaluate(off) == ["10H", "KS"]
    labels = [card(page, name).get_attribute("aria-label").rpartition(", ")[2] for name in ("10H", "KS", "9C")]
    assert labels[:2] == ["cannot be played now", "does not move that marble"]
    assert card(page, "KS").get_attribute("aria-disabled") is None
    card(page, "9C").click()
    assert page.locator("#choices .choice").count() == 1
    card(page, "KS").click()  # another card is meant: the marble is put down
    heading(page, "Your turn: where does it go?")
    page.keyboard.press("Escape")
    marble(page, "t30").click()
    card(page, "9C").click()
    card(page, "9C").click()  # its only play with that marble
    heading(page, "Océane’s turn")
    assert [frame["kind"] for frame in table.received if frame["t"] == "cmd"] == ["play"]
    assert play_of(table) == ["9C t30-t39"]
