"""Everything in /metrics is counted where it happens: by sockets, HTTP, bots, clocks and referees in ordinary use."""

import asyncio
import json
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from django.test import Client

from games.live import consumer, telling
from games.live.hub import hub
from games.live.outbox import MAX_MESSAGES
from games.models import GameEvent, Table
from games.selectors.referee import rewindable
from games.services import bots, clocks, referee, tables
from tests.games.conftest import Sat
from tock_league.common import clock

from .counted import since, value
from .sockets import Socket, login_of, off_loop

pytestmark = pytest.mark.django_db(transaction=True)
Enter = Callable[..., Awaitable[Socket]]


@pytest.fixture
async def enter(sat_table: Sat) -> AsyncIterator[Enter]:
    """Return a function that connects a seat's player to the table; all disconnect at the end."""
    inside: list[Socket] = []

    async def come(seat: int, **more: Any) -> Socket:
        inside.append(await Socket.of(sat_table.table.slug, sat_table.players[seat], **more))
        return inside[-1]

    yield come
    for socket in inside:
        await socket.leave()
    assert not hub().feeds


def rows_of(table: Table) -> Counter[str]:
    return Counter(GameEvent.objects.filter(game__table=table).values_list("code", flat=True))


KINDS = ("play", "give_sealed", "ready", "draw", "timeout", "freeze", "rewind", "resume", "commit")


def assert_counted(table: Table, grown: dict[str, Callable[[], float]], before: Counter[str]) -> Counter[str]:
    """Assert that each kind was counted as often as the record has grown; return that count."""
    written = rows_of(table) - before
    assert {kind: grown[kind]() for kind in KINDS} == {kind: written[kind] for kind in KINDS}
    return written


class TestPlays:
    def test_rows_of_seats_the_clock_and_the_referee_are_counted(
        self, timed_table: Sat, frozen_clock: clock.Frozen
    ) -> None:
        grown, before = {kind: since("tock_plays_total", kind=kind) for kind in KINDS}, rows_of(timed_table.table)
        timed_table.begin()
        timed_table.play_on(3)
        game = timed_table.game
        assert game.due_at is not None
        frozen_clock.set(game.due_at + clock.timedelta(seconds=5))
        assert clocks.claim_due() == 1
        referee.freeze(game_id=game.pk, ref="TL-1/1/1")
        referee.rewind(game_id=game.pk, to=rewindable(timed_table.game)[0], ref="TL-1/1/2")
        written = assert_counted(timed_table.table, grown, before)
        assert set(KINDS) - set(written) <= {"resume", "commit"}, "somebody did nothing"

    def test_rows_of_bots_are_counted(self, db: Any) -> None:
        table = tables.open_practice(guest_key="k")
        grown, before = {kind: since("tock_plays_total", kind=kind) for kind in KINDS}, rows_of(table)
        bots.act_due()
        assert assert_counted(table, grown, before)["ready"] == 3

    def test_rows_that_are_not_committed_are_not_counted(self, sat_table: Sat) -> None:
        grown = since("tock_plays_total", kind="play")
        seat = sat_table.begin()
        dealt = grown()
        assert sat_table.send(seat, "play", play="9C t1-t2").code
        assert grown() == dealt


class TestCommands:
    async def test_each_answer_is_counted_by_its_code(self, enter: Enter) -> None:
        answers = ("ack", "dup", "not_your_turn", "rate")
        grown = {answer: since("tock_commands_total", answer=answer) for answer in answers}
        socket, id = await enter(0), str(uuid.uuid4())
        assert (await socket.command("ready", id=id, turn="0.1"))["t"] == "ack"
        assert (await socket.command("ready", id=id, turn="0.1"))["dup"]
        for _ in range(2):
            assert (await socket.command("play", play="9C t0-t9"))["code"] == "not_your_turn"
        assert {answer: grown[answer]() for answer in answers} == {"ack": 1, "dup": 1, "not_your_turn": 2, "rate": 0}

    async def test_a_command_that_never_reaches_the_table_is_counted(self, enter: Enter) -> None:
        grown = since("tock_commands_total", answer="internal")
        socket = await enter(0)
        hub().draining = True
        assert (await socket.command("ready"))["code"] == "internal"
        hub().draining = False
        assert grown() == 1

    def test_commands_over_http_are_counted(self, sat_table: Sat) -> None:
        client = Client()
        client.force_login(
            login_of(sat_table.players[1]), backend="allauth.account.auth_backends.AuthenticationBackend"
        )
        answers = {"ack": 1, "dup": 1, "illegal": 1}
        grown = {answer: since("tock_commands_total", answer=answer) for answer in answers}
        ready = {"id": str(uuid.uuid4()), "turn": "0.1", "kind": "ready", "args": {}}
        again = ready | {"id": str(uuid.uuid4())}
        seconds = since("tock_commit_seconds_count")
        for body in (ready, ready, again):
            client.post(
                f"/api/tables/{sat_table.table.slug}/commands", json.dumps(body), content_type="application/json"
            )
        assert {answer: grown[answer]() for answer in answers} == answers
        assert seconds() == 1


class TestTimes:
    async def test_commit_and_fanout_of_each_play_are_measured_once(self, enter: Enter) -> None:
        sockets = [await enter(seat) for seat in range(2)]
        commits, fanouts = since("tock_commit_seconds_count"), since("tock_fanout_seconds_count")
        spent, told = since("tock_commit_seconds_sum"), since("tock_fanout_seconds_sum")
        began, id = clock.monotonic(), str(uuid.uuid4())
        ack = await sockets[0].command("ready", id=id, turn="0.1")
        for socket in sockets:
            await socket.reach(ack["seq"])
        passed = clock.monotonic() - began
        retried = await sockets[0].command("ready", id=id, turn="0.1")
        assert retried == ack | {"dup": True}
        assert (await sockets[0].command("ready", turn="0.1"))["t"] == "nak"
        assert (commits(), fanouts()) == (1, 1), "neither a retry nor a refusal commits anything"
        assert 0 < spent() < passed
        assert 0 < told() < passed

    async def test_fanout_is_measured_from_the_hint_when_rows_must_be_read_first(
        self, enter: Enter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        socket = await enter(0)
        feed = next(iter(hub().feeds.values()))
        monkeypatch.setattr(feed, "hand_over", lambda news: False)
        fanouts, read = since("tock_fanout_seconds_count"), asyncio.Event()
        real = hub()._read

        async def reading(*args: Any) -> None:
            assert fanouts() == 0
            await real(*args)
            read.set()

        monkeypatch.setattr(hub(), "_read", reading)
        ack = await socket.command("ready")
        await socket.reach(ack["seq"])
        await asyncio.wait_for(read.wait(), 5)
        assert fanouts() == 1


class TestSockets:
    async def test_open_sockets_are_counted_however_they_end(self, sat_table: Sat) -> None:
        grown, slug = since("tock_sockets"), sat_table.table.slug
        joined = await Socket.of(slug, sat_table.players[0])
        idle, bad, unknown = Socket(slug), Socket(slug), Socket("nothere")
        for socket in (idle, bad, unknown):
            await socket.connect()
        assert grown() == 4
        assert await unknown.closed() == 4004
        await bad.raw("no json")
        assert await bad.closed() == 4002
        for left, socket in ((3, unknown), (2, bad), (1, idle), (0, joined)):
            await socket.leave()
            assert grown() == left

    async def test_a_socket_that_breaks_or_is_cancelled_is_no_longer_counted(
        self, sat_table: Sat, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        grown, slug = since("tock_sockets"), sat_table.table.slug
        cancelled, broken = Socket(slug), Socket(slug)
        for socket in (cancelled, broken):
            await socket.connect()
        cancelled.inner.future.cancel()
        await asyncio.gather(cancelled.inner.future, return_exceptions=True)
        assert grown() == 1

        async def fail(self: Any, **frame: Any) -> None:
            raise RuntimeError("a fault of ours")

        monkeypatch.setattr(consumer.TableConsumer, "receive", fail)
        await broken.raw("{}")
        with pytest.raises(RuntimeError, match="a fault of ours"):
            await broken.inner.wait(5)
        assert grown() == 0


def snaps() -> dict[str, float]:
    whys = ("join", "game", "rewind", "behind", "overflow", "differs", "referee", "http")
    return {why: value("tock_snapshots_total", why=why) for why in whys}


def grown_snaps(before: dict[str, float]) -> dict[str, float]:
    return {why: count - before[why] for why, count in snaps().items() if count != before[why]}


class TestSnapshots:
    async def test_a_join_and_a_differing_view_are_counted(self, enter: Enter) -> None:
        before = snaps()
        socket = await enter(0)
        assert grown_snaps(before) == {"join": 1}
        await socket.send(t="hb", n=1, have=socket.seq, hash="0" * 16)
        await socket.until("snap")
        assert grown_snaps(before) == {"join": 1, "differs": 1}

    async def test_a_join_with_the_current_view_gets_no_snapshot(self, enter: Enter) -> None:
        socket = await enter(0)
        before = snaps()
        await socket.join(since=socket.seq, hash=socket.hash)
        await socket.until("hb", n=0)
        assert grown_snaps(before) == {}

    async def test_a_rewind_and_the_next_game_are_counted(self, open_table: Any) -> None:
        sat = await off_loop(open_table)(best_of=3)
        await off_loop(sat.begin)()
        await off_loop(sat.play_on)(3)
        socket = await Socket.of(sat.table.slug, sat.players[0])
        before = snaps()

        def rewind() -> None:
            referee.freeze(game_id=sat.game.pk, ref="TL-1/1/1")
            referee.rewind(game_id=sat.game.pk, to=rewindable(sat.game)[0], ref="TL-1/1/2")
            referee.resume(game_id=sat.game.pk, ref="TL-1/1/3")

        await off_loop(rewind)()
        await socket.until("snap")
        assert grown_snaps(before) == {"rewind": 1}
        await socket.reach((await off_loop(lambda: sat.game)()).last_seq)
        assert (await socket.command("resign"))["t"] == "ack"
        await socket.until("snap")
        assert grown_snaps(before) == {"rewind": 1, "game": 1}
        await socket.leave()

    async def test_a_socket_far_behind_the_ring_is_counted(self, enter: Enter) -> None:
        socket, other = await enter(0), await enter(1)
        for each in (socket, other):
            ack = await each.command("ready", turn="0.1")
        await socket.reach(ack["seq"])
        feed = next(iter(hub().feeds.values()))
        assert feed.private is not None
        feed.private.ring.clear()
        before = snaps()
        await socket.send(t="hb", n=1, have=socket.seq - 2, hash="0" * 16)
        await socket.until("snap")
        assert grown_snaps(before) == {"behind": 1}

    async def test_an_outbox_that_overflowed_is_counted_and_gets_one_snapshot(
        self, enter: Enter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        socket = await enter(0)
        await socket.until("who")
        client = next(iter(next(iter(hub().feeds.values())).clients))
        open, real = asyncio.Event(), client.outbox._send

        async def slow(text: str) -> None:
            await open.wait()
            await real(text)

        monkeypatch.setattr(client.outbox, "_send", slow)
        before, overflows = snaps(), since("tock_socket_overflows_total")
        for n in range(MAX_MESSAGES + 3):
            telling.beat(next(iter(hub().feeds.values())), client, consumer.Beat(n, socket.seq, socket.hash))
        assert (overflows(), grown_snaps(before)) == (1, {})
        open.set()
        await socket.until("snap")
        assert (overflows(), grown_snaps(before)) == (1, {"overflow": 1})

    def test_snapshots_over_http_are_counted(self, sat_table: Sat) -> None:
        before = snaps()
        Client().get(f"/api/tables/{sat_table.table.slug}/snap")
        Client().get(f"/api/tables/{sat_table.table.slug}/events?since=900&epoch=0")
        assert grown_snaps(before) == {"http": 2}
