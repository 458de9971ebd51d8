"""The referee at the table, by socket and by HTTP: what they see and when, calls, freezes, rewinds, lost roles."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import store
from games.fold import Viewer, merge, view, view_hash
from games.live.hub import hub
from games.models import Game
from games.selectors.referee import rewindable
from games.services import referee
from tests.accounts.signing import set_up_factor
from tests.games.conftest import Sat, appoint_referee
from tock_league.accounts.models import Player
from tock_league.common import clock

from .sockets import Socket, login_of, off_loop

pytestmark = pytest.mark.django_db(transaction=True)
Enter = Callable[..., Awaitable[Socket]]


def ref() -> str:
    return f"TL-{uuid.uuid4().hex[:12]}/1/1"


@pytest.fixture
def rosalie(sat_table: Sat) -> Player:
    """The table's referee; the exchange is done and it is a seat's turn."""
    found = appoint_referee(sat_table)
    sat_table.begin()
    return found


@pytest.fixture
async def enter(sat_table: Sat) -> AsyncIterator[Enter]:
    """Return a function that connects a person to the table, joined; all disconnect at the end."""
    inside: list[Socket] = []

    async def come(player: Player | None = None, role: str = "seat") -> Socket:
        slug = sat_table.table.slug
        if player is None:
            socket = Socket(slug, role="spectator")
            await socket.enter()
        else:
            socket = await Socket.of(slug, player, role=role)
        inside.append(socket)
        return socket

    yield come
    for socket in inside:
        await socket.leave()
    assert not hub().feeds


async def seats(enter: Enter, sat: Sat) -> list[Socket]:
    return [await enter(player) for player in sat.players]


class TestAtTheSocket:
    async def test_a_referee_sees_every_play_at_once_and_no_hand(
        self, enter: Enter, sat_table: Sat, rosalie: Player
    ) -> None:
        watching = await enter(rosalie, role="referee")
        assert watching.frames[0]["you"] == {"role": "referee", "powers": []}
        assert watching.seq == (await off_loop(lambda: sat_table.game)()).last_seq
        await off_loop(sat_table.play_on)(3)
        await watching.reach((await off_loop(lambda: sat_table.game)()).last_seq)
        state = await off_loop(lambda: sat_table.state)()
        assert watching.view == view(state, Viewer(referee=True))
        assert {"hand", "legal", "laid", "hands"}.isdisjoint(watching.view)

    async def test_a_referee_who_must_have_a_second_factor_watches_as_a_spectator_without_it(
        self, enter: Enter, sat_table: Sat, rosalie: Player, settings: Any
    ) -> None:
        user = await off_loop(login_of)(rosalie)
        await off_loop(set_up_factor)(user)
        watching = await enter(rosalie, role="referee")
        settings.MFA_REQUIRED_ROLES = ["referee"]
        await off_loop(sat_table.play_on)(1)
        await watching.reach(
            (await off_loop(lambda: sat_table.game)()).last_seq
        )  # the factor is there: nothing changes
        await off_loop(lambda: user.authenticator_set.all().delete())()
        assert await watching.closed() == 4003
        late = await enter(rosalie, role="spectator")
        assert late.frames[0]["you"]["role"] == "spectator"

    async def test_a_referee_cannot_play(self, enter: Enter, rosalie: Player) -> None:
        watching = await enter(rosalie, role="referee")
        nak = await watching.command("resign")
        assert (nak["t"], nak["code"]) == ("nak", "auth")

    @pytest.mark.parametrize(("who", "code"), [("a player of the table", 4003), ("nobody", 4001)])
    async def test_others_cannot_join_as_the_referee(
        self, sat_table: Sat, rosalie: Player, who: str, code: int
    ) -> None:
        user = None if who == "nobody" else await off_loop(login_of)(sat_table.players[0])
        socket = Socket(sat_table.table.slug, user=user, role="referee")
        await socket.connect()
        await socket.join()
        assert await socket.closed() == code

    async def test_losing_the_role_closes_the_socket(self, enter: Enter, sat_table: Sat, rosalie: Player) -> None:
        watching = await enter(rosalie, role="referee")
        await off_loop(lambda: referee.appoint(table_id=sat_table.table.pk, roles=[]))()
        assert await watching.closed(8) == 4003

    async def test_a_granted_view_begins_and_ends_with_a_snap(
        self, enter: Enter, sat_table: Sat, rosalie: Player
    ) -> None:
        watching, seat2 = await enter(rosalie, role="referee"), await enter(sat_table.players[2])
        game = await off_loop(lambda: sat_table.game)()

        def grant() -> None:
            until = clock.now() + timedelta(minutes=1)
            referee.grant_view(game_id=game.pk, player_id=rosalie.pk, seat=2, until=until, ref=ref())

        await off_loop(grant)()
        shown = await watching.until("snap")
        assert shown["you"] == {"role": "referee", "powers": [], "sees": 2}
        assert shown["view"]["hand"] == seat2.view["hand"]
        await seat2.reach(watching.seq)
        assert seat2.frames[-1]["list"][-1]["d"] == {}
        await off_loop(lambda: referee.end_view(game_id=game.pk, player_id=rosalie.pk))()
        hidden = await watching.until("snap", timeout=8)
        assert hidden["you"] == {"role": "referee", "powers": []}
        assert "hand" not in hidden["view"]

    async def test_a_call_freezes_the_table_and_a_play_in_flight_may_be_retried(
        self, enter: Enter, sat_table: Sat, rosalie: Player
    ) -> None:
        four = await seats(enter, sat_table)
        watching = await enter(rosalie, role="referee")
        seat = four[0].view["turn"]
        line, id = four[seat].view["legal"][0], str(uuid.uuid4())
        ack = await four[(seat + 1) % 4].command("dispute", kind="talk", text="Il a parlé.")
        assert ack["t"] == "ack"
        for socket in (*four, watching):
            await socket.reach(ack["seq"] + 1)
            assert socket.view["frozen"]["seat"] == (seat + 1) % 4
            assert "Il a parl" not in "".join(socket.texts)
        nak = await four[seat].command("play", id=id, play=line)
        assert (nak["code"], nak["why"], nak["retry"]) == ("frozen", "referee", True)
        game = await off_loop(lambda: sat_table.game)()
        await off_loop(lambda: referee.resume(game_id=game.pk, ref=ref()))()
        assert (await four[seat].command("play", id=id, play=line))["t"] == "ack"

    async def test_a_concurrent_call_and_play_have_one_order_for_everybody(
        self, enter: Enter, sat_table: Sat, rosalie: Player
    ) -> None:
        four = await seats(enter, sat_table)
        seat = four[0].view["turn"]
        line = four[seat].view["legal"][0]
        played, called = await asyncio.gather(
            four[seat].command("play", play=line), four[(seat + 2) % 4].command("dispute")
        )
        assert called["t"] == "ack"
        assert played["t"] == "ack" or played["code"] == "frozen"
        last = (await off_loop(lambda: sat_table.game)()).last_seq
        for socket in four:
            await socket.reach(last)
        assert len({json.dumps(socket.view["frozen"]) for socket in four}) == 1
        assert (await off_loop(lambda: sat_table.state)()).frozen is not None

    @pytest.mark.parametrize("text", ["x" * 281, "a\x00b"])
    async def test_a_binary_frame_closes_the_socket(
        self, enter: Enter, sat_table: Sat, rosalie: Player, text: str
    ) -> None:
        socket = await enter(sat_table.players[0])
        command = {"id": str(uuid.uuid4()), "turn": socket.view["decision"], "kind": "dispute", "args": {"text": text}}
        await socket.raw(json.dumps({"t": "cmd", **command}))
        assert await socket.closed() == 4002


class TestRewind:
    @staticmethod
    def take_back(sat: Sat) -> dict[str, Any]:
        """Play, call, take the play back; return the seat's view before the play, and the seat."""
        (seat,) = sat.state.to_act
        held = view(sat.state, Viewer(seat))
        to = sat.state.decision
        sat.send(seat, "play", play=sat.choose(seat))
        sat.call(seat)
        assert to in rewindable(sat.game)
        referee.rewind(game_id=sat.game.pk, to=to, ref=ref())
        return held | {"seat": seat}

    async def test_everybody_gets_a_snap_and_older_commands_are_stale(
        self, enter: Enter, sat_table: Sat, rosalie: Player
    ) -> None:
        sockets = [*await seats(enter, sat_table), await enter(rosalie, role="referee")]
        held = await off_loop(self.take_back)(sat_table)
        for socket in sockets:
            snap = await socket.until("snap")
            assert snap["epoch"] == 1
            assert socket.view["marbles"] == held["marbles"]
        player = sockets[held["seat"]]
        assert player.view["hand"] == held["hand"]
        nak = await player.command("play", turn=held["decision"], play=held["legal"][0])
        assert nak["code"] == "stale_turn"

    async def test_a_page_that_returns_with_an_older_epoch_gets_the_whole_view(
        self, enter: Enter, sat_table: Sat, rosalie: Player
    ) -> None:
        socket = await enter(sat_table.players[0])
        since, mark = socket.seq, socket.hash
        await socket.leave()
        await off_loop(self.take_back)(sat_table)
        first = await socket.enter(epoch=0, since=since, hash=mark)
        assert (first["t"], first["epoch"]) == ("snap", 1)

    async def test_a_heartbeat_across_the_rewind_is_answered_by_a_snap(
        self, enter: Enter, sat_table: Sat, rosalie: Player
    ) -> None:
        socket = await enter(sat_table.players[0])
        since, mark = socket.seq, socket.hash
        await off_loop(self.take_back)(sat_table)
        await socket.until("snap")
        await socket.send(t="hb", n=7, have=since, hash=mark)
        assert (await socket.frame())["t"] == "snap"
        assert (await socket.until("hb"))["n"] == 7


class TestOverHttp:
    @pytest.fixture
    def signed_in(self) -> Callable[[Player], Client]:
        def sign_in(player: Player) -> Client:
            client = Client()
            client.force_login(login_of(player), backend="allauth.account.auth_backends.AuthenticationBackend")
            return client

        return sign_in

    def test_the_page_and_the_twins_know_the_referee(
        self, sat_table: Sat, rosalie: Player, signed_in: Callable[[Player], Client]
    ) -> None:
        client, slug = signed_in(rosalie), sat_table.table.slug
        boot = client.get(reverse("games:table", args=[slug])).context["boot"]
        assert (boot["role"], boot["seat"], boot["snap"]["you"]["role"]) == ("referee", None, "referee")
        assert boot["referee"] == {"on_duty": True, "wait_s": 300}
        assert boot["calls"] is True
        snap = client.get(f"/api/tables/{slug}/snap").json()
        assert snap["seq"] == sat_table.game.last_seq
        assert "hand" not in snap["view"]
        hidden = client.get(f"/api/tables/{slug}/snap?as=spectator").json()
        assert hidden["seq"] < snap["seq"]

    def test_the_record_is_open_to_the_referee_while_the_game_runs_without_hands(
        self, sat_table: Sat, rosalie: Player, signed_in: Callable[[Player], Client]
    ) -> None:
        sat_table.play_on(3)
        address = f"/api/games/{sat_table.game.slug}/record?as=referee"
        answer = signed_in(rosalie).get(address)
        assert answer.status_code == 200
        first, *events = answer.json()["frames"]
        held = first["view"]
        for frame in events:
            for event in frame["list"]:
                held = merge(held, event["set"])
            assert view_hash(held) == frame["hash"]
        assert held == view(sat_table.state, Viewer(referee=True))
        assert '"hand"' not in answer.content.decode()
        assert signed_in(sat_table.players[0]).get(address).status_code == 403
        assert Client().get(address).status_code == 403

    def test_a_call_may_be_sent_over_http(
        self, sat_table: Sat, rosalie: Player, signed_in: Callable[[Player], Client]
    ) -> None:
        body = {"id": str(uuid.uuid4()), "turn": sat_table.state.decision_id, "kind": "dispute", "args": {}}
        address = f"/api/tables/{sat_table.table.slug}/commands"
        client = signed_in(sat_table.players[3])
        first = client.post(address, json.dumps(body), content_type="application/json")
        again = client.post(address, json.dumps(body), content_type="application/json")
        assert (first.status_code, again.json()["dup"]) == (200, True)
        refused = client.post(address, json.dumps(body | {"id": str(uuid.uuid4())}), content_type="application/json")
        assert (refused.status_code, refused.json()["code"]) == (409, "frozen")

    def test_events_across_a_rewind_are_a_snap_and_a_delayed_spectator_does_not_see_it(
        self, sat_table: Sat, rosalie: Player, signed_in: Callable[[Player], Client]
    ) -> None:
        since = sat_table.game.last_seq
        TestRewind.take_back(sat_table)
        address = f"/api/tables/{sat_table.table.slug}/events"
        client = signed_in(sat_table.players[0])
        assert client.get(f"{address}?epoch=0&since={since}").json()["t"] == "snap"
        last = sat_table.game.last_seq
        referee.resume(game_id=sat_table.game.pk, ref=ref())
        told = client.get(f"{address}?epoch=1&since={last}").json()
        assert (told["t"], [event["k"] for event in told["list"]]) == ("ev", ["resume"])
        released = Client().get(f"/api/tables/{sat_table.table.slug}/snap").json()
        assert released["epoch"] == 0
        assert Client().get(f"{address}?epoch=0&since={released['seq']}").json()["t"] == "hb"

    def test_after_the_game_a_seats_replay_says_that_its_hand_was_viewed(self, sat_table: Sat, rosalie: Player) -> None:
        until = clock.now() + timedelta(minutes=1)
        referee.grant_view(game_id=sat_table.game.pk, player_id=rosalie.pk, seat=1, until=until, ref=ref())
        sat_table.send(0, "resign")
        game = Game.objects.get(table=sat_table.table)
        for point, told in (("seat:1", {"seat": 1}), ("seat:3", {}), ("spectator", {}), ("all", {"seat": 1})):
            frames = Client().get(f"/api/games/{game.slug}/record?as={point}").json()["frames"]
            looks = [event for frame in frames[1:] for event in frame["list"] if event["k"] == "seat_view"]
            assert [look["d"] for look in looks] == [told], point

    def test_a_rewind_in_a_replay_is_an_event_like_any_other(self, sat_table: Sat, rosalie: Player) -> None:
        TestRewind.take_back(sat_table)
        referee.forfeit(game_id=sat_table.game.pk, team=0, ref=ref())
        game = Game.objects.get(table=sat_table.table)
        first, *frames = Client().get(f"/api/games/{game.slug}/record?as=all").json()["frames"]
        held = first["view"]
        for frame in frames:
            (event,) = frame["list"]
            held = merge(held, event["set"])
            assert view_hash(held) == frame["hash"]
        assert held["result"] == {"ranks": [1, 0], "reason": "forfeit_ruling"}
        assert store.current(game).epoch == 1
