"""The frames of whole games over sockets: each is searched for cards that its reader may not know."""

import asyncio
import json
import random
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games import bots, store
from games.fold import Viewer, opening, steps, view
from games.models import Game, GameEvent
from games.selectors import replays
from games.selectors.referee import rewindable
from games.services import clocks, referee
from tests.games.conftest import Sat, appoint_referee
from tests.games.worlds import other_world
from tock_league.accounts import tokens
from tock_league.common import clock

from .sockets import Socket, login_of, off_loop

pytestmark = pytest.mark.django_db(transaction=True)
CARD = re.compile(r'(?<=["\s])(?:(?:A|[2-9]|10|J|Q|K)[SHDC]|JK)(?=["\s])')


def rule(sat: Sat, roll: random.Random, looker: int) -> None:
    """Let a seat call, if it still may; look at a hand, take the last turn back, penalise a seat, and continue."""
    game, name = sat.game.pk, f"TL-2026-000001/{roll.getrandbits(32)}"
    caller = next((seat for seat, calls in enumerate(sat.state.calls) if calls < 2), None)
    if sat.state.position is None or sat.state.result is not None or caller is None:
        return
    assert not sat.call(caller, kind="talk").code
    until = clock.now() + timedelta(minutes=1)
    referee.grant_view(game_id=game, player_id=looker, seat=caller, until=until, ref=f"{name}/1")
    if targets := rewindable(sat.game):
        referee.rewind(game_id=game, to=targets[-1], ref=f"{name}/2")
    referee.penalise(game_id=game, seat=(caller + 1) % 4, at=1, ref=f"{name}/3")
    referee.end_view(game_id=game, player_id=looker)
    referee.resume(game_id=game, ref=f"{name}/4")


async def play_by_socket(sockets: list[Socket], roll: random.Random, sat: Sat, looker: int) -> None:
    """Let each seat play from the view that its own frames have built, to the end of the game; sometimes a call is
    ruled.
    """
    for seat, socket in enumerate(sockets):
        assert (await socket.command("ready"))["t"] == "ack", seat
    while True:
        top = max((await off_loop(lambda: sat.game)()).last_seq, *(socket.seq for socket in sockets))
        for socket in sockets:
            await socket.reach(top)
        if "result" in sockets[0].view:
            return
        waiting = [socket for socket in sockets if socket.view.get("legal")]
        if not waiting:
            await sockets[0].frame()
            continue
        if roll.random() < 0.05:
            await off_loop(rule)(sat, roll, looker)
            continue
        socket = waiting[0]
        line = bots.choose(socket.view, socket.view["legal"], level="club", roll=roll.randrange)
        if roll.random() < 0.3 and not line.startswith(("give", "burn")) and "touched" not in socket.view:
            assert (await socket.command("touch", card=line.split()[0]))["t"] == "ack"
        answer = await socket.command("play", play=line)
        assert answer["t"] == "ack", answer
        await socket.reach(answer["seq"])


@pytest.mark.slow
async def test_a_whole_game_by_socket_shows_nobody_a_hidden_card(sat_table: Any, no_limits: None) -> None:
    looker = await off_loop(appoint_referee)(sat_table)
    sockets = [await Socket.of(sat_table.table.slug, player) for player in sat_table.players]
    watching = await Socket.of(sat_table.table.slug, looker, role="referee")
    spectator = Socket(sat_table.table.slug, role="spectator")
    await spectator.enter()
    await asyncio.wait_for(play_by_socket(sockets, random.Random(3), sat_table, looker.pk), 240)
    game = await off_loop(lambda: Game.objects.select_related("table").get())()
    for socket in [*sockets, spectator, watching]:
        await socket.reach(game.last_seq)
    rows = await off_loop(store.load)(game.pk)
    setup = await off_loop(store.setup_of)(game)
    assert await off_loop(replays.faults)(game) == []

    states = {step.row.seq: step for step in steps(opening(setup), rows)}
    assert {row.code for row in rows} >= {"dispute", "seat_view", "rewind", "penalty"}
    viewers = [*map(Viewer, range(4)), Viewer(), Viewer(referee=True)]
    for viewer, socket in zip(viewers, [*sockets, spectator, watching], strict=True):
        assert socket.view == view(states[game.last_seq].after, viewer)
        scan(socket.frames, states, viewer)


def scan(frames: list[dict[str, Any]], states: dict[int, Any], viewer: Viewer) -> None:
    """Assert that each frame only names cards that the viewer may know at that moment; an oracle that does not use the
    projection.
    """
    for frame in frames:
        if frame["t"] == "snap":
            step = states[frame["seq"]]
            shown = frame["you"].get("sees")
            allowed = known(step.after, viewer) | (known(step.after, Viewer(shown)) if shown is not None else set())
            assert set(CARD.findall(json.dumps(frame))) <= allowed
            continue
        for event in frame.get("list", ()):
            step = states[event["seq"]]
            open_cards = known(step.before, viewer) | known(step.after, viewer) | said(step, viewer)
            assert set(CARD.findall(json.dumps(event))) <= open_cards, event
        if frame["t"] not in ("ev", "snap", "nak"):
            assert not CARD.findall(json.dumps(frame)), frame


def known(state: Any, viewer: Viewer) -> set[str]:
    """Return the viewer's own cards and the one on the pile, from the position itself."""
    own: set[str] = {state.pile, state.touch.card}
    if viewer.seat is not None and state.position is not None:
        own |= set(state.position.to_json()["hands"][viewer.seat]) | {state.sealed.get(viewer.seat, "")}
    return own


def said(step: Any, viewer: Viewer) -> set[str]:
    """Return the cards that the row makes public, or hands from or to the viewer."""
    row, body = step.row, step.row.body
    if row.code == "draw":
        return {card for _, card in body["cards"]}
    if row.code == "touch":
        return {body.get("card", "")}
    if row.code != "play" or body["play"].startswith("deck"):
        return set()
    if body["play"].startswith("give") and (viewer.seat is None or (viewer.seat - body["seat"]) % 2):
        return set()
    return set(body["play"].split(" "))


def answers(
    client: Client, table: str, game: str, seat: int, turn: str, token: str
) -> list[tuple[int, dict[str, str], bytes]]:
    """Return status, headers and body of everything that a seat can request over HTTP, by its session and by its token."""
    found = []
    shown = {"authorization": f"Bearer {token}"}
    for path in ("", "/events?epoch=0&after=1", "/events?as=spectator", "?as=spectator"):
        found.append(client.get(f"/api/v1/play/{table}{path}", headers=shown))
    for path in (
        f"/api/tables/{table}/snap",
        f"/api/tables/{table}/events?epoch=0&since=1",
        f"/api/games/{game}/record?as=seat:{seat}",
        f"/api/games/{game}/record?as=spectator",
        f"/api/games/{game}/record?as=referee",
        f"/api/games/{game}/record?as=all",
        f"/api/tables/{table}/snap?as=spectator",
        f"/tables/{table}/",
        f"/games/{game}/",
    ):
        found.append(client.get(path))
    for number, (kind, args) in enumerate(
        (
            ("play", {"play": "KS t3-t16"}),
            ("burn", {"card": "2S"}),
            ("exchange", {"card": "2S"}),
            ("touch", {"card": "5D"}),
        )
    ):
        id = f"5f0c000{number}-6d1e-4a7e-9a51-3c1f5d2e9b01"
        body = json.dumps({"id": id, "turn": turn, "kind": kind, "args": args})
        found.append(client.post(f"/api/tables/{table}/commands", body, content_type="application/json"))
        found.append(
            client.post(f"/api/v1/play/{table}/commands", body, content_type="application/json", headers=shown)
        )
    hidden = re.compile(rb'(?:csrfmiddlewaretoken" value="|nonce=")[^"]+')
    for answer in found:
        answer.headers.pop("RateLimit-Remaining", None)  # it counts the calls
    return [(a.status_code, dict(a.headers), hidden.sub(b"", a.content)) for a in found]


def test_games_that_differ_in_hidden_cards_give_the_same_bytes_over_http(
    timed_table: Any, no_limits: None, frozen_clock: clock.Frozen
) -> None:
    timed_table.all_ready()
    timed_table.exchange()
    roll, compared = random.Random(11), 0
    looker = appoint_referee(timed_table)
    for _ in range(30):
        timed_table.play_on(roll.randrange(1, 6))
        if compared >= 6:
            break
        state, game = timed_table.state, timed_table.game
        seat = (min(state.to_act) + 1) % 4  # not the seat to act: its refusals must not depend on others' hands
        refereeing = compared % 2 == 1
        client = Client()
        user = login_of(looker if refereeing else timed_table.players[seat])
        client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
        token = tokens.make(by=user, name="Programme", scopes=["play"], days=1).secret
        rows = store.load(game.pk)
        world = other_world(store.setup_of(game), rows, None if refereeing else seat, roll)
        if world is None:
            continue
        here = answers(client, timed_table.table.slug, game.slug, seat, state.decision_id, token)
        assert [status for status, _headers, _body in here[:4]] == [200] * 4
        put(game, world)
        there = answers(client, timed_table.table.slug, game.slug, seat, state.decision_id, token)
        put(game, rows)
        for ours, theirs in zip(here, there, strict=True):
            assert ours == theirs
        compared += 1
    assert compared == 6
    assert clocks.claim_due() == 0


def put(game: Game, rows: list[Any]) -> None:
    """Let these be the stored rows of the game, and empty the cache of folded states."""
    for row in rows:
        GameEvent.objects.filter(game=game, seq=row.seq).update(body=dict(row.body))
    store.folded.clear()
