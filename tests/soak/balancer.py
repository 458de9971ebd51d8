"""A reverse proxy for the soaks: `python -m tests.soak.balancer HOST:PORT UPSTREAM:PORT...`.

It does what docs/several-hosts.md asks of a proxy before several web processes: it asks each one for /health/ready, leaves
out those that do not answer, tries another one when one cannot be reached, and repeats a GET whose answer has not begun.
Anything else that has been sent is not sent again. Its times are those of deploy/caddy/Caddyfile. One request a connection, or
one socket. Ends with its counts on SIGTERM.
"""

import asyncio
import contextlib
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

HEALTH_S, HEALTH_PATIENCE_S = 2.0, 3.0  # a process is asked for its readiness every so often, and waited for so long
DIAL_S, REST_S, TRY_S, AGAIN_S = 2.0, 2.0, 8.0, 0.1
Address = tuple[str, int]
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Upstream:
    """A web process. `ready`: what it said last; `rests`: until when it is left out, because it was not reached."""

    address: Address
    ready: bool = True
    rests: float = 0.0

    @property
    def is_up(self) -> bool:
        return self.ready and time.monotonic() >= self.rests

    async def watch(self, host: str) -> None:
        """Ask for readiness, again and again."""
        while True:
            begun = time.monotonic()
            self.ready = await self._is_ready(host)
            await asyncio.sleep(max(0.05, HEALTH_S - (time.monotonic() - begun)))

    async def _is_ready(self, host: str) -> bool:
        asked = f"GET /health/ready HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        try:
            async with asyncio.timeout(HEALTH_PATIENCE_S):
                reader, writer = await asyncio.open_connection(*self.address)
                try:
                    writer.write(asked.encode())
                    return b" 200 " in await reader.readline()
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return False


@dataclass
class Balancer:
    """Passes requests on to the upstreams in turn."""

    upstreams: list[Upstream]
    counts: Counter[str] = field(default_factory=Counter)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        try:
            asked = await _request(reader)
            self.counts["requests"] += 1
            await self._pass_on(asked, (reader, writer))
        except (OSError, asyncio.IncompleteReadError):
            self.counts["left"] += 1  # the client has gone
        except asyncio.CancelledError:
            pass  # the proxy ends
        finally:
            writer.close()

    async def _pass_on(self, asked: bytes, client: Stream) -> None:
        until, is_get = time.monotonic() + TRY_S, asked.startswith(b"GET ")
        while time.monotonic() < until:
            upstream = await self._dial()
            if upstream is None:
                await asyncio.sleep(AGAIN_S)
                continue
            begun = b""
            with contextlib.suppress(OSError):
                upstream[1].write(asked)
                begun = await upstream[0].read(65536)
            if begun:
                client[1].write(begun)
                await _both_ways(client, upstream)
                return
            upstream[1].close()
            if not is_get:
                break
            self.counts["repeated"] += 1
        self.counts["bad gateway"] += 1
        print("502", asked.partition(b"\r\n")[0].decode(errors="replace"), flush=True)
        client[1].write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    async def _dial(self) -> Stream | None:
        """Return a connection to the next upstream that takes one, or None; the first one is chosen next time last."""
        for upstream in [each for each in self.upstreams if each.is_up]:
            self.upstreams.remove(upstream)
            self.upstreams.append(upstream)
            try:
                async with asyncio.timeout(DIAL_S):
                    return await asyncio.open_connection(*upstream.address)
            except (OSError, TimeoutError):
                self.counts["not reached"] += 1
                upstream.rests = time.monotonic() + REST_S
        return None


async def _request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = (line.partition(b":") for line in head.lower().split(b"\r\n"))
    length = next((int(value) for name, _, value in lines if name == b"content-length"), 0)
    return head + await reader.readexactly(length)


async def _both_ways(client: Stream, upstream: Stream) -> None:
    """Copy until one side closes, then close the other one."""
    copying = [
        asyncio.ensure_future(_copy(client[0], upstream[1])),
        asyncio.ensure_future(_copy(upstream[0], client[1])),
    ]
    await asyncio.wait(copying, return_when=asyncio.FIRST_COMPLETED)
    for each in copying:
        each.cancel()
    upstream[1].close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()


async def main(listen: Address, upstreams: list[Address], host: str) -> Counter[str]:
    """Serve until SIGTERM; return what was counted."""
    balancer, ended = Balancer([Upstream(address) for address in upstreams]), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    watching = [asyncio.ensure_future(each.watch(host)) for each in balancer.upstreams]
    server = await asyncio.start_server(balancer.serve, *listen)
    await ended.wait()
    for task in watching:
        task.cancel()
    server.close()
    return balancer.counts


def _address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    return host, int(port)


if __name__ == "__main__":
    from tests.plant.production import HOST

    counted = asyncio.run(main(_address(sys.argv[1]), [_address(each) for each in sys.argv[2:]], HOST))
    print(", ".join(f"{name} {count}" for name, count in sorted(counted.items())), flush=True)
