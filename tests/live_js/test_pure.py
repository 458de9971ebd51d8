"""Hash, reducer, clock and notation of the table page, called from a browser."""

import hashlib
import json
import re

import pytest

from .harness import VIEW

pytestmark = pytest.mark.browser

# The frames of the protocol's example that change seat 1's view, with the hashes of docs/protocol.md.
SNAP_HASH = "8dc30bdc97dbcf95"
EXAMPLE = [
    ("d42db3c442147027", [{"seq": 413, "k": "touch", "d": {"seat": 1, "card": "9C"},
        "set": {"legal": ["9C t18-t27", "9C t30-t39"], "touched": {"card": "9C"}}}]),
    ("1fb7eb6db61065f7", [{"seq": 414, "k": "touch", "d": {"seat": 1, "marble": "t30"},
        "set": {"legal": ["9C t30-t39"], "touched": {"marble": "t30"}}}]),
    ("de54ee34cc4e7d6e", [{"seq": 415, "k": "play", "d": {"seat": 1, "play": "9C t30-t39"},
        "set": {"legal": None, "touched": None, "turn": 2, "decision": "0.415",
                "marbles": {"1": ["r", "r", "t18", "t39"], "2": ["r", "r", "r", "t54"]}, "count": [3, 3, 4, 4],
                "pile": "9C", "hand": ["10H", "4D", "KS"]},
        "fx": [["move", 1, "t30", "t39"], ["eaten", 2, "t39"]]}]),
    ("4cb93ee094327415", [
        {"seq": 416, "k": "play", "d": {"seat": 2, "play": "10S skip"},
         "set": {"phase": "forced", "turn": 3, "decision": "0.416", "count": [3, 3, 3, 4], "pile": "10S"},
         "fx": [["forced", 3]]},
        {"seq": 417, "k": "penalty", "d": {"seat": 0, "penalty": "talk", "at": 416, "by": "referee"},
         "set": {"owed": [1, 0, 0, 0]}},
        {"seq": 418, "k": "play", "d": {"seat": 3, "play": "burn 4C"},
         "set": {"phase": "blind", "turn": 0, "decision": "0.418", "count": [3, 3, 3, 3], "pile": "4C"}},
        {"seq": 419, "k": "play", "d": {"seat": 0, "play": "blind 7D", "chance": True},
         "set": {"phase": "play", "turn": 1, "decision": "0.419", "count": [2, 3, 3, 3], "owed": [0, 0, 0, 0], "pile": "7D",
                 "legal": ["10H skip", "10H t18-t28", "10H t39-t49", "4D t18-t14", "4D t39-t35", "KS t18-t31",
                           "KS t39-t52"]}},
    ]),
]  # fmt: skip


@pytest.mark.parametrize("text", ["", "abc", "é", "a" * 55, "b" * 56, "c" * 64, "d" * 1000, "☃ neige"])
def test_sha256_agrees_with_the_library(js, text):
    assert js("sha256.js", "m.sha256Hex(a[0])", text) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "value", [VIEW, {"é": "Océane 😀", "b": [1, True, "x\n\u007f"], "a": {}}, [], "", 0, [[], {"z": 1, "A": 2}]]
)
def test_canonical_json_is_the_servers(js, value):
    expected = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    assert js("reducer.js", "m.canonical(a[0])", value) == expected


@pytest.mark.parametrize(
    ("target", "patch", "expected"),
    [
        # RFC 7396, appendix A
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_merge_patch(js, target, patch, expected):
    assert js("reducer.js", "m.mergePatch(a[0], a[1])", target, patch) == expected


def test_a_patch_cannot_set_a_prototype(js):
    patched = "m.mergePatch({}, JSON.parse(a[0]))"
    told = f"[{patched}.seen === undefined, ({{}}).seen === undefined, {patched}.kept]"
    assert js("reducer.js", told, '{"__proto__": {"seen": 1}, "kept": 2}') == [True, True, 2]


def test_the_printed_example_comes_out_as_printed(js):
    frames = [
        {"t": "ev", "epoch": 0, "from": events[0]["seq"], "list": events, "clocks": {}, "now": 1, "hash": printed}
        for printed, events in EXAMPLE
    ]
    snap = {"t": "snap", "epoch": 0, "seq": 412, "you": {}, "view": VIEW, "clocks": {}, "now": 0, "hash": SNAP_HASH}
    fold = """(() => { let held = m.hold(a[0]); const out = [m.viewHash(held.view)];
        for (const frame of a[1]) { const r = m.applyEvents(held, frame); held = r.held; out.push([held.hash, r.trouble]); }
        return [out, held.seq, held.view.hand]; })()"""
    hashes, seq, hand = js("reducer.js", fold, snap, frames)
    assert hashes == [SNAP_HASH, *([printed, ""] for printed, _ in EXAMPLE)]
    assert (seq, hand) == (419, ["10H", "4D", "KS"])


def test_inconsistent_frames_are_named(js):
    snap = {"t": "snap", "epoch": 0, "seq": 412, "view": VIEW, "hash": SNAP_HASH}
    frame = {"t": "ev", "epoch": 0, "from": 413, "list": EXAMPLE[0][1], "hash": EXAMPLE[0][0]}
    ask = "(({held, steps, trouble}) => [held.seq, steps.length, trouble])(m.applyEvents(m.hold(a[0]), a[1]))"
    assert js("reducer.js", ask, snap, frame) == [413, 1, ""]
    assert js("reducer.js", ask, snap, {**frame, "list": EXAMPLE[1][1]}) == [412, 0, "gap"]
    assert js("reducer.js", ask, snap, {**frame, "epoch": 1}) == [412, 0, "gap"]
    assert js("reducer.js", ask, snap, {**frame, "hash": "0" * 16}) == [413, 1, "hash"]
    assert js("reducer.js", ask, {**snap, "seq": 413}, frame) == [413, 0, ""]  # received twice


def test_the_reducer_does_not_change_its_arguments(js):
    frozen = """(() => { const deep = (o) => { Object.values(o).forEach((v) => typeof v === "object" && v && deep(v));
        return Object.freeze(o); }; const view = deep(a[0]);
        return m.reduce(view, {set: {marbles: {"1": ["r"]}, legal: null}}).marbles["1"][0] + view.marbles["1"][3]; })()"""
    assert js("reducer.js", frozen, VIEW) == "rt30"


@pytest.mark.parametrize(
    ("ms", "text"), [(0, "0:00"), (1, "0:01"), (59_001, "1:00"), (161_000, "2:41"), (300_000, "5:00")]
)
def test_minutes(js, ms, text):
    assert js("clock.js", "m.minutes(a[0])", ms) == text


def test_the_running_seat_alone_loses_time(js):
    clocks = {"bank": [1000, 60_000], "run": 1, "opened": 5000, "due": 25_000}
    assert js("clock.js", "m.bankLeft(a[0], 1, 9000, 'play')", clocks) == 56_000
    assert js("clock.js", "m.bankLeft(a[0], 1, 99000, 'play')", clocks) == 0
    assert js("clock.js", "m.bankLeft(a[0], 0, 9000, 'play')", clocks) == 1000
    assert js("clock.js", "m.bankLeft(a[0], 1, 9000, 'forced')", clocks) == 60_000
    assert js("clock.js", "m.bankLeft({}, 1, 9000, 'play') === undefined") is True
    assert js("clock.js", "m.capLeft(a[0], 10000)", clocks) == {"left": 15_000, "share": 0.75}
    assert js("clock.js", "m.capLeft({bank: [1]}, 10000) === undefined") is True
    assert js("clock.js", "m.serverNow(1000, 50, 80)") == 1030


def test_every_text_of_the_page_is_a_plain_literal():
    """The message extractor only finds literals: gettext(variable) would never be translated."""
    from .harness import STATIC

    for file in sorted((STATIC / "live").rglob("*.js")):
        if file.name == "i18n.js":
            continue
        for call in re.finditer(r"\b(p?gettext|ngettext)\(\s*(.)", file.read_text(encoding="utf-8")):
            assert call.group(2) == '"', f"{file.name}: {call.group(0)}"
