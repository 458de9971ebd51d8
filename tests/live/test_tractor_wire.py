"""A round of Tractor over sockets, with cards drawn by the scheduler: views, hashes, no hidden card in any frame."""

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from games import store
from games.bots import at_table
from games.fold import TableState, Viewer, opening, steps, view
from games.models import Game
from games.selectors import replays
from games.services import clocks
from tests.games.conftest import appoint_referee
from tests.games.tractor.four import CARD, Four

from .sockets import Socket, off_loop

pytestmark = pytest.mark.django_db(transaction=True)


async def draw_cards(sat: Four) -> None:
    """Carry out what is due again and again, as the scheduler's thread does."""
    while True:
        await off_loop(clocks.claim_due)()
        await asyncio.sleep(0.01)


async def play_by_socket(sockets: list[Socket], roll: random.Random) -> None:
    """Let each seat play from the view that its own frames have built, to the end of the game."""
    for seat, socket in enumerate(sockets):
        assert (await socket.command("ready"))["t"] == "ack", seat
    while True:
        top = max(socket.seq for socket in sockets)
        for socket in sockets:
            await socket.reach(top)
        seen = sockets[0].view
        if "result" in seen:
            return
        speaking = [
            socket for socket in sockets if any(line.startswith("show") for line in socket.view.get("legal", ()))
        ]
        if seen["phase"] == "draw" and speaking and roll.random() < 0.2:
            socket = roll.choice(speaking)
            cards = roll.choice([line for line in socket.view["legal"] if line.startswith("show")]).partition(": ")[2]
            answer = await socket.command("show", cards=cards)
            assert answer["t"] == "ack" or answer["why"] in ("SHOW_TOO_WEAK", "OWN_SHOW", "stale_turn"), answer
            continue
        waiting = [
            seat
            for seat, socket in enumerate(sockets)
            if socket.view.get("legal") and seat not in seen.get("passed", ())
        ]
        if seen["phase"] == "draw" or not waiting:
            await sockets[0].frame()
            continue
        seat = waiting[0]
        socket = sockets[seat]
        line = at_table.answer(
            socket.view, socket.view["legal"], level="novice", roll=roll.randrange, seat=seat, seen=()
        )
        word, _, rest = line.partition(" ")
        answer = await (socket.command("bury", cards=rest) if word == "bury" else socket.command("play", play=line))
        assert answer["t"] == "ack", answer
        await socket.reach(answer["seq"])


async def test_a_round_by_socket_shows_nobody_a_hidden_card(
    open_tractor: Callable[..., Four],
    settings: Any,
    no_limits: None,
) -> None:
    settings.TOCK_DRAW_MS = 30
    sat = await off_loop(open_tractor)()
    looker = await off_loop(appoint_referee)(sat)
    slug = sat.table.slug
    sockets = [await Socket.of(slug, player) for player in sat.players]
    watching = await Socket.of(slug, looker, role="referee")
    spectator = Socket(slug, role="spectator")
    await spectator.enter()
    drawing = asyncio.create_task(draw_cards(sat))
    try:
        await asyncio.wait_for(play_by_socket(sockets, random.Random(3)), 120)
    finally:
        drawing.cancel()
    game = await off_loop(lambda: Game.objects.select_related("table").get())()
    for socket in [*sockets, spectator, watching]:
        await socket.reach(game.last_seq)
    assert await off_loop(replays.faults)(game) == []
    rows, setup = await off_loop(store.load)(game.pk), await off_loop(store.setup_of)(game)
    words = [str(row.body.get("play")).partition(" ")[0] for row in rows]
    assert words.count("draw") == 25 * words.count("deck")
    assert words.index("show") < len(words) - words[::-1].index("draw")
    found = {step.row.seq: step for step in steps(opening(setup), rows)}
    for viewer, socket in zip(
        [*map(Viewer, range(4)), Viewer(), Viewer(referee=True)], [*sockets, spectator, watching], strict=True
    ):
        assert socket.view == view(found[game.last_seq].after, viewer)
        scan(socket.frames, found, viewer)


def scan(frames: list[dict[str, Any]], found: dict[int, Any], viewer: Viewer) -> None:
    """Assert that each frame only names cards that the viewer may know at that moment; an oracle that does not use the
    projection.
    """
    for frame in frames:
        if frame["t"] == "snap":
            assert set(CARD.findall(json.dumps(frame))) <= known(found[frame["seq"]].after, viewer)
            continue
        for event in frame.get("list", ()):
            step = found[event["seq"]]
            open_cards = known(step.before, viewer) | known(step.after, viewer) | said(step, viewer)
            assert set(CARD.findall(json.dumps(event))) <= open_cards, event
        if frame["t"] not in ("ev", "snap", "nak"):
            assert not CARD.findall(json.dumps(frame)), frame


def known(state: TableState, viewer: Viewer) -> set[str]:
    """Return the viewer's own cards and the public ones, from the position itself."""
    if state.position is None:
        return set()
    told = state.position.to_json()
    own: set[str] = set(told["hands"][viewer.seat]) if viewer.seat is not None else set()
    if viewer.seat is not None and viewer.seat == told.get("starter"):
        own |= set(told.get("buried", ())) | (set(told["talon"]) if told["phase"] == "bury" else set())
    open_cards = json.dumps([told.get(key) for key in ("show", "turned", "trick", "failed", "last")])
    return own | set(CARD.findall(open_cards)) | set(told.get("previous", {}).get("buried", ()))


def said(step: Any, viewer: Viewer) -> set[str]:
    """Return the cards that the row makes public, or shows the viewer who buried them."""
    row, body = step.row, step.row.body
    if row.code == "draw":
        return {card for _, card in body["cards"]}
    line = str(body.get("play", ""))
    if line.startswith("deck") or (line.startswith("bury") and viewer.seat != body["seat"]):
        return set()
    return set(CARD.findall(line))
