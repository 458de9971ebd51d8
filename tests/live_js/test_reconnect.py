"""The next action of the connection: one case for each numbered action."""

import re

import pytest

from .harness import STATIC

pytestmark = pytest.mark.browser

NOW = 1_000_000
OPEN = {"socket": "open", "joined": True, "since": NOW - 60_000, "heard": NOW - 100, "pinged": NOW - 1000, "retryAt": 0,
        "tries": 0, "bad": 0, "online": True, "shortClock": False, "oldest": 0,
        "delayed": 0, "delayedAt": 0, "probed": 0}  # fmt: skip
CONNECTING = {**OPEN, "socket": "connecting", "joined": False, "since": NOW - 1000}
DELAYED = {**OPEN, "delayed": NOW - 9000, "delayedAt": NOW - 1000}
CLOSED = {**OPEN, "socket": "closed", "joined": False, "since": NOW - 100, "retryAt": NOW + 3000}
TICK = {"kind": "tick"}


def closed(code):
    return {"kind": "closed", "code": code, "random": 0.5}


CASES = [
    (1, OPEN, closed(4001), {"do": "wait", "say": "signed_out"}),
    (2, OPEN, closed(4003), {"do": "reload", "say": "seat_lost"}),
    (3, OPEN, closed(4010), {"do": "reload", "say": "new_version"}),
    (4, OPEN, closed(1012), {"do": "reconnect", "in": 1500, "say": "restart"}),
    (5, OPEN, closed(4008), {"do": "reconnect", "in": 8000, "say": "rate"}),
    (6, {**OPEN, "bad": 2}, closed(4002), {"do": "wait", "say": "broken"}),
    (7, OPEN, closed(4002), {"do": "reconnect", "in": 8000, "say": "lost"}),
    (8, {**OPEN, "online": False}, closed(1006), {"do": "wait", "say": "offline"}),
    (9, {**OPEN, "tries": 2}, closed(1006), {"do": "reconnect", "in": 1000, "say": "lost"}),
    (10, {**OPEN, "joined": False}, {"kind": "opened"}, {"do": "rejoin"}),
    (11, OPEN, {"kind": "gap"}, {"do": "rejoin"}),
    (11, OPEN, {"kind": "hash"}, {"do": "rejoin"}),
    (12, CLOSED, {"kind": "gap"}, {"do": "wait"}),
    (13, OPEN, {"kind": "offline"}, {"do": "wait", "say": "offline"}),
    (14, OPEN, {"kind": "visible"}, {"do": "ping"}),
    (14, OPEN, {"kind": "online"}, {"do": "ping"}),
    (15, CLOSED, {"kind": "visible"}, {"do": "reconnect", "in": 0}),
    (16, CONNECTING, {"kind": "visible"}, {"do": "wait"}),
    (17, {**CONNECTING, "since": NOW - 5000, "tries": 1}, {**TICK, "random": 1}, {"do": "reconnect", "in": 1000}),
    (18, {**CONNECTING, "oldest": NOW - 2000}, TICK, {"do": "post"}),
    (19, CONNECTING, TICK, {"do": "wait"}),
    (20, {**CLOSED, "oldest": NOW - 2000}, TICK, {"do": "post"}),
    (21, {**CLOSED, "retryAt": NOW}, TICK, {"do": "reconnect", "in": 0}),
    (22, CLOSED, TICK, {"do": "wait"}),
    (22, {**CLOSED, "retryAt": NOW, "online": False}, TICK, {"do": "wait"}),
    (23, {**OPEN, "heard": NOW - 11_000}, TICK, {"do": "reconnect", "in": 0, "say": "lost"}),
    (24, {**OPEN, "joined": False}, TICK, {"do": "wait"}),
    (25, {**OPEN, "oldest": NOW - 2000}, TICK, {"do": "resend"}),
    (26, {**OPEN, "pinged": NOW - 5000}, TICK, {"do": "ping"}),
    (26, {**OPEN, "pinged": NOW - 2500, "shortClock": True}, TICK, {"do": "ping"}),
    (27, {**OPEN, "pinged": NOW - 2500}, TICK, {"do": "wait"}),
    (27, {**OPEN, "oldest": NOW - 1999}, TICK, {"do": "wait"}),
    (28, OPEN, closed(4004), {"do": "wait", "say": "gone"}),
    (29, DELAYED, TICK, {"do": "probe"}),
    (29, {**DELAYED, "oldest": NOW - 2000}, TICK, {"do": "probe"}),
    (27, {**DELAYED, "delayed": NOW - 8999}, TICK, {"do": "wait"}),
    (27, {**DELAYED, "probed": NOW - 4999}, TICK, {"do": "wait"}),
    (27, {**DELAYED, "delayedAt": NOW - 7000, "delayed": NOW - 20_000}, TICK, {"do": "wait"}),
    (30, DELAYED, {"kind": "elsewhere", "random": 0.5}, {"do": "reconnect", "in": 1500, "say": "restart"}),
    (31, CLOSED, {"kind": "elsewhere"}, {"do": "wait"}),
]


@pytest.mark.parametrize(("number", "state", "signal", "expected"), CASES)
def test_action(js, number, state, signal, expected):
    action = js("reconnect.js", "m.decide(a[0], a[1])", state, {**signal, "now": NOW})
    assert action == {"n": number, **expected}


def test_every_number_has_a_case():
    text = (STATIC / "live" / "reconnect.js").read_text(encoding="utf-8")
    numbers = {int(n) for n in re.findall(r"(?:\bn: |wait\()(\d+)", text)}
    assert numbers == {case[0] for case in CASES}


def test_the_pause_doubles_to_eight_seconds_with_full_jitter(js):
    assert js("reconnect.js", "[0, 1, 2, 3, 4, 5, 60].map((n) => m.pause(n, 1))") == [
        500,
        1000,
        2000,
        4000,
        8000,
        8000,
        8000,
    ]
    assert js("reconnect.js", "m.pause(4, 0)") == 0
    assert js("reconnect.js", "m.pause(4, 0.25)") == 2000
