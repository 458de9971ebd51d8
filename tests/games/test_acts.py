"""The acts of a record: they are read back byte for byte, and nothing else is accepted as an act."""

import json
from dataclasses import fields

import pytest

from games.fold import BadRecord, Row, acts
from tests.every import every
from tock_league.demo import packing

# Bodies as in records since the first release, with the order of their keys.
STORED = [
    ("touch", '{"seat": 1, "card": "7S"}'),
    ("touch", '{"seat": 1, "marble": "t12", "by": "referee"}'),
    ("ready", '{"seat": 1, "share": "5f"}'),
    ("sharing", '{"until": 1790000420500}'),
    ("sharing", '{"until": 1790000420500, "round": 5}'),
    ("share", '{"seat": 1, "value": "0a"}'),
    ("beacon", '{"round": 5, "signature": "0a", "randomness": "5f"}'),
    ("beacon", '{"round": 5, "absent": true}'),
    ("shared", '{"withheld": [2, 3]}'),
    (
        "begin",
        '{"of": "g7q2", "seq": 40, "position": {"hands": [["KS"], []], "stock": ["4D"]}, "pile": "9C", "shown": ["AS", "9C"]}',
    ),
    ("phrase", '{"seat": 0, "code": "good_game"}'),
    ("timeout", '{"seat": 2, "n": 1}'),
    ("forfeit", '{"teams": [0, 2], "reason": "no_show"}'),
    ("forfeit", '{"teams": [1], "reason": "forfeit_ruling", "ranks": [0, 1]}'),
    ("resign", '{"seat": 3, "reason": "resigned", "ranks": [0, 1]}'),
    ("dispute", '{"seat": 0, "kind": "talk"}'),
    ("freeze", '{"by": "call", "seat": 0, "until": 1790000420500}'),
    ("freeze", '{"by": "referee", "until": 1790000420500}'),
    ("hold", '{"until": 1790000420500}'),
    ("hold", '{"until": 1790000420500, "again": true}'),
    ("free", '{"until": 1790000420500}'),
    ("mark", '{"seq": 40, "why": "no_referee"}'),
    ("resume", '{"by": "clock"}'),
    ("penalty", '{"seat": 1, "penalty": "talk", "at": 12, "by": "referee"}'),
    ("warning", '{"seat": 1, "by": "referee"}'),
    ("adjust", '{"seat": 1, "ms": -20000, "by": "referee"}'),
    ("credit", '{"ms": 5000, "back": 1790000420500, "why": "outage", "seat": 3}'),
    ("credit", '{"ms": 5000, "back": 1790000420500, "why": "late"}'),
    ("rewind", '{"to": 31, "by": "referee"}'),
    ("seat_view", '{"seat": 1, "by": "referee"}'),
    ("cap", '{"call": "deal"}'),
    ("extra", '{"tie": "next_home", "counts": [3, 3]}'),
    ("time", '{"counts": [5, 3], "ranks": [0, 1]}'),
]


def row(code: str, body: dict[str, object]) -> Row:
    return Row(seq=7, kind="act", code=code, body=body, actor="system", at=0)


@every("code, text", STORED)
def test_a_stored_body_is_written_back_unchanged(code: str, text: str) -> None:
    act = acts.read(row(code, json.loads(text)))
    assert act.word == code
    assert json.dumps(acts.body(act)) == text


def test_every_act_of_whole_games_is_written_back_unchanged() -> None:
    seen = {code for code, _text in STORED}
    for game in list(packing.load().values())[:3]:
        for each in packing.unpack(game, 0).rows:
            if each.kind == "act":
                assert json.dumps(acts.body(acts.read(each))) == json.dumps(each.body)
                seen.add(each.code)
    assert seen | {"give_sealed"} == set(acts.KINDS)


def test_told_has_only_keys_of_the_act_and_no_hidden_card() -> None:
    for kind in acts.KINDS.values():
        assert set(kind.told) <= {field.name for field in fields(kind)}
    hidden = acts.GiveSealed(seat=1, card="KH")
    assert (acts.body(hidden), acts.told(hidden)) == ({"seat": 1, "card": "KH"}, {"seat": 1})


def test_an_invalid_act_is_refused_with_its_row() -> None:
    with pytest.raises(BadRecord, match="row 7: unknown act dance"):
        acts.read(row("dance", {}))
    with pytest.raises(BadRecord, match=r"row 7: timeout: .*'n'"):
        acts.read(row("timeout", {"seat": 1}))
    with pytest.raises(BadRecord, match="row 7: unknown act play"):
        acts.read(row("play", {"seat": 1, "play": "AS out"}))


def test_an_unknown_key_is_ignored() -> None:
    assert acts.read(row("ready", {"seat": 1, "mood": "good"})) == acts.Ready(seat=1)
