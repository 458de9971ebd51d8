"""kill -9 at exact points of a play and of a group commit: a retry always gets the same answer.

A process of our own (`killed`) carries the commands out and dies at the point: after each statement, on both sides of
the commit, before and between the answers. Then a new process gets the same commands, and this one after it.
"""

import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from django.db import connection

from games import store
from games.permissions import Person
from games.selectors import replays
from games.services import play
from tests.games.conftest import Sat
from tests.runs import ROOT

from .killed import AFTER_COMMIT, ANSWER, BEFORE_COMMIT, STATEMENT

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and kill -9"),
    pytest.mark.both_databases,
]
NOWHERE = ("nowhere", 1)
Asked = dict[str, Any]
Answers = dict[str, dict[str, Any]]


class Mortal:
    """The process that forks one child for each case."""

    def __init__(self) -> None:
        environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tock_league.settings.test"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.live.killed", str(connection.settings_dict["NAME"])],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._line() == "ready"

    def _line(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def run(self, asked: Sequence[Asked], point: tuple[str, int]) -> tuple[int, Answers]:
        """Carry out `asked`, the first of them alone; return the signal that ended the child, and its answers by id."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"asked": asked, "point": point}) + "\n")
        self.process.stdin.flush()
        ended, answers = self._line()
        return ended, {answer["id"]: answer for answer in answers}

    def stop(self) -> None:
        self.process.communicate(timeout=20)


@pytest.fixture(scope="module")
def process(django_db_setup: None) -> Iterator[Mortal]:
    """The process, started once for all points."""
    mortal = Mortal()
    yield mortal
    mortal.stop()


class Tables:
    """Tables in the middle of their games, and the commands of their next players."""

    def __init__(self, open_table: Callable[..., Sat], count: int) -> None:
        self.tables = [open_table(name=f"Table {number}") for number in range(count)]
        for sat in self.tables:
            sat.begin()
        # Always the first command, alone, and refused: what arrives meanwhile waits together.
        self.first = self._ask(self.tables[0], 0, "0.1", "ready", {})
        assert play.submit_one(request_of(self.first)).code == "stale_turn"

    @staticmethod
    def _ask(sat: Sat, seat: int, turn: str, kind: str, args: Mapping[str, str]) -> Asked:
        return {
            "table_id": sat.table.pk,
            "seat": seat,
            "id": str(uuid.uuid4()),
            "turn": turn,
            "kind": kind,
            "args": dict(args),
            "by": sat.players[seat].pk,
        }

    def asked(self) -> list[Asked]:
        """Return the first command, and a play of each table."""
        return [self.first, *(self._play(sat) for sat in self.tables)]

    def _play(self, sat: Sat) -> Asked:
        state = sat.state
        seat = min(state.to_act)
        kind, args = ("play", {"play": sat.choose(seat)})
        if state.phase == "give":
            kind, args = "exchange", {"card": args["play"].removeprefix("give ")}
        return self._ask(sat, seat, state.decision_id, kind, args)

    def rows(self) -> dict[str, int]:
        """Return seq by command id, of all rows that a command wrote."""
        return {row.command_id: row.seq for sat in self.tables for row in store.load(sat.game.pk) if row.command_id}

    def judge(self) -> None:
        """Compare rows, chain and index."""
        for sat in self.tables:
            rows = store.load(sat.game.pk)
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
            ids = [row.command_id for row in rows if row.command_id]
            assert len(ids) == len(set(ids))
            assert replays.faults(sat.game) == []


def request_of(asked: Asked) -> play.Request:
    return play.Request(**asked | {"by": Person(player_id=asked["by"])})


def kill_and_ask_again(process: Mortal, tables: Tables, point: tuple[str, int]) -> tuple[bool, bool, Answers]:
    """Kill a process at the point and send the commands again; return whether it died there, whether all was written,
    its answers.
    """
    asked = tables.asked()
    ids = {one["id"] for one in asked[1:]}
    ended, told = process.run(asked, point)
    assert ended in (0, signal.SIGKILL), point
    written = ids & tables.rows().keys()
    assert written in (set(), ids), f"{point}: half of a group was written"
    assert told.keys() <= written, f"{point}: answered before the commit"
    tables.judge()
    survived, again = process.run(asked, NOWHERE)
    assert survived == 0
    assert again.keys() == ids, point
    rows = tables.rows()
    for id, answer in again.items():
        assert answer == {"id": id, "seq": rows[id], "dup": id in written, "code": ""}, point
        assert id not in told or told[id] | {"dup": True} == answer, point
    store.folded.clear()  # this process has empty caches, like one that has just started
    for answers in (play.submit_group([request_of(one) for one in asked[1:]]), [play.submit_one(request_of(asked[1]))]):
        for found in answers:
            assert found == play.Answer(found.id, again[found.id]["seq"], dup=True), point
    assert tables.rows() == rows, point
    return ended == signal.SIGKILL, bool(written), told


SINGLE, GROUP = 1, 3


@pytest.mark.parametrize(("tables", "fewest"), [(SINGLE, 4), (GROUP, 12)])
def test_killed_after_any_statement_nothing_is_written_and_a_retry_is_carried_out_once(
    process: Mortal, open_table: Callable[..., Sat], tables: int, fewest: int
) -> None:
    world, number = Tables(open_table, tables), 0
    while True:  # one play further each time
        number += 1
        died, written, told = kill_and_ask_again(process, world, (STATEMENT, number))
        if not died:
            break
        assert not written
        assert not told
    assert number > fewest, "the commands take more statements than that"
    world.judge()


@pytest.mark.parametrize(
    ("tables", "point", "written", "answered"),
    [
        (SINGLE, (BEFORE_COMMIT, 1), False, 0),
        (SINGLE, (AFTER_COMMIT, 1), True, 0),
        (SINGLE, (ANSWER, 1), True, 0),
        (GROUP, (BEFORE_COMMIT, 1), False, 0),
        (GROUP, (AFTER_COMMIT, 1), True, 0),
        (GROUP, (ANSWER, 1), True, 0),
        (GROUP, (ANSWER, 2), True, 1),
        (GROUP, (ANSWER, 3), True, 2),
    ],
)
def test_killed_around_the_commit_a_retry_gets_the_same_answer(
    process: Mortal,
    open_table: Callable[..., Sat],
    tables: int,
    point: tuple[str, int],
    written: bool,
    answered: int,
) -> None:
    world = Tables(open_table, tables)
    died, found, told = kill_and_ask_again(process, world, point)
    world.judge()
    assert died
    assert found is written
    assert len(told) == answered
