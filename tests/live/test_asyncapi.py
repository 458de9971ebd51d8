"""The AsyncAPI document is the one that is checked in, whole in itself, and as strict as the parser."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft7Validator

from games.live import asyncapi, messages
from games.live.messages import BadFrame, decode

from . import conforming

CMD: dict[str, Any] = {"t": "cmd", "id": "5f0c0001-6d1e-4a7e-9a51-3c1f5d2e9b01", "turn": "0.5"}
RIGHT: list[dict[str, Any]] = [
    {"t": "join", "table": "abcd2345", "as": "seat"},
    {"t": "join", "table": "a", "as": "referee", "epoch": 1, "since": 3, "hash": "0" * 16, "tab": "x_1", "aside": True},
    {"t": "hb", "n": 1, "have": 0, "hash": ""},
    {**CMD, "kind": "ready"},
    {**CMD, "kind": "ready", "args": {"share": "0" * 64}, "game": "abcd2345"},
    {**CMD, "kind": "play", "args": {"play": "7D t1-t8"}},
    {**CMD, "kind": "touch", "args": {"marble": "t12"}},
    {**CMD, "kind": "dispute", "args": {"kind": "talk", "text": "Une parole.\nEncore."}},
    {**CMD, "kind": "bury", "args": {"cards": "2H 2H RJ"}},
]
WRONG: list[dict[str, Any]] = [
    {"t": "join", "table": "abcd2345"},
    {"t": "join", "table": "ABCD", "as": "seat"},
    {"t": "join", "table": "abcd2345", "as": "captain"},
    {"t": "join", "table": "abcd2345", "as": "seat", "since": -1},
    {"t": "join", "table": "abcd2345", "as": "seat", "player": "x"},
    {"t": "hb", "n": 1, "have": 2**31, "hash": ""},
    {"t": "hb", "n": True, "have": 0, "hash": ""},
    {**CMD, "kind": "play"},
    {**CMD, "kind": "play", "args": {"play": "7D", "seat": "1"}},
    {**CMD, "kind": "win", "args": {}},
    {**CMD, "kind": "ready", "args": {"share": "0"}},
    {**CMD, "kind": "touch", "args": {"marble": "t12", "card": "7D"}},
    {**CMD, "kind": "phrase", "args": {"code": "hello"}},
    {**CMD, "kind": "ready", "seat": 1},
    {"t": "cmd", "id": "1", "turn": "0.5", "kind": "ready"},
]


def test_the_document_is_the_one_that_is_checked_in() -> None:
    assert asyncapi.path().read_text(encoding="utf-8") == asyncapi.text(), "run: python -m tests.live.renew_protocol"


def references(thing: Any) -> Iterator[str]:
    if isinstance(thing, dict):
        if "$ref" in thing:
            yield thing["$ref"]
        for inner in thing.values():
            yield from references(inner)
    elif isinstance(thing, list):
        for inner in thing:
            yield from references(inner)


def test_every_reference_leads_somewhere_and_every_schema_is_one() -> None:
    document = json.loads(asyncapi.stored())
    assert document["asyncapi"] == "3.0.0"
    for reference in references(document):
        place = document
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]
    for schema in document["components"]["schemas"].values():
        Draft7Validator.check_schema(schema)
    named = {one["$ref"] for operation in document["operations"].values() for one in operation["messages"]}
    assert {name.rsplit("/", 1)[-1] for name in named} == set(document["components"]["messages"])


@pytest.mark.parametrize("frame", RIGHT)
def test_what_the_parser_takes_the_document_describes(frame: dict[str, Any]) -> None:
    decode(json.dumps(frame))
    conforming.from_client(frame)


@pytest.mark.parametrize("frame", WRONG)
def test_what_the_parser_refuses_the_document_refuses(frame: dict[str, Any]) -> None:
    with pytest.raises(BadFrame):
        decode(json.dumps(frame))
    assert not conforming.is_from_client(frame)


def test_each_frame_of_the_server_is_described_and_one_with_more_is_not() -> None:
    frames = [
        messages.Ack(id="x", seq=3, dup=True),
        messages.Nak(id="x", code="frozen", why="referee", retry=True, seq=3, until=5),
        messages.Note("deploy", 5),
        messages.Who(seats=[{"name": "", "bot": "club", "online": True, "ready": False}], spectators=2),
    ]
    for frame in frames:
        told = json.loads(messages.encode(frame))
        conforming.from_server(told)
        with pytest.raises(AssertionError):
            conforming.from_server({**told, "hand": ["7D"]})
