"""uvicorn embedded in our process.

uvicorn restores the signal handlers and raises the signal again after serving, which kills the process before our own
clean-up; so it is kept from signals here, and the loop tells it to stop.
"""

import asyncio
import contextlib
import ctypes
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator

import uvicorn

SIGNALS = (signal.SIGTERM, signal.SIGINT)
MAX_FRAME = 64 * 1024  # bytes; the table itself takes 4 KiB and says so with a close code of its own
CONNECTIONS = 4000  # of one process, sockets included; fewer where it may have fewer files
COLLECT_AFTER = (3000, 10, 20)  # new objects, young collections, middle ones; see gc.set_threshold
M_MMAP_THRESHOLD, LARGE = -3, 1024 * 1024  # of mallopt(3); bytes
OTHER_FILES = 200  # what the process needs besides: databases, Redis, logs


def config(**more: object) -> uvicorn.Config:
    """Return how every uvicorn of ours serves; `more` overrides."""
    settings: dict[str, object] = {
        "app": "tock_league.asgi:application",
        "lifespan": "on",
        "http": "tock_league.embedded.patience:PatientProtocol",
        "proxy_headers": False,  # tock_league.embedded.forwarded reads them
        "limit_concurrency": connections(),
        "backlog": 1024,
        "timeout_keep_alive": 5,
        "ws": "tock_league.embedded.patience:PatientSocket",
        "ws_max_size": MAX_FRAME,
        "ws_ping_interval": 30.0,
        "ws_ping_timeout": 60.0,
        "ws_per_message_deflate": False,  # frames are small, and a compressed length would tell of what is hidden
        "timeout_graceful_shutdown": 2,
        "log_config": None,  # its lines go where ours go
        "log_level": "warning",  # at DEBUG it would write down frames, and with them hands
        "access_log": False,
        "server_header": False,
    }
    return uvicorn.Config(**(settings | more))  # type: ignore[arg-type]


def connections() -> int:
    """Return how many connections a process takes; it is given as many files as its limit can be raised to."""
    try:
        import resource
    except ImportError:  # Windows counts no files
        return CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return CONNECTIONS if soft == resource.RLIM_INFINITY else max(50, min(CONNECTIONS, soft - OTHER_FILES))


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket bound to `host` and `port` (0: any free one), not yet listening. Raises OSError when taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # there it would let two servers share the port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    bound.set_inheritable(False)
    return bound


def spare_collections() -> None:
    """Let the collector of garbage stop the process less often, and for less long.

    What the start has made stays for good: full collections need not walk it. States of tables are many objects that live for
    a few plays and refer to each other in one direction, so they go without the collector: with Python's own thresholds it cost
    a quarter of a play, and stopped a process with 50 tables for 0.3 s at a time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def return_large_blocks() -> None:
    """Let glibc give blocks of a megabyte and more back to the system as soon as they are free.

    After the first such block it would raise its own limit, and each thread that has checked a password would keep the 16 MiB
    that scrypt takes. Other C libraries have no such switch.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)


class Server(uvicorn.Server):
    """Serves until the first signal; the second one ends the process on the spot.

    `ready` is called once, in the loop, when requests are answered; `leaving` when the first signal has come.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        ready: Callable[[], None] = lambda: None,
        leaving: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._leaving = leaving
        self._alone = False  # the process serves and does nothing else

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            if self._alone:
                spare_collections()
                return_large_blocks()
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no connections, let tables finish accepted commands and close (1012), then stop as uvicorn does."""
        for server in self.servers:
            server.close()
        from games.live import doors, hub  # the application is loaded by now; before, Django was not set up
        from tock_league.feed import live

        doors.watch().end_polls()
        live.end_all()
        await hub.drain()
        await super().shutdown(sockets=sockets)

    def listen_to_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        """Take SIGTERM and SIGINT over for as long as `loop` runs; call it in the main thread."""
        for number in SIGNALS:
            try:
                loop.add_signal_handler(number, self.on_signal)
            except NotImplementedError:  # Windows
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(self.on_signal))

    def on_signal(self) -> None:
        """First time: stop in order. Second time: stop at once; what was acknowledged is committed anyway."""
        if self.should_exit:
            os._exit(1)
        self.should_exit = True
        self._leaving()

    async def serve_with_signals(self, sockets: list[socket.socket]) -> None:
        """Serve on `sockets` until a signal or `should_exit`."""
        self._alone = True
        self.listen_to_signals(asyncio.get_running_loop())
        await self.serve(sockets=sockets)
