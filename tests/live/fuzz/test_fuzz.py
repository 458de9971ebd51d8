"""A sample of the fuzz in the default run; `python -m tests.live.fuzz 10000` runs all of it."""

import json
from typing import Any

import pytest

from games.live.messages import KINDS, BadFrame, Cmd, decode

from . import grammar
from .corpus import Corpus
from .grammar import Chance, Known
from .run import fuzz
from .world import World

FRAMES = 300
KNOWN = {"slugs": ["here", "there"], "view": {"decision": "0.1", "hand": ["9C"], "legal": ["9C t0-t9"]}, "seq": 9}


@pytest.mark.django_db(transaction=True)
async def test_hostile_frames_are_answered_or_close_the_socket_and_affect_nobody_else() -> None:
    from games.live.threads import in_thread

    report = await fuzz(await in_thread(World.build), "slice", FRAMES)
    answers, beside = report.driver.answers, report.driver.beside
    assert report.driver.sent >= FRAMES
    assert {"ack", "close 4002", "joined", "heard", "nak illegal", "http 400"} <= answers.keys()
    assert beside.plays >= report.driver.visits // 2
    assert beside.waited <= 60


def frames(seed: str, count: int, *, given: Any = ()) -> list[str | bytes]:
    chance, known = Chance(seed, given), Known(**KNOWN)
    return [grammar.frame(chance, known, first=number == 0) for number in range(count)]


def test_the_seed_or_the_drawn_choices_repeat_the_same_frames() -> None:
    assert frames("a", 50) == frames("a", 50) != frames("b", 50)
    chance, known = Chance("a"), Known(**KNOWN)
    made = [grammar.frame(chance, known) for _ in range(50)]
    again, known = Chance("b", chance.drawn), Known(**KNOWN)
    assert [grammar.frame(again, known) for _ in range(50)] == made


def test_the_grammar_writes_every_kind_of_command_and_of_fault() -> None:
    kinds, faults = set(), set()
    for frame in frames("all", 4000):
        try:
            found = decode(frame)
        except BadFrame as error:
            faults.add(error.field)
            continue
        if isinstance(found, Cmd):
            kinds.add(found.kind)
    assert kinds == set(KINDS)
    assert faults >= {"frame", "t", "id", "turn", "kind", "args", "table", "as", "n", "have", "hash"}


def test_the_corpus_keeps_and_mutates_what_reached_new_lines() -> None:
    corpus = Corpus("a")
    assert corpus.next() == ()
    assert corpus.learn([1, 2, 3], {("a.py", 1)}) == 1
    assert corpus.learn([4, 5], {("a.py", 1)}) == 0
    made = [list(corpus.next()) for _ in range(50)]
    assert [] in made
    assert any(found and found != [1, 2, 3] for found in made)
    assert len(corpus) == 1


def test_a_frame_that_is_not_spoilt_is_json() -> None:
    chance, known = Chance("plain"), Known(**KNOWN)
    for make in (grammar.join, grammar.command, grammar.beat):
        for _ in range(100):
            assert isinstance(json.loads(grammar.written(make(chance, known))), dict)
