"""Frames: valid and invalid ones, and that the page about them is up to date."""

import contextlib
import json
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from games.live.messages import MAX_BYTES, Ack, BadFrame, Beat, Cmd, Ev, Join, Nak, decode, encode
from games.live.schema import page
from tests.every import every

ID = "5f0c0001-6d1e-4a7e-9a51-3c1f5d2e9b01"
JOIN = {"t": "join", "table": "g7q2", "as": "seat", "epoch": 0, "since": 0, "hash": "", "tab": "b1"}
CMD = {"t": "cmd", "id": ID, "turn": "0.412", "kind": "touch", "args": {"card": "9C"}}
BEAT = {"t": "hb", "n": 88, "have": 415, "hash": "de54ee34cc4e7d6e"}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def test_the_frames_of_the_worked_example_are_read() -> None:
    assert decode(json.dumps(JOIN)) == Join(table="g7q2", as_="seat", tab="b1")
    assert decode(json.dumps(CMD)) == Cmd(id=ID, turn="0.412", kind="touch", args={"card": "9C"})
    assert decode(json.dumps(BEAT)) == Beat(n=88, have=415, hash="de54ee34cc4e7d6e")
    assert decode('{"t":"join","table":"g7q2","as":"spectator"}') == Join(table="g7q2", as_="spectator")


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("ready", {}),
        ("touch", {"marble": "t30"}),
        ("touch", {"marble": "r"}),
        ("play", {"play": "7C t12-t15 t20-t24"}),
        ("burn", {"card": "10H"}),
        ("exchange", {"card": "JK"}),
        ("phrase", {"code": "good_game"}),
        ("take_back", {}),
        ("resign", {}),
        ("dispute", {}),
        ("dispute", {"kind": "talk"}),
        ("dispute", {"text": "Elle a dit « garde le roi ».\nDeux fois."}),
        ("dispute", {"kind": "other", "text": "é" * 280}),
    ],
)
def test_every_kind_of_command_is_read(kind: str, args: dict[str, str]) -> None:
    frame = decode(json.dumps(CMD | {"kind": kind, "args": args}))
    assert isinstance(frame, Cmd)
    assert frame.args == args


@every(
    "frame, field",
    [
        (JOIN | {"seat": 1}, "seat"),
        (JOIN | {"as": "organiser"}, "as"),
        (JOIN | {"epoch": -1}, "epoch"),
        (JOIN | {"epoch": True}, "epoch"),
        (JOIN | {"since": 2**31}, "since"),
        (JOIN | {"hash": "xyz"}, "hash"),
        (JOIN | {"table": "../etc"}, "table"),
        (CMD | {"id": ID.upper()}, "id"),
        (CMD | {"turn": "412"}, "turn"),
        (CMD | {"turn": 412}, "turn"),
        (CMD | {"kind": "rule"}, "kind"),
        (CMD | {"kind": "dispute"}, "args"),
        (CMD | {"kind": "dispute", "args": {"kind": "revenge"}}, "kind"),
        (CMD | {"kind": "dispute", "args": {"text": "x" * 281}}, "text"),
        (CMD | {"kind": "dispute", "args": {"text": "a\x00b"}}, "text"),
        (CMD | {"kind": "dispute", "args": {"text": "\ud83d"}}, "text"),
        (CMD | {"kind": "dispute", "args": {"text": 7}}, "text"),
        (CMD | {"args": {"card": "9C", "marble": "t3"}}, "args"),
        (CMD | {"args": {"card": "11C"}}, "card"),
        (CMD | {"args": {"card": ["9C"]}}, "card"),
        (CMD | {"args": []}, "args"),
        (CMD | {"kind": "play", "args": {"play": "x" * 201}}, "play"),
        (CMD | {"kind": "play", "args": {"play": "9C\u2028"}}, "play"),
        (CMD | {"kind": "phrase", "args": {"code": "you fool"}}, "code"),
        (BEAT | {"have": 1.0}, "have"),
        (BEAT | {"n": None}, "n"),
        ({"t": "nonce", "step": "open", "value": "00"}, "t"),
        ({"t": ["cmd"]}, "t"),
        ({}, "t"),
    ],
)
def test_a_bad_frame_is_refused_with_its_field(frame: dict[str, object], field: str) -> None:
    with pytest.raises(BadFrame) as caught:
        decode(json.dumps(frame))
    assert caught.value.field == field
    assert caught.value.rule


def test_size_is_counted_in_bytes() -> None:
    text = json.dumps(BEAT | {"hash": "é" * 2100}, ensure_ascii=False)
    assert len(text) < MAX_BYTES < len(text.encode())
    with pytest.raises(BadFrame, match="4096"):
        decode(text)


@given(st.text(max_size=200) | json_values.map(json.dumps))
def test_any_text_is_a_frame_or_a_bad_frame(text: str) -> None:
    assert_read_or_refused(text)


@given(
    st.sampled_from([JOIN, CMD, BEAT]),
    st.dictionaries(
        st.sampled_from(["t", "id", "turn", "kind", "args", "n", "have", "hash", "table", "as"]),
        json_values,
        max_size=3,
    ),
)
def test_a_frame_with_something_changed_is_a_frame_or_a_bad_frame(
    frame: dict[str, object], changes: dict[str, object]
) -> None:
    assert_read_or_refused(json.dumps(frame | changes))


def assert_read_or_refused(text: str) -> None:
    """Any exception other than BadFrame fails the test."""
    with contextlib.suppress(BadFrame):
        assert isinstance(decode(text), Join | Cmd | Beat)


def test_frames_are_written_as_in_the_worked_example() -> None:
    assert encode(Ack(ID, 413)) == f'{{"t":"ack","id":"{ID}","seq":413}}'
    nak = Nak(ID, "illegal", "touched_marble", False, 414)
    assert encode(nak) == (f'{{"t":"nak","id":"{ID}","code":"illegal","why":"touched_marble","retry":false,"seq":414}}')
    assert json.loads(encode(Ev(0, 5, [], {}, 1, "")))["from"] == 5


def test_the_protocol_page_is_up_to_date() -> None:
    text = (Path(settings.ROOT) / "docs" / "protocol.md").read_text(encoding="utf-8")
    assert page() in text, "run: python -m tests.live.renew_protocol"
