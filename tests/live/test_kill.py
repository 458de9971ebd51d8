"""`kill -9` of the server between two plays, then a restart: every acknowledged play is there and the table goes on."""

import http.cookiejar
import json
import re
import sqlite3
import time
import urllib.request
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.plant.serving import serving

ROWS = """
SELECT event.seq, event.body, event.command_id FROM games_gameevent AS event
JOIN games_game AS game ON game.id = event.game_id JOIN games_table AS "table" ON "table".id = game.table_id
WHERE "table".slug = ?
"""


class Guest:
    """A visitor with only cookies, who plays at a practice table over HTTP."""

    def __init__(self) -> None:
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.site = ""
        self.table = ""

    def get(self, path: str) -> Any:
        with self.opener.open(self.site + path, timeout=20) as answer:
            return json.loads(answer.read())

    def post(self, path: str, body: bytes, kind: str) -> Any:
        token = next(cookie.value for cookie in self.cookies if cookie.name == "csrftoken")
        headers = {"Content-Type": kind, "X-CSRFToken": str(token), "Origin": self.site, "Referer": self.site + "/"}
        return self.opener.open(urllib.request.Request(self.site + path, body, headers), timeout=20)

    def open_practice(self, choices: bytes = b"") -> None:
        self.opener.open(f"{self.site}/accounts/login/", timeout=20).close()
        with self.post("/practice/", choices, "application/x-www-form-urlencoded") as page:
            found = re.search(r"/tables/([^/]+)/", page.url)
        assert found is not None
        self.table = found.group(1)

    def snap(self) -> Any:
        return self.get(f"/api/tables/{self.table}/snap")

    def command(self, id: str, turn: str, kind: str, **args: str) -> Any:
        body = json.dumps({"id": id, "turn": turn, "kind": kind, "args": args}).encode()
        with self.post(f"/api/tables/{self.table}/commands", body, "application/json") as answer:
            return json.loads(answer.read())

    def my_turn(self) -> Any:
        """Wait until the seat is to act; return its snap."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            snap = self.snap()
            if "legal" in snap["view"]:
                return snap
            time.sleep(0.1)
        raise AssertionError("the bots do not play")

    def play(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Make the first legal play; return the request and its ack."""
        snap = self.my_turn()
        asked = {"id": str(uuid.uuid4()), "turn": snap["view"]["decision"], "play": snap["view"]["legal"][0]}
        ack = self.command(asked["id"], asked["turn"], "play", play=asked["play"])
        assert ack["t"] == "ack"
        return asked, ack

    def until(self, there: Callable[[Any], bool]) -> Any:
        """Wait until `there` accepts the view; return the view."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            seen = self.snap()["view"]
            if there(seen):
                return seen
            time.sleep(0.1)
        raise AssertionError("it never came to that")


def rows(data: Path, table: str) -> dict[int, tuple[str, str | None]]:
    """Return the stored rows of the table's game by seq: body and command id, read directly from the file."""
    with sqlite3.connect(data / "tock.sqlite3") as database:
        return {seq: (body, command) for seq, body, command in database.execute(ROWS, [table])}


@pytest.mark.slow
def test_every_acknowledged_play_survives_and_the_tables_continue(migrated_folder: Path) -> None:
    guest, drawing = Guest(), Guest()
    with serving(migrated_folder) as site:
        guest.site = drawing.site = site.url
        guest.open_practice()
        assert guest.command(str(uuid.uuid4()), "0.1", "ready")["t"] == "ack"
        acknowledged = [guest.play() for _ in range(3)]
        drawing.open_practice(b"rules=tractor/1&table=4-2&level=novice&rounds=1")
        assert drawing.command(str(uuid.uuid4()), "0.1", "ready")["t"] == "ack"
        before = drawing.until(lambda seen: seen["phase"] != "seating" and seen["count"][0] >= 4)
        site.kill()
    with serving(migrated_folder) as site:
        guest.site = drawing.site = site.url
        after = drawing.until(lambda seen: seen["phase"] in ("show", "bury"))  # first: these phases end automatically
        for asked, ack in acknowledged:
            again = guest.command(asked["id"], asked["turn"], "play", play=asked["play"])
            assert again == ack | {"dup": True}
        acknowledged += [guest.play() for _ in range(2)]
        site.kill()
    check_the_plays(acknowledged, rows(migrated_folder, guest.table))
    assert (before["phase"], after["count"][0]) == ("draw", 25)
    assert set(before["hand"]) <= set(after["hand"])
    drawn = rows(migrated_folder, drawing.table)
    assert sorted(drawn) == list(range(1, len(drawn) + 1))
    assert sum(json.loads(body).get("play") == "draw 4" for body, _ in drawn.values()) == 25


def check_the_plays(acknowledged: list[tuple[dict[str, Any], dict[str, Any]]], stored: dict[int, Any]) -> None:
    """Compare the requests and acks of one table with its rows."""
    assert sorted(stored) == list(range(1, len(stored) + 1))
    for asked, ack in acknowledged:
        body, command = stored[ack["seq"]]
        assert command == asked["id"]
        written = json.loads(body)
        laid = asked["play"].removeprefix("give ")
        assert written.get("play") == asked["play"] or written.get("card") == laid
    assert len({ack["seq"] for _, ack in acknowledged}) == len(acknowledged) == 5
