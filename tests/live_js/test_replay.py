"""The replay page: forward, back, from deal to deal, by link, from several points of view."""

from urllib.parse import unquote

import pytest

from .harness import NOW, VIEW, boot, snap, until

pytestmark = pytest.mark.browser

OPENING = {
    **{key: value for key, value in VIEW.items() if key not in ("legal", "hand", "pile")},
    "marbles": {
        "0": ["r", "r", "r", "r"],
        "1": ["r", "r", "r", "t18"],
        "2": ["r", "r", "r", "r"],
        "3": ["r", "r", "r", "t51"],
    },
    "deal": 0,
    "turn": 0,
    "decision": "0.3",
}
PLAYS = [
    (0, "KS out", {"marbles": {"0": ["r", "r", "r", "t0"]}, "fresh": [0], "turn": 1, "pile": "KS"}, [["out", 0, "t0"]]),
    (1, "9C t18-t27", {"marbles": {"1": ["r", "r", "r", "t27"]}, "turn": 2, "pile": "9C"}, [["move", 1, "t18", "t27"]]),
    (2, "burn 4C", {"turn": 3, "pile": "4C"}, []),
    (
        3,
        "QD t51-t63",
        {"marbles": {"3": ["r", "r", "r", "t63"]}, "turn": 0, "pile": "QD", "deal": 1},
        [["move", 3, "t51", "t63"], ["dealt", 4]],
    ),
    (
        0,
        "QH t0-t12",
        {"marbles": {"0": ["r", "r", "r", "t12"]}, "fresh": [], "turn": 1, "pile": "QH"},
        [["move", 0, "t0", "t12"]],
    ),
]


def frames(hands=False):
    """Return the record: a snap at seq 3, then one event a frame."""
    view = {**OPENING, "hands": {str(seat): ["KS", "9C"] for seat in range(4)}} if hands else OPENING
    out = [snap(view, seq=3, seat=None, clocks={})]
    for seq, (seat, play, patch, fx) in enumerate(PLAYS, 4):
        item = {"seq": seq, "k": "play", "d": {"seat": seat, "play": play}, "set": patch, "fx": fx}
        out.append({"t": "ev", "epoch": 0, "from": seq, "list": [item], "clocks": {}, "now": NOW, "hash": ""})
    return out


@pytest.fixture
def replay(opened, js_site):
    def show(address="", over=True, analysis="", routes=None, **options):
        asked = []
        data = boot(OPENING, seat=None, replay=True)
        end = {**OPENING, "phase": "over", "result": {"ranks": [0, 1], "reason": "played"}}
        data |= {"as": "all" if over else "spectator", "record": "/api/record"}
        data |= {"snap": snap(end if over else OPENING, seat=None), "analysis": analysis}
        page = opened(data, template="games/replay.html", visit=False, **options)

        def record(route):
            asked.append(unquote(route.request.url.split("as=")[1]))
            route.fulfill(json={"frames": frames(hands=asked[-1] == "all")})

        page.route("**/api/record*", record)
        for pattern, answer in (routes or {}).items():
            page.route(pattern, answer)
        page.goto(f"{js_site.url}/table{address}")
        until(page, "window.tockReplay && tockReplay.steps")
        return page, asked

    return show


def heading(page, text):
    page.get_by_role("heading", level=1, name=text, exact=True).wait_for()


def test_forward_back_and_to_the_ends(replay):
    page, asked = replay()
    assert asked == ["all"]
    heading(page, "Before the first play")
    assert page.get_by_role("button", name="Previous play").is_disabled()
    page.get_by_role("button", name="Next play").click()
    heading(page, "Play 1: Martine brings a marble out.")
    until(page, "tockReplay.board.nodeAt(0, 't0') !== undefined")
    page.get_by_role("button", name="Next play").click()
    heading(page, "Play 2: Réjean moves forward 9.")
    page.get_by_role("button", name="Previous play").click()
    heading(page, "Play 1: Martine brings a marble out.")
    until(page, "tockReplay.board.nodeAt(1, 't18') !== undefined")
    assert page.evaluate("location.hash") == "#4"
    page.get_by_role("button", name="Beginning").click()
    heading(page, "Before the first play")


def test_a_step_forward_is_heard_each_time_it_is_shown(replay):
    from .test_settings import RECORDER, heard

    page, _ = replay()
    page.evaluate(f"() => {{{RECORDER}}}")
    page.evaluate("void tockReplay.steps[tockReplay.at[1]].fx.push(['eaten', 2, 't0'])")
    page.locator("#settings-button").click()
    page.locator("#settings[open] #setting-sound").click()
    assert page.locator("#setting-confirm, #setting-turned, #setting-vibration").count() == 0
    until(page, "heard.length === 1")  # the sample
    page.keyboard.press("Escape")
    for _ in range(2):
        page.get_by_role("button", name="Next play").click()
        heading(page, "Play 1: Martine brings a marble out.")
        page.get_by_role("button", name="Previous play").click()
        heading(page, "Before the first play")
    until(page, "heard.length === 3")
    assert heard(page) == ["turn", "eaten", "eaten"]


def test_from_deal_to_deal(replay):
    page, _ = replay()
    page.get_by_role("button", name="Next deal").click()
    heading(page, "Play 4: Yvon moves forward 12. New deal: 4 cards each.")
    page.get_by_role("button", name="Next deal").click()
    heading(page, "Play 5: Martine moves forward 12.")
    assert page.get_by_role("button", name="Next play").is_disabled()


def test_a_link_names_play_and_point_of_view(replay):
    page, asked = replay("?as=seat:1#5")
    assert asked == ["seat:1"]
    heading(page, "Play 2: Réjean moves forward 9.")
    assert page.get_by_label("Seen by").input_value() == "seat:1"
    page.get_by_label("Seen by").select_option("all")
    until(page, "tockReplay.as === 'all' && document.querySelectorAll('.seat .seat-cards').length === 4")
    assert asked == ["seat:1", "all"]
    heading(page, "Play 2: Réjean moves forward 9.")
    assert page.evaluate("location.search + location.hash") == "?as=all#5"


def test_while_the_game_runs_there_is_one_point_of_view(replay):
    page, asked = replay("?as=seat:1", over=False)
    assert asked == ["spectator"]  # the server decides what this visitor may see, not the address
    assert page.locator("#as option").all_inner_texts() == ["A spectator"]


def test_the_list_is_a_way_to_every_play(replay):
    page, _ = replay()
    assert page.locator("#plays li").count() == 5
    page.locator("#plays a", has_text="9C t18-t27").click()
    heading(page, "Play 2: Réjean moves forward 9.")
    assert page.locator("#plays [aria-current=step]").inner_text().count("9C t18-t27") == 1


def test_by_keyboard_and_slider(replay):
    page, _ = replay()
    page.keyboard.press("ArrowRight")
    heading(page, "Play 1: Martine brings a marble out.")
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("End")
    heading(page, "Play 5: Martine moves forward 12.")
    assert (slider.get_attribute("aria-valuenow"), slider.get_attribute("aria-valuemax")) == ("5", "5")
    page.keyboard.press("Home")
    heading(page, "Before the first play")


def test_it_plays_by_itself_and_stops(replay):
    page, _ = replay()
    page.get_by_role("button", name="Play by itself").click()
    heading(page, "Play 1: Martine brings a marble out.")
    page.get_by_role("button", name="Pause").click()
    page.wait_for_timeout(1500)
    heading(page, "Play 1: Martine brings a marble out.")


def test_a_record_that_cannot_be_read_is_told(opened, js_site):
    data = boot(OPENING, seat=None, replay=True)
    page = opened(data, template="games/replay.html")
    page.get_by_text("The record could not be read.").wait_for()


def test_steps_follow_the_record(js):
    ask = """((pileOf) => m.stepsOf(a[0], pileOf).map((s) => [s.seq, s.view.turn, s.pile]))(
        (await import('/static/live/replay.js')).pileOf)"""
    steps = js("record.js", ask, frames())
    assert steps == [
        [3, 0, []],
        [4, 1, ["KS"]],
        [5, 2, ["KS", "9C"]],
        [6, 3, ["9C", "4C"]],
        [7, 0, ["4C", "QD"]],
        [8, 1, ["QD", "QH"]],
    ]
    assert js("record.js", "m.stops(m.stepsOf(a[0]))", frames()) == [0, 1, 2, 3, 4, 5]
    ask = """(async () => { const {marksOf} = await import('/static/live/replay.js'); const s = m.stepsOf(a[0]);
        return marksOf(s, m.stops(s)); })()"""
    marks = js("record.js", f"await {ask}", frames())
    assert marks == [{"kind": "s", "index": 1}, {"kind": "b", "index": 3}, {"kind": "deal", "index": 4}]


RULED = [
    (0, "play", {"play": "KS out"}, {"marbles": {"0": ["r", "r", "r", "t0"]}, "turn": 1, "pile": "KS"}),
    (
        2,
        "dispute",
        {},
        {"frozen": {"by": "call", "seat": 2, "seq": 5, "held": False, "until": 9}, "calls": [0, 0, 1, 0]},
    ),
    (2, "freeze", {"by": "call"}, {}),
    (1, "penalty", {"penalty": "talk", "at": 4, "by": "referee"}, {"owed": [0, 1, 0, 0]}),
    (0, "resume", {"by": "referee"}, {"frozen": None}),
    (1, "play", {"play": "blind 9C", "chance": True}, {"owed": [0, 0, 0, 0], "turn": 2, "pile": "9C"}),
    (2, "play", {"play": "burn 4C"}, {"turn": 3, "pile": "4C"}),
    (0, "rewind", {"to": 9, "by": "referee"}, {"turn": 2, "pile": "9C"}),
    (2, "play", {"play": "burn 5C"}, {"turn": 3, "pile": "5C"}),
]


def ruled_frames():
    out = [snap(OPENING, seq=3, seat=None, clocks={})]
    for seq, (seat, kind, detail, patch) in enumerate(RULED, 4):
        item = {"seq": seq, "k": kind, "d": {"seat": seat, **detail}, "set": patch}
        out.append({"t": "ev", "epoch": 0, "from": seq, "list": [item], "clocks": {}, "now": NOW, "hash": ""})
    return out


@pytest.fixture
def ruled(opened, js_site):
    """Give `ruled(possible, address)`: the replay of a game with a call, a penalty and a play taken back."""

    def show(possible=True, address=""):
        end = {**OPENING, "phase": "over", "result": {"ranks": [0, 1], "reason": "played"}}
        data = boot(OPENING, seat=None, replay=True, dispute="/games/g7q2/dispute/")
        data |= {"as": "all", "record": "/api/record", "snap": snap(end, seat=None)}
        page = opened(data, template="games/replay.html", visit=False)
        page.route("**/api/record*", lambda route: route.fulfill(json={"frames": ruled_frames()}))
        page.route("**/dispute/window/", lambda route: route.fulfill(json={"possible": possible}))
        page.goto(f"{js_site.url}/table{address}")
        until(page, "window.tockReplay && tockReplay.steps")
        return page

    return show


def test_calls_and_rulings_are_shown_and_marked_without_a_number_of_their_own(ruled):
    page = ruled()
    titles = []
    for _ in range(7):
        page.get_by_role("button", name="Next play").click()
        titles.append(page.locator("#heading").inner_text())
    assert titles == [
        "Play 1: Martine brings a marble out.",
        "Océane calls the referee.",
        "The referee rules: Réjean loses the next turn for talking, one card is burned blind.",
        "Play 2: Réjean burns a card at random: a penalty.",
        "Play 3: Océane burns a card.",
        "The referee takes back play 3.",
        "Play 4: Océane burns a card.",
    ]
    assert page.locator("#timeline .mark-flag").count() == 3
    assert page.locator("#plays .undone").inner_text().split("\n")[1:] == [
        "Océane burns a card.",
        "3 · burn 4C",
        "Taken back.",
    ]
    assert page.locator("#plays .undone").count() == 1
    assert page.evaluate("tockReplay.steps[tockReplay.at[tockReplay.index]].pile") == ["9C", "5C"]


def test_a_game_that_begins_at_a_position_begins_with_it(js):
    kinds = ["commit", "begin", "KS out", "deck 9C", "burn 4C"]
    steps = [
        {"seq": seq, "k": kind if " " not in kind else "play", "d": {"play": kind}} for seq, kind in enumerate(kinds)
    ]
    assert js("record.js", "m.stops(a[0])", steps) == [1, 2, 4]


def test_only_plays_are_counted_and_a_rewind_names_those_it_takes_back(js):
    """What `games.selectors.plays` counts: decks, draws, touches and acts have no number, not even the last step."""
    kinds = ["start", "deck 9C KS", "draw", "give ??", "KS out", "touch", "4C t1-t5", "rewind", "burn 4C", "resign"]
    steps = [
        {"seq": seq, "k": kind if " " not in kind and kind != "draw" else "play", "d": {"play": kind, "to": 4}}
        for seq, kind in enumerate(kinds)
    ]
    assert js("record.js", "m.numbersOf(a[0], a[0].map((_, i) => i))", steps) == [0, 0, 0, 1, 2, 2, 3, 3, 4, 4]
    assert js("record.js", "m.takenBack(a[0], a[0][7])", steps) == [3, 3]
    assert js("record.js", "m.takenBack(a[0], {seq: 7, d: {to: 6}})", steps) == [4, 3]


def test_the_table_strikes_out_plays_that_are_taken_back_whichever_comes_first(js):
    ask = """(() => { const list = document.createElement('ol');
        const tell = (e) => ({seq: e.seq, text: e.k, ruling: e.k === 'rewind'});
        const plays = new m.Plays(list, {tell}); for (const e of a[0]) plays.add(e);
        return [...list.querySelectorAll('.undone')].map((li) => li.dataset.seq); })()"""
    events = [{"seq": seq, "k": "play", "d": {}} for seq in (5, 6, 7, 9)]
    rewind = {"seq": 8, "k": "rewind", "d": {"to": 5}}
    for order in ([*events, rewind], [rewind, *events]):
        assert sorted(js("plays.js", ask, order)) == ["6", "7"]


def test_a_play_is_disputed_from_where_it_is_shown(ruled):
    page = ruled(address="#9")
    heading(page, "Play 2: Réjean burns a card at random: a penalty.")
    link = page.get_by_role("link", name="Dispute from this play")
    until(page, "document.getElementById('dispute')?.getAttribute('href') === '/games/g7q2/dispute/?seq=9'")
    page.get_by_role("button", name="Next play").click()
    until(page, "document.getElementById('dispute').getAttribute('href').endsWith('?seq=10')")
    assert link.bounding_box()["height"] >= 44


def test_a_reader_who_may_not_dispute_is_not_offered_it(ruled):
    page = ruled(possible=False)
    heading(page, "Before the first play")
    page.wait_for_timeout(200)
    assert page.get_by_role("link", name="Dispute from this play").count() == 0
