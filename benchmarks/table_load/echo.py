"""The bare peer, in its own process: `python -m benchmarks.table_load.echo PORT` under plain `websockets`.

`/<table>/<screen>` joins a table. The answer to a frame from one of its screens is an `ack` to the sender and one frame
to each of the six screens: the same traffic as for a stored play, without any work. The first frame of a table's screen
sets the sizes.
"""

import asyncio
import json
import sys

from tock_league.embedded.server import config


async def serve(port: int) -> None:
    """Serve until the process is ended."""
    from websockets.asyncio.server import ServerConnection
    from websockets.asyncio.server import serve as listen

    tables: dict[str, dict[int, ServerConnection]] = {}
    texts: dict[str, str] = {}

    async def on_socket(socket: ServerConnection) -> None:
        assert socket.request is not None
        _, table, screen = socket.request.path.split("/")
        screens = tables.setdefault(table, {})
        screens[int(screen)] = socket
        await socket.send('{"t":"hb"}')
        try:
            async for frame in socket:
                if frame.startswith('{"sizes":'):  # type: ignore[arg-type]
                    texts.update(json.loads(frame)["sizes"])
                    continue
                await socket.send(texts["ack"])
                for number, other in screens.items():
                    await other.send(texts["seat" if number < 4 else "spectator"])
        finally:
            if screens.get(int(screen)) is socket:
                del screens[int(screen)]

    async with listen(
        on_socket, "127.0.0.1", port, compression=None, ping_interval=None, backlog=2048, server_header=None
    ) as server:
        await server.serve_forever()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=config().get_loop_factory()) as runner:
        runner.run(serve(int(sys.argv[1])))
