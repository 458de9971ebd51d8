"""The whole site inside the test process: uvicorn in a thread on a free port, worker and beat as in `serve`."""

import threading
import time

from tock_league.embedded.server import Server, bound_socket, config
from tock_league.embedded.worker import Beat, Worker


class LiveSite:
    """A site at `url`; a test may start and stop it as often as needed, and the port stays the same."""

    def __init__(self, *, host: str = "127.0.0.1") -> None:
        self.host = host
        self.port = 0
        self._server: Server | None = None
        self._thread: threading.Thread | None = None
        self._worker = Worker()
        self._beat = Beat()

    @property
    def url(self) -> str:
        """Return the address of the site, without a slash at its end."""
        return f"http://{self.host}:{self.port}"

    def socket_url(self, path: str) -> str:
        """Return the address of a socket; `path` begins with a slash."""
        return f"ws://{self.host}:{self.port}{path}"

    def start_web(self, patience: float = 20.0) -> None:
        """Start the web server and wait until it answers. Raises RuntimeError after `patience` seconds."""
        listening = bound_socket(self.host, self.port)
        self.port = listening.getsockname()[1]
        up = threading.Event()
        self._server = Server(config(log_config=None, timeout_graceful_shutdown=1), ready=up.set)
        self._thread = threading.Thread(target=self._server.run, args=([listening],), name="live site", daemon=True)
        self._thread.start()
        if not up.wait(patience):
            raise RuntimeError("the site does not come up")

    def stop_web(self, patience: float = 10.0) -> None:
        """Stop the web server as a deploy would (sockets are closed with 1012) and wait until it has ended."""
        if self._server is None or self._thread is None:
            return
        self._server.should_exit = True
        self._thread.join(patience)
        if self._thread.is_alive():
            raise RuntimeError("the site does not stop")
        self._server = self._thread = None

    def start(self) -> None:
        """Start worker, beat and web server."""
        self._worker.start(patience=60.0)  # the first start of a process imports everything, on a busy machine slowly
        self._beat.start()
        self.start_web()

    def stop(self) -> None:
        """Stop everything, in the order of `serve`."""
        self.stop_web()
        self._beat.stop()
        self._worker.stop()


def eventually(true, *, seconds: float = 10.0, every: float = 0.05):  # type: ignore[no-untyped-def]
    """Return the first true value of `true()`. Raises AssertionError after `seconds`; used to wait for workers."""
    until = time.monotonic() + seconds
    while not (value := true()):
        assert time.monotonic() < until, f"still not so after {seconds} s: {value!r}"
        time.sleep(every)
    return value
