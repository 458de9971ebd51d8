"""Whole games in which each card has a random name, and a search for the names everywhere.

Two seats are people on sockets, the others are the site's own bots; a visitor, a spectator and a referee watch. What a
viewer got is compared with what the viewer may know; the log, metrics, cache, tables other than the record, tasks, mail
and temporary files must not have a name at all.
"""

import io
import json
import logging
import pickle
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from celery.signals import before_task_publish
from django.core import mail
from django.core.cache import cache
from django.db import connection
from prometheus_client import generate_latest
from structlog.stdlib import ProcessorFormatter

from games import store
from games.bots import at_table
from games.fold import Row, TableState, Viewer, view
from games.models import Game, Table
from games.services import bots, clocks, referee, tables
from games.services.tables import ClockSettings, SeatPlan
from tock_league.common import clock, logs

from .knowledge import May, knowledge
from .names import JOKERS, NAME, NAMES
from .play import Kind, kinds
from .stage import Stage, Wire

PEOPLE = 2  # seats on sockets, from seat 0
RECORD = {"games_gameevent", "games_dealsecret"}  # the tables that hold cards
LOOKS = 0.03  # how often, per row, somebody asks over HTTP
ROUNDS = 1  # of Tractor
SEQ = re.compile(rb'"(?:seq|from)": ?(\d+)')


@dataclass
class Outcome:
    """The result of a game."""

    seed: int
    kind: Kind
    rows: int = 0
    texts: int = 0  # frames, answers and pages that were searched
    size: int = 0  # their bytes
    names: int = 0  # lawful ones that were found in them
    places: Counter[str] = field(default_factory=Counter)  # bytes that were searched elsewhere
    faults: list[str] = field(default_factory=list)


@dataclass
class Sinks:
    """Where a card may turn up although nobody sent it to a viewer."""

    log: io.StringIO
    folder: Path  # for temporary files
    tasks: list[bytes] = field(default_factory=list)

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """Yield what each place holds."""
        yield "the log", self.log.getvalue().encode()
        yield "metrics", generate_latest()
        yield "the cache", pickle.dumps(getattr(cache, "_cache", {}))
        yield "tasks", b"\n".join(self.tasks)
        yield "mail", b"\n".join(message.message().as_bytes() for message in getattr(mail, "outbox", []))
        for path in sorted(self.folder.rglob("*")):
            if path.is_file() and ".sqlite3" not in path.name:
                yield f"the file {path.name}", path.read_bytes()
        with connection.cursor() as cursor:
            for table in sorted(set(connection.introspection.table_names()) - RECORD):
                cursor.execute(f"SELECT * FROM {table}")
                yield f"table {table}", repr(cursor.fetchall()).encode()


@contextmanager
def watched(folder: Path) -> Iterator[Sinks]:
    """Write the log of all modules at DEBUG in the product's format, and collect the bodies of tasks."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    formatter = logs.formatter(json=True)
    assert isinstance(formatter, ProcessorFormatter)
    handler.setFormatter(formatter)
    root, before, found = logging.getLogger(), tempfile.tempdir, Sinks(stream, folder)
    loggers = [logging.getLogger(name) for name in ("", "games", "ratings", "tock_league", "django.request", "axes")]
    levels = [logger.level for logger in loggers]

    def publish(body: Any = None, headers: Any = None, **more: Any) -> None:
        found.tasks.append(repr((body, headers)).encode())

    root.addHandler(handler)
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    before_task_publish.connect(publish)
    tempfile.tempdir = str(folder)
    try:
        yield found
    finally:
        tempfile.tempdir = before
        before_task_publish.disconnect(publish)
        root.removeHandler(handler)
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


class Party:
    """A game with its people, who note after which row they got what."""

    def __init__(self, stage: Stage, kind: Kind, roll: random.Random) -> None:
        self.stage, self.kind, self.roll = stage, kind, roll
        self.table = self._open()
        self.heard: list[tuple[int | None, int, str, bytes]] = []  # seat, seq, where, what
        slug = self.table.slug
        self.wires: list[tuple[int | None, Wire]] = [
            *((seat, stage.wire(slug, "seat", stage.seated[seat])) for seat in range(PEOPLE)),
            (None, stage.wire(slug, "spectator", None)),
            (None, stage.wire(slug, "spectator", stage.onlooker)),
            (None, stage.wire(slug, "referee", stage.referee)),
        ]

    @property
    def game(self) -> Game:
        return Game.objects.select_related("table").filter(table=self.table).order_by("number")[0]

    def _open(self) -> Table:
        kind, bot = self.kind, self.roll.choice(("novice", "club"))
        people = [SeatPlan(seat, player_id=self.stage.seated[seat].player.pk) for seat in range(PEOPLE)]
        others = [SeatPlan(seat, bot=bot) for seat in range(PEOPLE, kind.seats)]
        table = tables.open_match_table(
            rules=kind.rules,
            name="Table",
            seat_plan=[*people, *others],
            teams=kind.teams,
            full_ranking=kind.full_ranking,
            rounds=ROUNDS if kind.tricks else 0,
            clocks=ClockSettings(),
            rated=False,
            bots_allowed=True,
        )
        referee.appoint(table_id=table.pk, roles=[(self.stage.referee.player.pk, "referee")])
        return table

    def play(self, rows: int) -> None:
        """Play to the end, or until there are so many rows."""
        while (game := self.game).state != Game.State.OVER and game.last_seq < rows:
            self._hear(game.last_seq)
            self.stage.hand.advance(seconds=1)
            state = store.current(game)
            robots = state.asked & set(range(PEOPLE, self.kind.seats))
            if not (robots and bots.act_due([game.pk])) and not self._person(state):
                clocks.claim_due([game.pk])
            self.stage.settle()
            if self.roll.random() < LOOKS:
                self._look()
        self._hear(game.last_seq)
        for _, wire in self.wires:
            wire.leave()

    def _person(self, state: TableState) -> bool:
        """Let a person act who must; return whether one did."""
        for seat in sorted(state.to_act & set(range(PEOPLE))):
            wire = self.wires[seat][1]
            kind, args = "ready", {}
            if state.position is not None:
                seen = view(state, Viewer(seat))
                laid = state.setup.family.laid(state)
                line = at_table.answer(
                    seen, seen["legal"], level="novice", roll=self.roll.randrange, seat=seat, seen=laid
                )
                if self.roll.random() < 0.1:
                    self._send(wire, "play", {"play": self.roll.choice(seen["legal"])[::-1]})
                kind, args = "play", {"play": line}
            self._send(wire, kind, args, state.decision_id)
            return True
        return False

    def _send(self, wire: Wire, kind: str, args: dict[str, str], turn: str = "0.1") -> None:
        id = f"5f0c0001-6d1e-4a7e-9a51-{self.roll.getrandbits(48):012x}"
        wire.send(t="cmd", id=id, turn=turn, kind=kind, args=args)

    def _hear(self, seq: int) -> None:
        """Note what came; `seq`: the last row that there is."""
        for seat, wire in self.wires:
            self.heard += [(seat, seq, "socket", text.encode()) for text in wire.texts]
            wire.texts.clear()

    def _look(self) -> None:
        """Let somebody ask for everything that a browser can ask for."""
        game, people = self.game, [(0, self.stage.seated[0]), (None, None), (None, self.stage.referee)]
        seat, somebody = self.roll.choice(people)
        client, api = self.stage.client(somebody), f"/api/tables/{self.table.slug}"
        for path in (
            f"{api}/snap",
            f"{api}/events?epoch=0&since=0",
            f"/api/games/{game.slug}/record?as=spectator",
            f"/api/games/{game.slug}/record?as={'referee' if seat is None else 'seat:0'}",
            f"/api/games/{game.slug}/record.jsonl",
            f"/api/games/{game.slug}/analysis",
            f"/tables/{self.table.slug}/",
            f"/games/{game.slug}/",
        ):
            answer = client.get(path)
            head = "\n".join(f"{name}: {value}" for name, value in answer.headers.items()).encode()
            self.heard.append((seat, game.last_seq, path, head + b"\n" + answer.content))


times_played: Counter[int] = Counter()


def play(stage: Stage, sinks: Sinks, seed: int, *, kind: Kind | None = None, rows: int = 10**9) -> Outcome:
    """Play the game of a seed and search everything; `rows`: end after so many."""
    roll = random.Random(f"canary {seed}")
    kind = kind or roll.choice(kinds())
    stage.fresh()
    stage.at(max(clock.now_ms(), 1_790_000_000_000))
    times_played[seed] += 1
    drawn = random.Random(f"drawn {seed} {times_played[seed]}")  # so that a seed gives the same game again
    with (
        mock.patch("secrets.token_bytes", drawn.randbytes),
        mock.patch("secrets.choice", drawn.choice),
        mock.patch("secrets.randbelow", drawn.randrange),
    ):
        party = Party(stage, kind, roll)
        party.play(rows)
    game, outcome = party.game, Outcome(seed, kind)
    written = store.load(game.pk)
    outcome.rows = len(written)
    over = next((row.seq for row in written if row.code == "open"), len(written) + 1)
    _judge(outcome, knowledge(store.setup_of(game), written), written, over, party)
    for place, held in sinks.contents():
        outcome.places[place.split(" the file")[0]] += len(held)
        if found := NAME.search(held):
            begin = max(0, found.start() - 80)
            outcome.faults.append(f"{place} has a card: {held[begin : found.end() + 40]!r}")
    sinks.log.seek(0)
    sinks.log.truncate()
    sinks.tasks.clear()
    return outcome


def _judge(outcome: Outcome, may: list[May], rows: list[Row], over: int, party: Party) -> None:
    """Compare what each viewer got with what the viewer may know at the seq of each part."""
    for seat, seq, where, text in party.heard:
        if seq >= over:
            continue  # hands and seeds are open now
        outcome.texts += 1
        outcome.size += len(text)
        for at, part in _parts(text, seq):
            names = {name.decode() for name in NAME.findall(part)}
            outcome.names += len(names)
            allowed = may[at].of(seat) | may[max(0, at - 1)].of(seat)
            if where.startswith(("/tables/", "/games/")):
                allowed |= {
                    NAMES[joker] for joker in JOKERS
                }  # a page says what each rank does; a joker's rank is its name
            if secret := names - allowed:
                outcome.faults.append(f"{where} at {at} shows {len(secret)} cards to {seat}: {part[:200]!r}")


def _parts(text: bytes, seq: int) -> Iterator[tuple[int, bytes]]:
    """Yield the parts of a text with the seq that each is about; a part without one is about the present."""
    begin = text.find(b"{") if b"\n" in text else 0
    try:
        frame = json.loads(text[begin:]) if begin >= 0 else None
    except ValueError:
        frame = None
    if not isinstance(frame, dict):
        # A page: its data begin with the view, which may be older than the present.
        found = SEQ.search(text)
        yield min(seq, int(found[1])) if found else seq, text
        return
    yield seq, text[:begin]
    for each in frame.get("frames", [frame]):
        if each.get("t") == "ev":
            for event in each.pop("list"):
                yield event["seq"], json.dumps(event).encode()
        yield each["seq"] if each.get("t") == "snap" else seq, json.dumps(each).encode()
