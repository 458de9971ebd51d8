"""A real HTTP server that takes webhooks, and answers as the test wishes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Receiver:
    """`got`: path, headers and body of each request, in order. `answers`: what is sent to the next ones, then 200."""

    port: int = 0
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    drips: bool = False  # whether it answers one byte at a time, without an end
    ends: threading.Event = field(default_factory=threading.Event)

    def address(self, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}/hook?x=1"


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver on a port of this machine."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.got.append((self.path, {key.lower(): value for key, value in self.headers.items()}, body))
            if receiver.drips:
                self._drip()
                return
            status, headers, text = receiver.answers.pop(0) if receiver.answers else (200, {}, b"Merci.")
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def do_GET(self) -> None:
            receiver.got.append((f"GET {self.path}", {}, b""))
            self.send_response(204)
            self.end_headers()

        def _drip(self) -> None:
            try:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
                while not receiver.ends.wait(0.05):
                    self.wfile.write(b"a")
                    self.wfile.flush()
            except OSError:
                pass

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.ends.set()
        server.shutdown()
        server.server_close()
        thread.join()
