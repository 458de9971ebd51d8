"""The last rows of a game as commands through the real doors, and every byte that some onlookers get meanwhile.

What came earlier is put into the database as rows; onlookers read it from snaps, resumed streams and the record. The
decks and blind burns are those of the rows, whatever the stored seeds would give.
"""

import json
import random
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from games import store
from games.engine.errors import EngineError
from games.fold import REFEREE, Row, Setup, TableState, Viewer, apply_row, fold, opening
from games.models import Analysis, DealSecret, Game, GameEvent
from games.permissions import Person
from games.services import clocks, play, referee
from games.services.deals import Deals
from games.services.record import index
from tock_league.common.transactions import writing

from .stage import Somebody, Stage, Wire
from .tracker import words

ATTEMPTS, ASKED = 2, 6  # refused commands after a row; addresses that the first onlooker asks for
RANDOM = re.compile(rb"""(?:nonce-|nonce=")[^'"]+|expires=[^;]+;""")
Heard = tuple[str, bytes]  # where it came from, and what


@dataclass(frozen=True)
class Onlooker:
    """Somebody who gets what the table tells them."""

    name: str
    role: str  # of the socket
    viewer: Viewer
    somebody: Somebody | None


def onlookers(stage: Stage, seat: int | None, roll: random.Random) -> list[Onlooker]:
    """Return two who must not see a difference: the seat, if there is one, and some of those who know less."""
    found = [
        Onlooker("visitor", "spectator", Viewer(), None),
        Onlooker("spectator", "spectator", Viewer(), stage.onlooker),
        Onlooker("referee", "referee", Viewer(referee=True), stage.referee),
    ]
    roll.shuffle(found)
    return found[:2] if seat is None else [Onlooker("seat", "seat", Viewer(seat), stage.seated[seat]), found[0]]


@dataclass(frozen=True)
class Attempt:
    """A command that the rules refuse, sent by the seat itself."""

    kind: str
    args: Mapping[str, str]
    turn: str


@dataclass
class Script:
    """What happens on the stage in both worlds."""

    since: int  # the rows up to it are put into the database
    visits: frozenset[int]  # the seqs after which the site is asked over HTTP
    paths: Mapping[str, Sequence[str]]  # by onlooker, what is asked then
    attempts: Mapping[int, Sequence[Attempt]] = field(default_factory=dict)  # by the seq before them


def put(game: Game, setup: Setup, rows: Sequence[Row], seeds: bytes) -> None:
    """Let these be the only rows of the game, with other seeds for what is still to come."""
    with writing():
        GameEvent.objects.filter(game=game).delete()
        Analysis.objects.filter(game=game).delete()
        DealSecret.objects.filter(game=game).update(seeds=seeds)
        game.last_seq, game.chain, game.started_at, game.bot_at = 0, "", None, None
        store.append(game, rows, expected_seq=0)
        index(game, fold(setup, rows), ())
        game.save()
    store.folded.clear()


@contextmanager
def dealt_from(rows: Sequence[Row]) -> Iterator[None]:
    """Let decks, the first dealer and blind burns be those of the rows."""
    decks, blinds, draw = [], {}, (0, [])
    burns = 0
    for row in rows:
        line = words(row)
        if row.code == "draw":
            draw = row.body["dealer"], [tuple(each) for each in row.body["cards"]]
        if line[:1] == ["deck"]:
            decks.append(" ".join(line))
            burns = 0
        elif line[:1] == ["blind"]:
            blinds[len(decks), burns] = line[1]
            burns += 1
    with (
        mock.patch.object(Deals, "deck_line", lambda self, d: decks[d - 1]),
        mock.patch.object(Deals, "blind_card", lambda self, d, b, hand: blinds[d, b]),
        mock.patch.object(Deals, "first_dealer", return_value=draw),
    ):
        yield


def replay(
    stage: Stage,
    game: Game,
    setup: Setup,
    rows: Sequence[Row],
    script: Script,
    watching: Sequence[Onlooker],
    seeds: bytes,
) -> dict[str, list[Heard]]:
    """Carry the rows after `script.since` out as commands; return by onlooker what each got, in order."""
    stage.fresh()
    stage.at(rows[script.since - 1].at)
    put(game, setup, rows[: script.since], seeds)
    stage.at(rows[script.since - 1].at + 1)
    heard: dict[str, list[Heard]] = {each.name: [] for each in watching}
    # They take turns at reconnecting.
    listening = [_Listening(stage, game, each, heard[each.name], turn) for turn, each in enumerate(watching)]
    with dealt_from(rows):
        last = script.since
        for row in rows[script.since :]:
            if row.seq <= last:
                continue
            stage.at(row.at)
            _act(stage, game, row)
            game.refresh_from_db()
            last = game.last_seq
            if last < row.seq:
                raise AssertionError(f"row {row.seq} was not written: {row}")
            stage.settle()
            for one in listening:
                one.after(last, script)
    for one in listening:
        one.leave()
    written = [(row.kind, row.code, dict(row.body)) for row in store.load(game.pk)]
    wanted = [(row.kind, row.code, json.loads(json.dumps(dict(row.body)))) for row in rows]
    assert written == wanted, "the commands did not give the same rows"
    return heard


class _Listening:
    """One onlooker with an open socket, who also reconnects after each row and sometimes asks over HTTP."""

    def __init__(self, stage: Stage, game: Game, onlooker: Onlooker, heard: list[Heard], turn: int) -> None:
        self.stage, self.game, self.onlooker, self.heard, self._turn = stage, game, onlooker, heard, turn
        self.wire = self._wire()
        self._hear(self.wire, "socket")
        self._held: dict[str, Any] = {}

    def _wire(self, **held: Any) -> Wire:
        return self.stage.wire(self.game.table.slug, self.onlooker.role, self.onlooker.somebody, **held)

    def _hear(self, wire: Wire, where: str) -> None:
        self.heard += [(where, text.encode()) for text in wire.texts]
        if wire.closed:
            self.heard.append((where, b"closed %d" % wire.closed))
        wire.texts.clear()

    def after(self, seq: int, script: Script) -> None:
        """Read what came, reconnect or send a heartbeat, try what is refused, and ask over HTTP where the script says so."""
        self._hear(self.wire, f"socket at {seq}")
        self._turn += 1
        if self._turn % 2:
            self._reconnect(seq)
        else:
            self.wire.send(t="hb", n=seq, have=0, hash="")
            self._hear(self.wire, f"heartbeat at {seq}")
        if self.onlooker.viewer.seat is not None:
            for number, attempt in enumerate(script.attempts.get(seq, ())):
                id = str(uuid.UUID(int=seq << 16 | number))
                self.wire.send(t="cmd", id=id, turn=attempt.turn, kind=attempt.kind, args=dict(attempt.args))
                self._hear(self.wire, f"refusal {attempt.kind} at {seq}")
        if seq in script.visits:
            attempts = script.attempts.get(seq, ()) if self.onlooker.name == "seat" else ()
            client, paths = self.stage.client(self.onlooker.somebody), script.paths[self.onlooker.name]
            self.heard += asked(client, self.game, seq, paths, attempts)
            self._hear(self.wire, f"socket after requests at {seq}")

    def _reconnect(self, seq: int) -> None:
        """Open another socket; every other time it resumes from the view that it holds, else it asks for a new one."""
        again = self._wire(**self._held)
        frame = json.loads(again.texts[0])
        self._hear(again, f"reconnected at {seq}")
        again.leave()
        known = frame["t"] == "snap"
        self._held = {"epoch": frame["epoch"], "since": frame["seq"], "hash": frame["hash"]} if known else {}

    def leave(self) -> None:
        self.wire.leave()


def paths_of(game: Game, seat: int | None, seq: int, roll: random.Random, count: int) -> list[str]:
    """Return `count` of the addresses that a browser can ask for, each with the same chance."""
    api, of_game = f"/api/tables/{game.table.slug}", f"/api/games/{game.slug}"
    points = ("spectator", "referee", "all", "seat:1" if seat is None else f"seat:{seat}", "seat:0")
    found = [
        f"{api}/snap",
        f"{api}/snap?as=spectator",
        f"{api}/events?epoch=0&since=0",
        f"{api}/events?epoch=0&since={max(0, seq - 3)}",
        f"{api}/events?epoch=0&since={seq}",
        *(f"{of_game}/record?as={point}" for point in points),
        f"{of_game}/record.jsonl",
        f"{of_game}/analysis",
        f"/tables/{game.table.slug}/",
        f"/games/{game.slug}/",
    ]
    return roll.sample(found, count)


def asked(client: Any, game: Game, seq: int, paths: Sequence[str], attempts: Sequence[Attempt]) -> Iterator[Heard]:
    """Yield the answers to these requests, to a request for an analysis, and to commands that are refused."""
    for path in paths:
        yield f"GET {path}", _bytes(client.get(path))
    yield "POST analysis", _bytes(client.post(f"/api/games/{game.slug}/analysis"))
    for number, attempt in enumerate((*attempts, Attempt("play", {"play": "KS t3-t16"}, "0.1"))):
        id = str(uuid.UUID(int=1 << 64 | seq << 16 | number))
        asking = json.dumps({"id": id, "turn": attempt.turn, "kind": attempt.kind, "args": dict(attempt.args)})
        path = f"/api/tables/{game.table.slug}/commands"
        yield f"POST {attempt.kind}", _bytes(client.post(path, asking, content_type="application/json"))


def _bytes(answer: Any) -> bytes:
    """Return status, headers, cookies and body, without what is random in every answer."""
    headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    cookies = "\n".join(morsel.OutputString() for morsel in answer.cookies.values())
    head = f"{answer.status_code}\n{headers}\n{cookies}\n\n".encode()
    return RANDOM.sub(b"", head) + RANDOM.sub(b"", answer.content)


def _act(stage: Stage, game: Game, row: Row) -> None:
    """Let the row's author do it again: a seat by a command, a ruling by its service, the table by its deadline."""
    if row.actor == REFEREE:
        _rule(game, row)
    elif row.actor.startswith("seat"):
        seat = int(row.body["seat"])
        command_id = str(uuid.UUID(int=row.seq))
        kind, args = _command(row)
        person = Person(player_id=stage.seated[seat].player.pk)
        turn = store.current(game).decision_id
        answer = play.submit(
            game_id=game.pk, seat=seat, command_id=command_id, turn=turn, kind=kind, args=args, by=person
        )
        assert not answer.code, (row, answer)
    else:
        clocks.claim_due([game.pk])


def _command(row: Row) -> tuple[str, dict[str, str]]:
    """Return kind and arguments of the command that wrote the row."""
    if row.code == "give_sealed":
        return "exchange", {"card": row.body["card"]}
    if row.kind == "play":
        return "play", {"play": row.body["play"]}
    return row.code, {key: str(value) for key, value in row.body.items() if key in ("card", "marble")}


def _rule(game: Game, row: Row) -> None:
    ref = f"TL-2026-000001/{row.seq}"
    if row.code == "freeze":
        referee.freeze(game_id=game.pk, ref=ref)
    elif row.code == "penalty":
        referee.penalise(game_id=game.pk, seat=row.body["seat"], at=row.body["at"], ref=ref)
    else:
        referee.resume(game_id=game.pk, ref=ref)


def attempts_of(state: TableState, seat: int, roll: random.Random) -> list[Attempt]:
    """Return commands of the seat that the table refuses, whatever the others hold."""
    turn, engine, position = state.decision_id, state.setup.engine, state.position
    if position is None:
        return []
    found = [Attempt("play", {"play": "deck 2S"}, turn), Attempt("phrase", {"code": "thanks"}, turn)]
    if seat not in state.may_act:
        asked: list[tuple[str, dict[str, str]]] = [
            ("play", {"play": "KS t3-t16"}), ("burn", {"card": "2S"}), ("exchange", {"card": "2S"}),
            ("touch", {"card": "5D"}), ("pass", {}), ("bury", {"cards": "2S"}), ("show", {"cards": "2S"}),
        ]  # fmt: skip
        return [*found, *(Attempt(kind, args, turn) for kind, args in roll.sample(asked, 3))]
    return [*found, *(Attempt("play", {"play": line}, turn) for line in _refused(state, engine, seat, roll))]


def _refused(state: TableState, engine: Any, seat: int, roll: random.Random) -> list[str]:
    """Return lines of cards that the seat holds, or does not hold, which the rules refuse."""
    hand, lines = engine.view(state.position, seat)["hand"], []
    if state.setup.engine.burns:
        cards = [*hand, "2S", "7H", "KD"]
        lines = [shape.format(roll.choice(cards)) for shape in ("burn {}", "{} t3-t16", "{} skip", "give {}", "{} out")]
    elif hand:
        trick = engine.view(state.position, seat).get("trick") or [[""]]
        many = len(trick[0])
        some = [" ".join(sorted(roll.sample(hand, max(1, min(many, len(hand)))))) for _ in range(4)]
        lines = [f"play {cards}" for cards in some] + [f"bury {some[0]}", f"show {seat}: {some[1]}"]
    return [line for line in lines if _is_refused(state, engine, line, seat)]


def _is_refused(state: TableState, engine: Any, line: str, seat: int) -> bool:
    if line.startswith("give") and state.phase == "give":
        return line not in state.legal(seat)
    try:
        engine.check(
            state.position,
            engine.parse_play(state.position, line, seat),
            seat,
            card=state.touch.card or None,
            marbles=state.touch.marbles,
        )
    except EngineError:
        return True
    return False


def script_of(
    game: Game, setup: Setup, rows: Sequence[Row], since: int, watching: Sequence[Onlooker], roll: random.Random
) -> Script:
    """Return a script for the rows after `since`: what the seat tries, and what is asked over HTTP at the end."""
    state, attempts, last = opening(setup), {}, rows[-1].seq
    seat = watching[0].viewer.seat
    for row in rows:
        state = apply_row(state, row)
        if seat is not None and row.seq > since and state.frozen is None:
            tries = attempts_of(state, seat, roll)
            attempts[row.seq] = roll.sample(tries, min(ATTEMPTS, len(tries)))
    paths = {
        each.name: paths_of(game, each.viewer.seat, last, roll, ASKED if each is watching[0] else 2)
        for each in watching
    }
    return Script(since, frozenset((last,)), paths, attempts)


def first_difference(ours: Sequence[Heard], theirs: Sequence[Heard]) -> str:
    """Return where and how two onlookers' bytes differ, "" if they are the same."""
    for (where, text), (there, other) in zip(ours, theirs, strict=False):
        if where != there:
            return f"{where} is {there} in the other world"
        if text != other:
            at = next(
                (i for i, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other))
            )
            begin = max(0, at - 60)
            return f"{where}, byte {at} of {len(text)} and {len(other)}: {text[begin : at + 60]!r} and {other[begin : at + 60]!r}"
    if len(ours) != len(theirs):
        more = max(ours, theirs, key=len)[min(len(ours), len(theirs))]
        return f"{len(ours)} and {len(theirs)} frames and answers; one more is {more}"
    return ""
