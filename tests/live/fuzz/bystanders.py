"""A table beside the hostile ones: four sockets that keep to the protocol. They must not notice what others send."""

import random
import uuid
from collections.abc import Callable

from games import store
from games.fold import Viewer, view
from games.live.threads import in_thread
from games.models import Table
from tests.live.sockets import Socket

from .world import World, choose

PATIENCE_S = 60.0  # seconds, on a busy machine; the judgement counts frames, not seconds


class Bystanders:
    """Four people at a table, who make one play each time that `play` is awaited."""

    def __init__(self, world: World, sent: Callable[[], int]) -> None:
        self.world, self._sent = world, sent
        self.roll = random.Random("bystanders")
        self.plays = 0  # acknowledged plays
        self.waited = 0  # hostile frames sent between a play and its acknowledgement, at most

    async def sit_down(self) -> None:
        self.table: Table = await in_thread(self.world.open, "tock", "beside")
        self.sockets = []
        for seat in range(4):
            socket = Socket(self.table.slug, user=self.world.users[seat])
            await socket.connect()
            await socket.join()
            await socket.until("snap", PATIENCE_S)
            self.sockets.append(socket)
        for socket in self.sockets:
            await self._command(socket, "ready")

    async def play(self) -> None:
        """Make one play, check that it is acknowledged and that all four views are the fold of the rows."""
        state = await in_thread(self.world.state, self.table)
        if state.result is not None:
            await self.leave()
            await self.sit_down()
            state = await in_thread(self.world.state, self.table)
        seat = min(state.to_act)
        line = await in_thread(choose, state, seat, self.roll)
        before = self._sent()
        await self._command(self.sockets[seat], "play", play=line)
        self.waited = max(self.waited, self._sent() - before)
        self.plays += 1
        await self._agree()

    async def _command(self, socket: Socket, kind: str, **args: str) -> None:
        id = str(uuid.uuid4())
        await self._reach()
        await socket.send(t="cmd", id=id, turn=socket.view["decision"], kind=kind, args=args)
        while (frame := await socket.frame(PATIENCE_S)).get("id") != id:
            pass
        assert frame["t"] == "ack", f"a bystander was refused: {frame}"

    async def _reach(self) -> None:
        game = await in_thread(self.world.game, self.table)
        for socket in self.sockets:
            await socket.reach(game.last_seq, PATIENCE_S)

    async def _agree(self) -> None:
        await self._reach()
        game = await in_thread(self.world.game, self.table)
        state = await in_thread(store.current, game)
        for seat, socket in enumerate(self.sockets):
            assert socket.view == view(state, Viewer(seat)), f"a bystander's view at seat {seat} is not the fold"
            socket.frames.clear()
            socket.texts.clear()

    async def leave(self) -> None:
        for socket in self.sockets:
            await socket.inner.send_input({"type": "websocket.disconnect", "code": 1000})
            await socket.inner.wait(PATIENCE_S)
