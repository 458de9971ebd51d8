"""The settings of a table's page, and what is heard: at once, at the next load, by keyboard and for axe."""

import json
from pathlib import Path

import pytest
from django.conf import settings

from games.selectors.preferences import SETTINGS

from .harness import NOW, VIEW, FakeTable, boot, snap, until

pytestmark = pytest.mark.browser

SOUNDS = {path.stat().st_size: path.stem for path in sorted((settings.ROOT / "static/sounds").glob("*.wav"))}
# What the page would sound is written down: files are told apart by their lengths.
RECORDER = """
    globalThis.heard = []; globalThis.shaken = [];
    navigator.vibrate = (pattern) => globalThis.shaken.push(pattern);
    const node = () => ({gain: {}, connect: (next) => next});
    globalThis.AudioContext = class {
      state = "suspended";
      resume() { this.state = "running"; return Promise.resolve(); }
      decodeAudioData(bytes) { return Promise.resolve({bytes: bytes.byteLength}); }
      createGain() { return node(); }
      createBufferSource() { return Object.assign(node(), {start() { heard.push(this.buffer.bytes); }}); }
    };
"""
TURNED = {k: v for k, v in VIEW.items() if k not in ("legal", "touched")}
THEIRS = TURNED | {"turn": 0, "decision": "0.411"}
MINE = VIEW | {"turn": 1}


def heard(page):
    return [SOUNDS[size] for size in page.evaluate("heard")]


def chosen(page, **values):
    """Let the device keep settings before the page is read."""
    page.add_init_script(RECORDER)
    page.add_init_script(f"localStorage.setItem('tock.settings', JSON.stringify({json.dumps(values)}))")


def at_table(opened, js_site, view, table, **values):
    page = opened(boot(view), table, visit=False)
    chosen(page, **values)
    page.goto(f"{js_site.url}/table")
    until(page, "!document.getElementById('settings-button').hidden")
    return page


def settled(page, table, seq):
    until(page, f"tockTable.link.held.seq === {seq} && tockTable.waiting === 0")
    page.wait_for_timeout(60)


@pytest.mark.parametrize(
    ("event", "cue"),
    [
        ({"k": "play", "fx": [["move", 1, "t30", "t39"], ["eaten", 2, "t39"]]}, "eaten"),
        ({"k": "play", "fx": [["move", 1, "t50", "h2"], ["eaten", 2, "t52"]]}, "home"),
        ({"k": "play", "fx": [["move", 1, "h1", "h2"]]}, ""),
        ({"k": "play", "fx": [["jump", 1, "t7", "t43"], ["home", 1]]}, "home"),
        ({"k": "play", "fx": [["exchanged"]]}, "exchange"),
        ({"k": "dispute", "d": {"seat": 1}}, "referee"),
        ({"k": "touch", "d": {"seat": 1, "card": "9C"}}, ""),
        ({"k": "touch", "d": {"seat": 1, "card": "9C", "by": "referee"}}, "referee"),
        ({"k": "rewind", "d": {"by": "seat", "seat": 1}}, ""),
        ({"k": "rewind", "d": {"by": "referee"}}, "referee"),
        ({"k": "phrase", "d": {"seat": 1, "code": "thanks"}}, ""),
    ],
)
def test_an_event_is_heard_for_the_weightiest_thing_in_it(js, event, cue):
    assert js("cues.js", "m.cueOf(a[0])", event) == cue


def test_turn_eaten_and_low_time_are_heard_once_and_not_after_a_resync(opened, js_site):
    table = FakeTable(THEIRS)
    page = at_table(opened, js_site, THEIRS, table, sound="on", vibration="on")
    page.wait_for_timeout(100)
    page.locator("h1").click()  # the first press lets the page sound
    until(page, "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('.wav')).length === 6")
    fx = [["move", 0, "t16", "t18"], ["eaten", 1, "t18"]]
    table.say(table.event("play", {"seat": 0, "play": "2C t16-t18"}, MINE, fx))
    settled(page, table, 413)
    assert heard(page) == ["eaten", "turn"]
    assert page.evaluate("shaken") == [[120]]

    # Fifteen seconds are left: called, felt and heard once.
    due = {"clocks": {"bank": [1, 2, 3, 4], "run": 1, "opened": NOW, "due": NOW + 15000}, "now": NOW}
    for n in (7, 8):
        table.say(table.beat(n) | due)
        page.wait_for_timeout(350)
    assert heard(page) == ["eaten", "turn", "low"]

    # An act that leaves the decision, the same view as a snapshot, and the act after it.
    table.say(table.event("touch", {"card": "9C"}, table.touched({"card": "9C"})))
    table.say(snap(table.view, seq=table.seq))
    table.say(table.event("touch", {"marble": "t30"}, table.touched({"marble": "t30"})))
    settled(page, table, 415)
    assert heard(page) == ["eaten", "turn", "low"]

    # What happened meanwhile, as a snapshot with another decision, or as events of a frame that catches up.
    table.view, table.seq = VIEW | {"decision": "0.420"}, 420
    table.say(snap(table.view, seq=table.seq))
    settled(page, table, 420)
    page.evaluate("void (tockTable.link.state.joined = false)")  # the line is back, the join is not answered yet
    table.say(table.event("play", {"seat": 0, "play": "2C t16-t18"}, VIEW | {"decision": "0.421"}, fx))
    settled(page, table, 421)
    assert heard(page) == ["eaten", "turn", "low"]
    assert len(page.evaluate("shaken")) == 2

    # Many at once while the line stands, as at the first deal: one of the first opens the decision.
    fx = [fx, None, None, None, None]
    view = VIEW | {"decision": "0.422"}
    frames = [table.event("play", {"seat": 0, "play": "2C t16-t18"}, view | {"dealer": n % 2}, fx[n]) for n in range(5)]
    table.say(frames[0] | {"list": [frame["list"][0] for frame in frames], "hash": frames[4]["hash"]})
    settled(page, table, 426)
    assert heard(page) == ["eaten", "turn", "low", "turn"]


def test_a_page_is_silent_before_a_press_and_while_sound_is_off(opened, js_site):
    table = FakeTable(THEIRS)
    page = at_table(opened, js_site, THEIRS, table, sound="on")
    table.say(table.event("play", {"seat": 0, "play": "2C t16-t18"}, MINE))
    settled(page, table, 413)
    assert heard(page) == []
    page.locator("#settings-button").click()
    page.locator("#settings[data-bound] #setting-sound").press("Space")
    assert page.evaluate("document.documentElement.dataset.sound") == "off"
    page.keyboard.press("Escape")
    after = VIEW | {"decision": "0.414"}
    table.say(table.event("play", {"seat": 0, "play": "3C t16-t19"}, after, [["eaten", 1, "t18"]]))
    settled(page, table, 414)
    assert heard(page) == []


def test_every_setting_can_be_set_by_keyboard_and_holds_at_once_and_at_the_next_load(opened, js_site):
    from axe_playwright_python.sync_playwright import Axe

    page = opened(boot(VIEW), FakeTable(VIEW), screen={"width": 360, "height": 640}, bypass_csp=True)
    page.add_init_script(RECORDER)
    page.reload()
    until(page, "!document.getElementById('settings-button').hidden")
    page.locator("#settings-button").press("Enter")
    until(page, "document.getElementById('settings').open")
    box = page.locator("#settings")
    assert Axe().run(page).violations_count == 0
    assert sorted(box.locator("[name]").evaluate_all("(all) => all.map((one) => one.name)")) == sorted(
        setting.name for setting in SETTINGS
    )
    low = box.locator("button:visible, [name]:visible").evaluate_all(
        "(all) => all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML)"
    )
    assert low == []
    sent = []
    page.route(
        "**/api/table-preferences", lambda route: (sent.append(route.request.post_data_json), route.fulfill(json={}))
    )
    page.evaluate("void (document.getElementById('settings').dataset.account = '/api/table-preferences')")
    for setting in SETTINGS:
        control = box.locator(f"[name={setting.name}]")
        if setting.words is None:
            control.press("Space")
        else:
            control.select_option(setting.values[0])
    effects = """() => ({
      words: getComputedStyle(document.querySelector('#hand .card-effect')).display,
      letters: getComputedStyle(document.querySelector('#board .marble')).getPropertyValue('--letter-shown'),
      colours: getComputedStyle(document.documentElement).getPropertyValue('--suit-d'),
      panel: getComputedStyle(document.documentElement).getPropertyValue('--m-panel'),
      lies: document.querySelector('#board svg').classList.contains('lies'),
    })"""
    until(page, "document.querySelector('#board svg').classList.contains('lies')")
    assert heard(page)[0] == "turn"
    first = page.evaluate(effects)
    assert first["words"] == "none"
    assert first["letters"] == "0"
    assert first["panel"] == "0ms"
    kept = page.evaluate("JSON.parse(localStorage.getItem('tock.settings'))")
    assert kept == {s.name: s.values[0] if s.words else {"on": "off", "off": "on"}[s.default] for s in SETTINGS}

    assert {name: value for one in sent for name, value in one.items()} == kept

    # At the next load the root has them before anything is painted: when its body begins.
    page.add_init_script(
        """new MutationObserver((_, watch) => {
          if (!document.body) return;
          globalThis.atFirst = {...document.documentElement.dataset};
          watch.disconnect();
        }).observe(document, {childList: true, subtree: true});"""
    )
    page.reload()
    assert page.evaluate("atFirst") == kept
    until(page, "document.querySelector('#board svg').classList.contains('lies')")
    assert page.evaluate(effects) == first


def test_the_board_turns_with_everything_on_it(opened):
    page = opened(boot(VIEW), FakeTable(VIEW))
    until(page, "!document.getElementById('settings-button').hidden")
    where = """tockTable.board.nodes
        .map((one) => [one.seat, one.place, one.slot, one.node.getAttribute('transform')].join()).sort()"""
    before = page.evaluate(where)
    turn = "(value) => {document.documentElement.dataset.turned = value; document.dispatchEvent(new Event('settings'))}"
    page.evaluate(turn, "off")
    until(page, "document.querySelector('#board svg').classList.contains('lies')")
    x, y = page.evaluate("tockTable.board.geometry.places.t0")
    assert y > 5 > 0 > x  # the start of seat A is at the bottom now
    hole = "document.elementsFromPoint(...a).some((one) => one.matches('.board-start.seat-colour-a'))"
    spot = page.evaluate(
        """([x, y]) => { const p = new DOMPoint(x, y).matrixTransform(document.querySelector('#board svg').getScreenCTM());
        return [p.x, p.y]; }""",
        [x, y],
    )
    assert page.evaluate(f"(a) => {hole}", spot)
    page.locator("[data-card='9C']").first.click()
    page.locator("[data-card='9C']").first.click()
    assert page.locator("#board .marble[role=button]").count() == 2
    assert page.locator("#board .target[role=button]").count() == 2
    page.evaluate(turn, "on")
    until(page, "!document.querySelector('#board svg').classList.contains('lies')")
    assert page.evaluate(where) == before


def test_a_move_is_released_after_a_question_where_it_is_chosen(opened, js_site):
    table = FakeTable(VIEW)
    page = at_table(opened, js_site, VIEW, table, confirm="on")
    for press in ["[data-card='9C']", "[data-card='9C']", "[data-key='m:t30']"]:
        page.locator(press).first.click()
        page.wait_for_timeout(150)
    page.locator("#choices [data-key^='t:']").first.click()
    assert table.commands("play") == []
    page.locator("[data-key=confirm]").click()
    page.wait_for_timeout(150)
    assert table.commands("play") == [{"play": "9C t30-t39"}]


def test_a_question_answered_with_no_binds_nobody(opened, js_site):
    table = FakeTable(VIEW)
    page = at_table(opened, js_site, VIEW, table, confirm="on")
    page.locator("[data-card='9C']").first.click()
    page.locator("#choices [data-key='t:t30-t39']").click()
    page.get_by_role("button", name="Change").click()
    page.locator("[data-card='KS']").first.click()  # the nine was never laid
    page.locator("#choices [data-key='t:t30-t7']").wait_for()
    page.locator("[data-card='10H']").first.click()
    page.locator("#choices [data-key=skip]").click()
    page.locator("#choices [data-key=confirm]").wait_for()
    assert [frame["kind"] for frame in table.received if frame["t"] == "cmd"] == []


def test_phrases_are_offered_around_the_game_and_can_be_hidden(opened, js_site):
    over = {k: v for k, v in VIEW.items() if k not in ("legal", "hand")} | {
        "phase": "over",
        "result": {"ranks": [1, 0], "reason": "resigned"},
    }
    table = FakeTable(VIEW)
    page = at_table(opened, js_site, VIEW, table, phrases="on")
    assert not page.locator("#phrases").is_visible()
    table.say(table.event("resign", {"seat": 0}, over))
    settled(page, table, 413)
    table.say(table.event("phrase", {"seat": 2, "code": "good_game"}, over))
    settled(page, table, 414)
    said = page.locator("#plays .phrase")
    assert said.inner_text().strip() == "Océane: “Good game!”"
    assert page.locator("#said").inner_text() == "Océane: “Good game!”"
    page.evaluate("void (document.documentElement.dataset.phrases = 'off')")
    assert not said.is_visible()
    table.say(table.event("phrase", {"seat": 0, "code": "thanks"}, over))
    settled(page, table, 415)
    assert page.locator("#said").inner_text() == "Océane: “Good game!”"
    page.locator("#phrases button").first.click()
    page.wait_for_timeout(100)
    assert table.commands("phrase") == [{"code": "good_game"}]
    assert page.locator("#phrases button").first.is_disabled()


def test_a_browser_that_keeps_nothing_says_so_and_plays_on(opened):
    page = opened(boot(VIEW), FakeTable(VIEW))
    page.evaluate(
        """() => {
          const kept = Storage.prototype.setItem;
          Storage.prototype.setItem = function (...pair) {
            if (globalThis.full) throw new Error("full");
            kept.apply(this, pair);
          };
          globalThis.full = true;
        }"""
    )
    page.locator("#settings-button").click()
    page.locator("#settings[data-bound] #setting-colours").click()
    until(page, "document.documentElement.dataset.colours === 'on'")
    assert "keeps nothing" in page.locator("#settings-said").inner_text()
    page.evaluate(
        """() => {
          globalThis.full = false;
          document.getElementById("settings").dataset.account = "/api/table-preferences";
          globalThis.fetch = () => Promise.resolve(new Response("", {status: 503}));
        }"""
    )
    page.locator("#setting-colours").click()
    until(page, "document.getElementById('settings-said').textContent.includes('could not be kept')")


def test_each_sound_is_small():
    assert sorted(SOUNDS.values()) == ["eaten", "exchange", "home", "low", "referee", "turn"]
    assert max(SOUNDS) <= 10_000
    assert all(
        Path(settings.ROOT / f"static/sounds/{name}.wav").read_bytes()[:4] == b"RIFF" for name in SOUNDS.values()
    )


AWAY = """
    globalThis.shown = []; globalThis.shut = 0;
    let hidden = true;
    Object.defineProperty(Document.prototype, "hidden", {get: () => hidden});
    Object.defineProperty(Document.prototype, "visibilityState", {get: () => (hidden ? "hidden" : "visible")});
    globalThis.look = () => { hidden = false; document.dispatchEvent(new Event("visibilitychange")); };
    globalThis.Notification = {permission: "granted"};
    const registration = {
      pushManager: {getSubscription: async () => ({})},
      showNotification: async (title, {body, tag, data}) => { shown.push([title, body, tag, data]); },
      getNotifications: async () => [{close: () => { globalThis.shut += 1; }}],
    };
    Object.defineProperty(navigator, "serviceWorker",
      {value: {ready: Promise.resolve(registration), register: async () => registration}});
"""


@pytest.mark.parametrize("wanted", [True, False])
def test_a_page_that_is_not_in_front_says_that_it_is_the_own_turn_where_that_is_wanted(opened, js_site, wanted):
    table = FakeTable(THEIRS)
    page = opened(boot(THEIRS), table)
    asked = []
    page.route("**/notices/turns/", lambda route: (asked.append(1), route.fulfill(json={"wanted": wanted})))
    page.add_init_script(AWAY)
    page.reload()
    until(page, "!document.getElementById('settings-button').hidden")
    table.say(table.event("play", {"seat": 0, "play": "2C t16-t18"}, MINE))
    settled(page, table, 413)
    if wanted:
        until(page, "shown.length === 1")
        title, _body, tag, address = page.evaluate("shown")[0]
        assert (title, tag) == ("Tock League", f"turn:{VIEW['game']}")
        assert address == page.evaluate("location.pathname")
        page.evaluate("look()")
        until(page, "shut === 1")
    else:
        page.wait_for_timeout(100)
        assert page.evaluate("shown") == []
    assert asked == [1]
