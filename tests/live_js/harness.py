"""A small site without a database and a table without rules: enough to run the table page in a browser.

`Site` serves static/ and the table's template with the headers of the real site; `FakeTable` returns its socket in
Python.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils.html import json_script
from django.utils.translation import override

from games.fold.patch import diff, merge, view_hash
from games.selectors import rule_sets
from games.templatetags._sheet import sheet
from tests.servers.browser import come_true

STATIC = Path(settings.ROOT) / "static"
CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
NOW = 1790000412900

# The example of docs/protocol.md: seat 1 is to play.
VIEW: dict[str, Any] = {
    "game": "g7q2",
    "rules": "shawinigan/1",
    "seats": 4,
    "teams": 2,
    "phase": "play",
    "turn": 1,
    "decision": "0.412",
    "dealer": 3,
    "deal": 1,
    "marbles": {
        "0": ["h4", "r", "t16", "t70"],
        "1": ["r", "r", "t18", "t30"],
        "2": ["r", "r", "t39", "t54"],
        "3": ["r", "r", "r", "t51"],
    },
    "fresh": [1],
    "count": [3, 4, 4, 4],
    "owed": [0, 0, 0, 0],
    "pile": "3C",
    "hand": ["10H", "4D", "9C", "KS"],
    "legal": [
        "10H skip",
        "10H t18-t28",
        "10H t30-t40",
        "4D t18-t14",
        "4D t30-t26",
        "9C t18-t27",
        "9C t30-t39",
        "KS t18-t31",
        "KS t30-t7",
    ],
}
CLOCKS = {"bank": [268400, 291000, 300000, 254250], "run": 1, "opened": 1790000412000, "due": 1790000472000}
NAMES = ["Martine Gélinas", "Réjean Lampron", "Océane Trudel", "Yvon Bellemare"]


def snap(
    view: dict[str, Any], *, seq: int = 412, seat: int | None = 1, clocks: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the frame that shows `view` to `seat`."""
    you = {"role": "spectator", "powers": []} if seat is None else {"seat": seat, "role": "seat", "powers": ["play"]}
    clocks = CLOCKS if clocks is None else clocks
    head = {"t": "snap", "epoch": 0, "seq": seq, "you": you, "view": view}
    return head | {"clocks": clocks, "now": NOW, "hash": view_hash(view)}


def blank_page() -> str:
    """Return an empty page with the sheets of all rule sets of Tock, on which modules are called directly."""
    kinds = [(one.id, seats) for one in rule_sets.offered() if one.game == "tock" for seats in one.shapes]
    with override("en"):
        data = {f"{rules}:{seats}": sheet(rules, seats) for rules, seats in kinds}
    return f"<!doctype html><title>blank</title>{json_script(data, 'sheets')}"


def boot(view: dict[str, Any] = VIEW, *, seat: int | None = 1, touch: bool = True, **more: Any) -> dict[str, Any]:
    """Return the page's boot data."""
    data = {
        "table": "g7q2table",
        "game": view["game"],
        "name": "Draveurs – Vieux Pieux",
        "kind": "match",
        "ws": "/ws/table/g7q2table",
        "commands": "/api/commands",
        "events": "/api/events",
        "record": "/api/no-record",
        "seat": seat,
        "role": "spectator" if seat is None else "seat",
        "seats": view["seats"],
        "teams": view["teams"],
        "rules": view["rules"],
        "touch": touch,
        "names": NAMES,
        "team_names": ["Les Draveurs", "Les Vieux Pieux"],
        "back": "/",
        "snap": snap(view, seat=seat),
    }
    return data | more


class FakeTable:
    """A table that stores touches, accepts any play of its list and moves the marble it names; it knows no other
    rule."""

    def __init__(self, view: dict[str, Any] = VIEW, *, seq: int = 412, seat: int | None = 1) -> None:
        self.view, self.seq, self.seat = dict(view), seq, seat
        self.legal = list(view.get("legal", []))
        self.received: list[dict[str, Any]] = []
        self.mute = False  # receives commands and does not answer
        self.sockets: list[Any] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.log: list[dict[str, Any]] = []

    # --- the socket (Playwright's WebSocketRoute)

    def connect(self, socket: Any) -> None:
        self.sockets.append(socket)
        socket.on_message(lambda text: self.hear(socket, json.loads(text)))

    def say(self, frame: dict[str, Any]) -> None:
        for socket in self.sockets:
            socket.send(json.dumps(frame))

    def hear(self, socket: Any, frame: dict[str, Any]) -> None:
        self.received.append(frame)
        if frame["t"] == "join" and frame["hash"] != view_hash(self.view):
            socket.send(json.dumps(snap(self.view, seq=self.seq, seat=self.seat)))
        elif frame["t"] == "join":
            socket.send(json.dumps(self.beat(0)))
        elif frame["t"] == "hb" and not self.mute:
            socket.send(json.dumps(self.beat(frame["n"])))
        elif frame["t"] == "cmd" and not self.mute:
            for reply in self.obey(frame):
                socket.send(json.dumps(reply))

    def beat(self, n: int) -> dict[str, Any]:
        return {"t": "hb", "n": n, "seq": self.seq, "hash": view_hash(self.view), "clocks": CLOCKS, "now": NOW}

    def commands(self, kind: str) -> list[dict[str, Any]]:
        """Return the arguments of the commands of `kind`, each id once."""
        seen = {frame["id"]: frame["args"] for frame in self.received if frame["t"] == "cmd" and frame["kind"] == kind}
        return list(seen.values())

    # --- the effect of a command

    def obey(self, frame: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if frame["id"] in self.answers:
            yield self.answers[frame["id"]] | {"dup": True}
            return
        kind, args = frame["kind"], frame["args"]
        if kind == "touch":
            after = self.touched(args)
        elif kind == "play" and args["play"] in self.view.get("legal", []):
            after = self.played(args["play"])
        elif kind in ("burn", "exchange"):
            word = "burn" if kind == "burn" else "give"
            after = self.played(f"{word} {args['card']}")
        elif kind == "ready":
            after = {**self.view, "ready": [i == self.seat or r for i, r in enumerate(self.view["ready"])]}
        else:
            yield {
                "t": "nak",
                "id": frame["id"],
                "code": "illegal",
                "why": "touched_marble",
                "retry": False,
                "seq": self.seq,
            }
            return
        event = self.event(kind if kind in ("touch", "ready") else "play", args, after)
        self.answers[frame["id"]] = {"t": "ack", "id": frame["id"], "seq": self.seq}
        yield self.answers[frame["id"]]
        yield event

    def touched(self, args: dict[str, str]) -> dict[str, Any]:
        touched = dict(self.view.get("touched", {})) | args
        legal = [play for play in self.view["legal"] if uses(play, args)]
        return {**self.view, "touched": touched, "legal": legal}

    def played(self, play: str) -> dict[str, Any]:
        after = {key: value for key, value in self.view.items() if key not in ("legal", "touched", "joker")}
        card, *rest = play.split(" ")
        if card in ("burn", "give"):
            card, rest = rest[0], []
        hand = list(self.view["hand"])
        hand.remove(card)
        marbles = {seat: list(places) for seat, places in self.view["marbles"].items()}
        for leg in rest:
            if "-" in leg:
                start, end = leg.split("-")
                owner = next(
                    s for s, places in marbles.items() if start in places and (start[0] == "t" or s == str(self.seat))
                )
                for places in marbles.values():
                    if end[0] == "t" and end in places:
                        places[places.index(end)] = "r"
                marbles[owner][marbles[owner].index(start)] = end
        turn = (self.view["turn"] + 1) % self.view["seats"]
        return after | {"hand": hand, "marbles": marbles, "pile": card, "turn": turn, "decision": f"0.{self.seq + 1}"}

    def event(
        self, kind: str, args: dict[str, str], after: dict[str, Any], fx: list[Any] | None = None
    ) -> dict[str, Any]:
        """Make `after` the view and return the frame that announces it."""
        patch = diff(self.view, after)
        assert merge(self.view, patch) == after
        self.view, self.seq = after, self.seq + 1
        detail = {"seat": self.seat, **args}
        item: dict[str, Any] = {"seq": self.seq, "k": kind, "d": detail, "set": patch}
        if kind == "play":
            detail.setdefault("play", "burn ??" if "card" in args else "")
            item["fx"] = fx if fx is not None else moves(self.seat, detail["play"])
        self.log.append(item)
        head = {"t": "ev", "epoch": 0, "from": self.seq, "list": [item], "clocks": CLOCKS}
        return head | {"now": NOW + 3000, "hash": view_hash(after)}


def uses(play: str, args: dict[str, str]) -> bool:
    """Return whether a play uses the touched card or marble."""
    if card := args.get("card"):
        return play.split(" ")[0] == card
    return any(
        args["marble"] == part.split("-")[0] or args["marble"] in part.split("x") for part in play.split(" ")[1:]
    )


def moves(seat: int | None, play: str) -> list[list[Any]]:
    """Return the facts of a plain move."""
    return [["move", seat, *leg.split("-")] for leg in play.split(" ")[1:] if "-" in leg]


def until(page: Any, expression: str, seconds: float = 5.0) -> None:
    """Wait until a JavaScript expression holds."""
    assert come_true(page, expression, seconds), f"never came true: {expression}"


class Site:
    """Serves the given pages, static files, and the HTTP equivalents of one table's socket."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.tables: dict[str, FakeTable] = {}
        self.files: dict[str, bytes] = {}
        self.url = ""

    def show(self, name: str, data: dict[str, Any], *, template: str = "games/table.html", language: str = "en") -> str:
        """Render a page and return its address."""
        with override(language):
            request = RequestFactory().get(f"/{name}")
            context = {"boot": data, "table": {"name": data["name"]}, "user": None}
            self.pages[f"/{name}"] = render_to_string(template, context, request=request)
        return f"{self.url}/{name}"

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, str, bytes]:
        """Return (status, content type, body) of a request."""
        path, _, query = path.partition("?")
        if path in self.pages:
            return 200, "text/html; charset=utf-8", self.pages[path].encode()
        # Through the finders, as the real site does: style sheets are joined.
        if path.startswith("/static/") and path not in self.files and (file := finders.find(path[len("/static/") :])):
            self.files[path] = Path(file).read_bytes()
        if path in self.files:
            return 200, guess_type(path)[0] or "text/plain", self.files[path]
        if path == "/jsi18n/":
            return 200, "text/javascript", b""
        if path == "/api/events":
            table = self.tables.get("/api/commands")
            since = int(parse_qs(query)["since"][0])
            more = [item for item in (table.log if table else []) if item["seq"] > since]
            if not table or not more:
                frame = table.beat(0) if table else {"t": "hb", "n": 0, "seq": since, "hash": ""}
            else:
                head = {"t": "ev", "epoch": 0, "from": more[0]["seq"], "list": more, "clocks": CLOCKS}
                frame = head | {"now": NOW, "hash": view_hash(table.view)}
            return 200, "application/json", json.dumps(frame).encode()
        if path == "/api/no-record":
            return 200, "application/json", b"{}"
        if path == "/api/commands" and method == "POST":
            replies = list(self.tables["/api/commands"].obey(json.loads(body)))
            return 200, "application/json", json.dumps(replies[0]).encode()
        return 404, "text/plain", b"not here"


@contextmanager
def serving() -> Iterator[Site]:
    """Run a `Site` on a free port of this machine."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # keeps connections open
        disable_nagle_algorithm = True  # headers and body are two packets

        def respond(self, body: bytes = b"") -> None:
            status, kind, answer = site.answer(self.command, self.path, body)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(answer)))
            self.send_header("Content-Security-Policy", CSP)
            if self.path.startswith("/static/"):
                self.send_header("Cache-Control", "max-age=3600")  # the files do not change during a run
            self.end_headers()
            self.wfile.write(answer)

        def do_GET(self) -> None:
            self.respond()

        def do_POST(self) -> None:
            self.respond(self.rfile.read(int(self.headers.get("Content-Length", 0))))

        def log_message(self, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    site.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
