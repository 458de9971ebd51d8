"""Several web processes behind one port, each with our `Server`; uvicorn's own would close tables without notice."""

import asyncio
import signal
import socket
import threading

from uvicorn.supervisors import multiprocess

from . import meters
from .server import Server


class WorkerServer(Server):
    """Stops in order, however often it is told to: supervisors may signal the whole group and the parent once more."""

    def on_signal(self) -> None:
        self.should_exit = True


class Worker(multiprocess.Process):
    """A web process; its parent watches it by pings and sends SIGTERM."""

    @property
    def server(self) -> Server:
        if self._server is None:
            self._server = WorkerServer(self.config)
        return self._server  # type: ignore[return-value]

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until SIGTERM; in the new process."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole group, and the parent says SIGTERM
        threading.Thread(target=self.always_pong, daemon=True).start()
        run(self.server, sockets or [])


class Workers(multiprocess.Multiprocess):
    """uvicorn's parent of several processes, with ours as its children."""

    def run(self) -> None:
        multiprocess.Process = Worker  # type: ignore[misc]  # uvicorn asks for no class of its own
        super().run()

    def keep_subprocess_alive(self) -> None:
        before = {process.pid for process in self.processes}
        super().keep_subprocess_alive()
        for pid in before - {process.pid for process in self.processes}:
            meters.ended(pid)


def run(server: Server, sockets: list[socket.socket]) -> None:
    """Serve on `sockets` until a signal, in this thread."""
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(server.serve_with_signals(sockets))
