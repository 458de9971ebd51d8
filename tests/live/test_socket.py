"""`tock.table.v1` over the socket: join, commands, events, heartbeats, resync, spectators, who, close codes."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.db import SessionStore

from games import store
from games.live import hints, incidents
from games.live.hub import hub
from games.models import Game
from games.services import tables
from tock_league.common.metrics import HASH_MISMATCHES

from .sockets import Socket, login_of, off_loop

pytestmark = pytest.mark.django_db(transaction=True)
Enter = Callable[..., Awaitable[Socket]]


@pytest.fixture
async def enter(sat_table: Any) -> AsyncIterator[Enter]:
    """Return a function that connects a seat's player, or a spectator, to the table; all disconnect at the end."""
    inside: list[Socket] = []

    async def come(seat: int | None = None, **more: Any) -> Socket:
        slug = sat_table.table.slug
        if seat is None:
            socket = Socket(slug, role="spectator")
            await socket.enter()
        else:
            socket = await Socket.of(slug, sat_table.players[seat], **more)
        inside.append(socket)
        return socket

    yield come
    for socket in inside:
        await socket.leave()
    assert not hub().feeds


@pytest.fixture
async def four(enter: Enter, sat_table: Any) -> list[Socket]:
    """Return the four seats' sockets after the exchange."""
    sockets = [await enter(seat) for seat in range(4)]
    for seat, socket in enumerate(sockets):
        assert (await socket.command("ready"))["t"] == "ack"
        for other in sockets:
            await other.reach(seat + 2)
    await reach_all(sockets, sat_table)
    for socket in sockets:
        assert (await socket.command("exchange", card=socket.view["hand"][0]))["t"] == "ack"
    await reach_all(sockets, sat_table)
    return sockets


async def last_seq(sat_table: Any) -> int:
    game: Game = await off_loop(lambda: sat_table.game)()
    return game.last_seq


async def reach_all(sockets: list[Socket], sat_table: Any) -> None:
    seq = await last_seq(sat_table)
    for socket in sockets:
        await socket.reach(seq)


async def test_the_first_frame_is_the_whole_view_and_names_the_seat(enter: Enter) -> None:
    socket = await enter(2)
    assert socket.frames[0]["t"] == "snap"
    assert socket.frames[0]["you"] == {"seat": 2, "role": "seat", "powers": ["play", "phrase", "resign", "dispute"]}
    who = await socket.until("who")
    assert [seat["online"] for seat in who["seats"]] == [False, False, True, False]
    assert who["seats"][0]["name"] == "Martine"


async def test_a_command_is_acknowledged_after_its_commit_and_sent_to_everybody(four: list[Socket]) -> None:
    seat = four[0].view["turn"]
    line = four[seat].view["legal"][0]
    ack = await four[seat].command("play", play=line)
    assert ack["t"] == "ack"
    stored = await off_loop(lambda: store.load(Game.objects.get().pk)[-1].seq)()
    assert ack["seq"] <= stored
    for socket in four:
        await socket.reach(ack["seq"])
        assert socket.frames[-1]["t"] in ("ev", "ack")
    assert len({socket.view["decision"] for socket in four}) == 1


async def test_the_same_id_twice_acts_once(four: list[Socket], sat_table: Any) -> None:
    seat, id, turn = four[0].view["turn"], str(uuid.uuid4()), four[0].view["decision"]
    line = four[seat].view["legal"][0]
    first = await four[seat].command("play", id=id, turn=turn, play=line)
    seq = await last_seq(sat_table)
    again = await four[seat].command("play", id=id, turn=turn, play=line)
    assert again == first | {"dup": True}
    assert await last_seq(sat_table) == seq


async def test_two_seats_at_once_get_one_ack_and_one_nak(four: list[Socket]) -> None:
    seat = four[0].view["turn"]
    line = four[seat].view["legal"][0]
    answers = await asyncio.gather(
        four[seat].command("play", play=line), four[(seat + 1) % 4].command("play", play=line)
    )
    assert answers[0]["t"] == "ack"
    assert answers[1]["t"] == "nak"
    assert answers[1]["code"] in ("not_your_turn", "stale_turn", "illegal")


async def test_the_same_play_from_two_tabs_at_once_is_played_once_by_the_newest(
    enter: Enter, four: list[Socket]
) -> None:
    seat = four[0].view["turn"]
    second = await enter(seat)
    assert (await four[seat].until("note"))["code"] == "other_tab"
    assert second.view == four[seat].view
    line = second.view["legal"][0]
    newest, older = await asyncio.gather(second.command("play", play=line), four[seat].command("play", play=line))
    assert newest["t"] == "ack"
    assert (older["t"], older["code"], older["retry"]) == ("nak", "other_tab", False)


async def test_the_older_window_takes_the_seat_over_by_joining_again(enter: Enter, four: list[Socket]) -> None:
    seat = four[0].view["turn"]
    older, newest = four[seat], await enter(seat)
    line, turn = newest.view["legal"][0], newest.view["decision"]
    assert (await older.command("play", play=line))["code"] == "other_tab"
    await older.join(since=older.seq, hash=older.hash, aside=True)  # as after a lost connection: it still only watches
    assert (await older.command("play", play=line))["code"] == "other_tab"
    await older.join(since=older.seq, hash=older.hash)
    assert (await newest.until("note"))["code"] == "other_tab"
    assert (await newest.command("play", turn=turn, play=line))["code"] == "other_tab"
    assert (await older.command("play", turn=turn, play=line))["t"] == "ack"


async def test_when_the_playing_window_has_gone_the_next_command_takes_the_seat(
    enter: Enter, four: list[Socket], sat_table: Any
) -> None:
    seat = four[0].view["turn"]
    newest = await Socket.of(sat_table.table.slug, sat_table.players[seat])
    assert (await four[seat].until("note"))["code"] == "other_tab"
    await newest.leave()
    assert (await four[seat].command("play", play=four[seat].view["legal"][0]))["t"] == "ack"


async def test_an_older_window_still_gets_the_answer_it_has_missed(enter: Enter, four: list[Socket]) -> None:
    seat, id, turn = four[0].view["turn"], str(uuid.uuid4()), four[0].view["decision"]
    line = four[seat].view["legal"][0]
    first = await four[seat].command("play", id=id, turn=turn, play=line)
    await enter(seat)
    assert await four[seat].command("play", id=id, turn=turn, play=line) == first | {"dup": True}


async def test_a_stale_command_is_followed_by_the_events_that_were_missed(four: list[Socket]) -> None:
    seat, turn = four[0].view["turn"], four[0].view["decision"]
    line = four[seat].view["legal"][0]
    await four[seat].command("play", play=line)
    other = (seat + 1) % 4
    nak = await four[other].command("play", turn=turn, play="9C t0-t9")
    assert (nak["t"], nak["code"]) == ("nak", "stale_turn")
    await four[other].reach(nak["seq"])


async def test_a_heartbeat_fills_a_gap_and_finds_a_wrong_view(four: list[Socket]) -> None:
    socket = four[0]
    held, mark = socket.seq, socket.hash
    seat = socket.view["turn"]
    await four[seat].command("play", play=four[seat].view["legal"][0])
    await socket.reach(held + 1)
    await socket.send(t="hb", n=7, have=held, hash=mark)
    ev = await socket.until("ev")
    assert ev["from"] == held + 1
    beat = await socket.until("hb", n=7)
    assert (beat["seq"], beat["hash"]) == (socket.seq, socket.hash)

    await socket.send(t="hb", n=8, have=socket.seq, hash="0" * 16)
    assert (await socket.until("snap"))["seq"] == socket.seq


async def test_a_heartbeat_that_claims_to_be_ahead_gets_the_whole_view(enter: Enter) -> None:
    socket = await enter(0)
    await socket.send(t="hb", n=9, have=socket.seq + 50, hash=socket.hash)
    assert (await socket.until("snap"))["seq"] == socket.seq


async def test_a_wrong_hash_is_counted_and_logged_once_a_minute_and_game(
    enter: Enter, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incidents, "_told", {})
    before = HASH_MISMATCHES._value.get()
    liar, other = await enter(0), await enter()
    await liar.until("who")
    for socket in (liar, other):
        for n in range(1, 6):
            await socket.send(t="hb", n=n, have=socket.seq, hash="0" * 16)
        await socket.until("hb", n=5)
    assert HASH_MISMATCHES._value.get() - before == 10
    found = [record for record in caplog.records if record.name == incidents.__name__]
    assert [record.levelname for record in found] == ["WARNING"]
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert [frame["t"] for frame in liar.frames].count("snap") == 2, "its join's, and one for five wrong hashes"


async def test_a_wrong_hash_of_a_view_that_was_never_sent_is_no_incident(
    enter: Enter, caplog: pytest.LogCaptureFixture
) -> None:
    socket = await enter(0)
    before = HASH_MISMATCHES._value.get()
    feed = next(iter(hub().feeds.values()))
    client = next(iter(feed.clients))
    assert client.sent is not None
    client.sent = (client.sent[0], client.sent[1] - 1)  # as if the last event were still in the outbox
    await socket.send(t="hb", n=1, have=socket.seq, hash="0" * 16)
    await socket.until("hb", n=1)
    assert HASH_MISMATCHES._value.get() == before
    assert not [record for record in caplog.records if record.name == incidents.__name__]


async def test_a_client_that_joins_again_gets_only_the_missing_events(four: list[Socket], sat_table: Any) -> None:
    seat = four[0].view["turn"]
    gone = four[(seat + 2) % 4]
    user = await off_loop(login_of)(sat_table.players[(seat + 2) % 4])
    held, mark, view = gone.seq, gone.hash, gone.view
    await gone.leave()
    await four[seat].command("play", play=four[seat].view["legal"][0])
    again = Socket(sat_table.table.slug, user=user)
    again.view, again.seq, again.hash = view, held, mark
    first = await again.enter(epoch=0, since=held, hash=mark, tab="b1")
    assert first["t"] == "ev"
    assert first["from"] == held + 1
    await again.leave()
    same = Socket(sat_table.table.slug, user=user)
    assert (await same.enter(epoch=0, since=again.seq, hash=again.hash))["t"] == "hb"
    await same.leave()
    liar = Socket(sat_table.table.slug, user=user)
    assert (await liar.enter(epoch=0, since=held, hash="f" * 16))["t"] == "snap"
    await liar.leave()


async def test_a_client_far_behind_the_ring_still_gets_events(enter: Enter, sat_table: Any) -> None:
    socket = await enter(0)
    held, mark, view = socket.seq, socket.hash, socket.view
    await socket.leave()
    await off_loop(sat_table.all_ready)()
    await off_loop(sat_table.exchange)()
    await off_loop(sat_table.play_on)(90)
    again = Socket(sat_table.table.slug, user=await off_loop(login_of)(sat_table.players[0]))
    again.view, again.seq, again.hash = view, held, mark
    first = await again.enter(epoch=0, since=held, hash=mark)
    assert first["t"] == "ev"
    assert again.seq == await last_seq(sat_table)
    assert again.seq > 90
    await again.leave()


async def test_without_a_hint_the_regular_look_at_the_database_finds_the_play(
    four: list[Socket], sat_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "_ears", {})
    await off_loop(sat_table.play_on)(1)
    for socket in four:
        await socket.reach(await last_seq(sat_table), timeout=4)


async def test_a_spectator_is_one_deal_late_and_sees_no_hand(enter: Enter, sat_table: Any) -> None:
    await off_loop(sat_table.all_ready)()
    spectator = await enter()
    first = spectator.frames[0]
    assert first["you"] == {"role": "spectator", "powers": [], "delay": "deal"}
    deck = await off_loop(lambda: next(r.seq for r in store.load(Game.objects.get().pk) if r.code == "play"))()
    assert first["seq"] == deck - 1
    await off_loop(sat_table.exchange)()
    await off_loop(sat_table.play_on)(19)
    assert spectator.seq == deck - 1
    await off_loop(sat_table.play_on)(3)
    second_deal = (await off_loop(lambda: sat_table.state)()).deals[1][0]
    await spectator.reach(second_deal, timeout=10)
    assert spectator.seq == second_deal
    assert spectator.view["deal"] == 1
    text = "".join(spectator.texts)
    assert '"hand' not in text
    assert '"legal"' not in text
    assert "give ??" in text
    assert "deck ??" in text


async def test_presence_is_sent_when_somebody_comes_or_goes(enter: Enter, sat_table: Any) -> None:
    first = await enter(0)
    await first.until("who")

    async def told(wanted: Callable[[Any], bool]) -> None:
        """Wait for such a `who` among the next few: another one follows a second after the one for the newcomer."""
        for _ in range(4):
            who = await first.until("who")
            if wanted(who):
                return
        raise AssertionError(f"never told, the last was {who}")

    second = await enter(1)
    await told(lambda who: [seat["online"] for seat in who["seats"]] == [True, True, False, False])
    spectator = await enter()
    await told(lambda who: who["spectators"] == 1)
    await second.command("ready")
    await told(lambda who: [seat["ready"] for seat in who["seats"]] == [False, True, False, False])
    assert spectator.view["ready"]


async def test_the_next_game_of_a_best_of_three_is_a_new_snap(open_table: Any) -> None:
    sat = await off_loop(open_table)(best_of=3)
    socket = await Socket.of(sat.table.slug, sat.players[0])
    await off_loop(sat.all_ready)()
    await off_loop(sat.exchange)()
    await socket.reach(await last_seq(sat))
    spectator = Socket(sat.table.slug, role="spectator")
    await spectator.enter()
    assert (await socket.command("resign"))["t"] == "ack"
    end = await socket.until("ev")
    assert [event["k"] for event in end["list"]] == ["resign", "open"]
    snap = await socket.until("snap")
    assert snap["view"]["games"] == {"number": 2, "best_of": 3, "wins": [0, 1]}
    assert (snap["seq"], snap["view"]["phase"], snap["view"]["decision"]) == (1, "seating", "0.1")
    end = await spectator.until("ev")
    assert [event["k"] for event in end["list"]][-2:] == ["resign", "open"]
    assert (await spectator.until("snap"))["view"]["games"]["number"] == 2
    await socket.leave()
    await spectator.leave()


class TestCloseCodes:
    @pytest.mark.parametrize(
        "text",
        [
            "no json",
            "[]",
            "{}",
            '{"t":"fly"}',
            '{"t":"hb","n":1,"have":0,"hash":"","extra":1}',
            '{"t":"hb","n":1,"n":2,"have":0,"hash":""}',
            '{"t":"hb","n":NaN,"have":0,"hash":""}',
            '{"t":"hb","n":1e400,"have":0,"hash":""}',
            '{"t":"cmd","id":"x","turn":"0.1","kind":"ready"}',
            '{"t":"cmd","id":"5f0c0001-6d1e-4a7e-9a51-3c1f5d2e9b01","turn":"0.1","kind":"ready","args":{"seat":"2"}}',
            '{"t":"rule","id":"9a3e0001-11c2-4d0b-8f6c-77aa10b2c301","kind":"freeze","args":{},"reason":""}',
            "[" * 2000,
            '{"t":"hb","n":1,"have":0,"hash":"' + "0" * 4096 + '"}',
            '{"t":"hb","n":' + "9" * 4000 + ',"have":0,"hash":""}',
        ],
    )
    async def test_a_bad_frame_closes_that_socket_alone(self, enter: Enter, text: str) -> None:
        good, bad = await enter(0), await enter(1)
        await bad.raw(text)
        assert await bad.closed() == 4002
        assert (await good.command("ready"))["t"] == "ack"

    async def test_the_first_frame_must_be_join(self, sat_table: Any) -> None:
        socket = Socket(sat_table.table.slug)
        await socket.connect()
        await socket.send(t="hb", n=1, have=0, hash="")
        assert await socket.closed() == 4002
        await socket.leave()

    async def test_a_visitor_cannot_take_a_seat(self, sat_table: Any) -> None:
        socket = Socket(sat_table.table.slug, role="seat")
        await socket.connect()
        await socket.join()
        assert await socket.closed() == 4001
        await socket.leave()

    async def test_a_player_without_a_seat_cannot_take_one(self, sat_table: Any) -> None:
        other = await off_loop(tables.open_practice)(guest_key="k")
        socket = Socket(other.slug, user=await off_loop(login_of)(sat_table.players[0]), role="seat")
        await socket.connect()
        await socket.join()
        assert await socket.closed() == 4003
        await socket.leave()

    async def test_an_unknown_table(self, sat_table: Any) -> None:
        socket = Socket("nothere")
        await socket.connect()
        assert await socket.closed() == 4004
        await socket.leave()

    async def test_an_older_protocol(self, sat_table: Any) -> None:
        socket = Socket(sat_table.table.slug)
        socket.scope["subprotocols"] = []
        await socket.connect()
        assert await socket.closed() == 4010
        await socket.leave()

    async def test_too_many_frames(self, enter: Enter) -> None:
        socket = await enter(0)
        for n in range(25):
            await socket.send(t="hb", n=n, have=socket.seq, hash=socket.hash)
        assert await socket.closed() == 4008

    async def test_a_seat_that_was_taken_away(self, enter: Enter, sat_table: Any) -> None:
        socket = await enter(0)
        await off_loop(lambda: sat_table.table.seatings.filter(seat=0).update(bot="club"))()
        assert (await socket.command("ready"))["code"] == "seat_lost"
        assert await socket.closed() == 4003

    async def test_a_session_that_ended(self, sat_table: Any) -> None:
        class Session(dict[str, Any]):
            session_key = "gone" * 8

        user = await off_loop(login_of)(sat_table.players[0])
        socket = Socket(sat_table.table.slug, user=user, session=Session())
        await socket.enter()
        assert (await socket.command("ready"))["code"] == "auth"
        assert await socket.closed() == 4001
        await socket.leave()


async def test_signing_out_closes_the_socket_of_that_session_within_five_seconds(enter: Enter, sat_table: Any) -> None:
    def sign_in() -> SessionStore:
        session = SessionStore()
        session["anything"] = 1
        session.save()
        return session

    session = await off_loop(sign_in)()
    user = await off_loop(login_of)(sat_table.players[0])
    leaving = Socket(sat_table.table.slug, user=user, session=session)
    await leaving.enter()
    staying = await enter(1)
    await off_loop(session.flush)()
    assert await leaving.closed(timeout=6) == 4001
    await leaving.leave()
    assert (await staying.command("ready"))["t"] == "ack"


async def test_commands_faster_than_the_rate_are_refused_and_write_nothing(enter: Enter, sat_table: Any) -> None:
    socket = await enter(0)
    before = await last_seq(sat_table)
    codes = []
    for _ in range(21):
        codes.append((await socket.command("play", play="9C t0-t9"))["code"])
        await asyncio.sleep(0.08)  # 13 frames a second: the socket may send 20, the seat 20 commands in 10 seconds
    assert codes == ["frozen"] * 20 + ["rate"]
    assert await last_seq(sat_table) == before


async def test_before_a_stop_commands_are_refused_and_sockets_closed_with_1012(enter: Enter) -> None:
    socket = await enter(0)
    hub().draining = True
    nak = await socket.command("ready")
    assert (nak["t"], nak["code"], nak["retry"]) == ("nak", "internal", True)
    draining = asyncio.ensure_future(hub().drain())
    assert (await socket.until("note"))["code"] == "deploy"
    assert await socket.closed() == 1012
    await draining
    hub().draining = False


async def test_an_event_is_sent_quickly_while_a_page_is_slow(four: list[Socket]) -> None:
    import threading

    release = threading.Event()
    slow = asyncio.ensure_future(sync_to_async(release.wait, thread_sensitive=True)(5))
    await asyncio.sleep(0.05)
    seat = four[0].view["turn"]
    begin = asyncio.get_running_loop().time()
    ack = await four[seat].command("play", play=four[seat].view["legal"][0])
    for socket in four:
        await socket.reach(ack["seq"])
    spent = asyncio.get_running_loop().time() - begin
    release.set()
    await slow
    assert spent < 2, "the broadcast waited for a synchronous view"


async def test_frames_hold_no_null(four: list[Socket]) -> None:
    for socket in four:
        for frame in socket.frames:
            views = [frame["view"]] if frame["t"] == "snap" else []
            assert "null" not in json.dumps(views)
