"""The whole site in one process, and the order in which its parts start and stop.

Start: lock, port, migrations, demo league, worker, beat, then uvicorn (whose lifespan starts the deadline scheduler).
Stop: sockets are closed with 1012 and the deadline thread ends, then beat, then the worker; exit code 0 in seconds.
"""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from types import FrameType

from django.core.management import call_command
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor

from tock_league.common import clock, room

from . import datalock, folder, soundness
from .forwarded import trusted
from .server import SIGNALS, Server, bound_socket, config
from .worker import Beat, Worker

DEMO = "tock_league.demo.load"
Say = Callable[[str], None]


class CannotServe(Exception):
    """The reason, in one sentence for the person at the terminal."""


def serve(
    *,
    data: Path,
    host: str,
    port: int,
    demo: bool,
    say: Say,
    first: Callable[[], None] = lambda: None,
    beside: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext,
) -> None:
    """Serve the site from the folder `data` until a signal. Raises CannotServe.

    `first` is called while the folder is locked, before its database is opened; `beside` surrounds the serving.
    """
    try:
        trusted()  # the ASGI application reads it too, when the port is already bound
    except ValueError as error:
        raise CannotServe(str(error)) from None
    for number in SIGNALS:
        signal.signal(number, leave)  # until the server listens: migrations and the demo's transactions roll back
    os.umask(0o077)  # whatever this process writes is its owner's alone
    try:
        with datalock.hold(data):
            folder.make_private(data)
            with contextlib.closing(take_port(host, port)) as listening:
                first()
                with said_in_a_sentence(data):
                    soundness.check(connection)
                    migrate(say)
                    lines = prepare_demo(say) if demo else []
                with beside():
                    run(listening, lambda: announce(listening, lines, say), say)
    except folder.Unusable as reason:
        raise CannotServe(str(reason)) from None
    except datalock.Taken as taken:
        owner = f" (process {taken})" if str(taken) else ""
        raise CannotServe(
            f"Another serve{owner} already uses the data in {data}. Stop it, or choose another folder with --data."
        ) from None


@contextlib.contextmanager
def said_in_a_sentence(data: Path) -> Iterator[None]:
    """Raise CannotServe with a sentence for what the database or the disk refuse in the block."""
    try:
        yield
    except DatabaseError as error:
        raise CannotServe(soundness.sentence(data, error)) from None
    except OSError as error:
        raise CannotServe(f"{data} cannot be written: {error.strerror or error}. Make free space there.") from None


def leave(number: int, frame: FrameType | None) -> None:
    """End the process in order while nothing is served yet."""
    sys.exit(0)


def take_port(host: str, port: int) -> socket.socket:
    """Return a bound socket. Raises CannotServe when the port is taken or not ours to use."""
    try:
        return bound_socket(host, port)
    except OSError as error:
        raise CannotServe(
            f"Cannot listen on {host} port {port}: {error.strerror}. Choose another one with --port."
        ) from None


def migrate(say: Say) -> None:
    """Migrate the database; print a line only when there is something to do."""
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        executor.check_replacements()  # writes down those that replace what is applied, where an older version has not
        return
    say("Preparing the database ...")
    new = not connection.introspection.table_names()
    with connection.cursor() as cursor:
        if new and connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous=OFF")  # nothing to lose yet; a third of the first start's time
    call_command("migrate", verbosity=0, interactive=False)
    connections.close_all()  # the next connection is durable again


def prepare_demo(say: Say) -> list[str]:
    """Load the demo league or set its evening anew; return the lines to print (its accounts)."""
    if find_spec(DEMO) is None:
        return []
    say("Preparing the demo season ...")
    return list(import_module(DEMO).prepare(clock.now()))


def announce(listening: socket.socket, lines: Sequence[str], say: Say) -> None:
    """Print where the site is and who may sign in."""
    host, port = listening.getsockname()[:2]
    room.listen_on(host)
    reached = room.reached_at(host, port)
    if ip_address(host).is_unspecified:
        host = "::1" if ":" in host else "127.0.0.1"  # it listens everywhere, and this is where it surely is
    say(f"Tock League is at http://{f'[{host}]' if ':' in host else host}:{port}/")
    for address in reached:
        say(f"Others in the room reach it at {address}/")
    for line in lines:
        say(line)
    say("Stop with Ctrl+C.")


def run(listening: socket.socket, ready: Callable[[], None], say: Say) -> None:
    """Run worker, beat and web server until a signal; leave nothing running."""
    worker, beat = Worker(), Beat()

    def leaving() -> None:
        # All parts begin to stop at the same moment; the slowest one sets the time.
        worker.ask_to_stop()
        beat.service.stop()
        say("Stopping ...")

    server = Server(config(timeout_graceful_shutdown=2), ready=ready, leaving=leaving)
    worker.start()
    beat.start()
    try:
        with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
            runner.run(server.serve_with_signals([listening]))
    finally:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)  # a second signal must still stop at once
        beat.stop()
        worker.stop()
        connections.close_all()
    if not server.started:
        raise CannotServe("The web server did not start; the lines above say why.")
