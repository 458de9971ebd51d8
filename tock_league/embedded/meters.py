"""Metrics of several processes with one parent: a folder in which all count, and a port where there is no web server.

The folder is named in the environment before anything that counts is imported, and its processes inherit the name. A process that
ends leaves its counts there, so that sums never fall; gauges such as open sockets count the living ones only.
"""

import atexit
import os
import shutil
import ssl
import tempfile
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the library's name
PORT = "METRICS_PORT"


def together() -> None:
    """Let this process and its future children count together, in a temporary folder that ends with this process."""
    if FOLDER in os.environ:
        return
    folder, owner = tempfile.mkdtemp(prefix="tock-metrics-"), os.getpid()
    os.environ[FOLDER] = folder

    def remove() -> None:
        if os.getpid() == owner:  # forked children inherit this function
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)


def ended(pid: int | None) -> None:
    """Forget the gauges of a process that has ended, such as its open sockets."""
    if pid is not None and FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(pid)


def serve(port: int) -> None:
    """Answer scrapes on `port` in a thread, without a token: only a network of our own may reach it.

    For workers. Nothing is looked up here, because the web processes do that.
    """
    server = make_server("0.0.0.0", port, _answer, handler_class=_Quiet)  # nosec B104: no port is published
    if certificate := os.environ.get("TLS_CERTIFICATE"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, os.environ["TLS_KEY"])
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()


def _answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

    from tock_league.common.metrics import counted

    if environ["PATH_INFO"] != "/metrics":
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [b""]
    start_response("200 OK", [("Content-Type", CONTENT_TYPE_LATEST)])
    return [generate_latest(counted())]


class _Quiet(WSGIRequestHandler):
    timeout = 5

    def log_message(self, format: str, *args: Any) -> None:
        """Write no line for a scrape."""
