"""A real HTTP server that takes what the site posts, and answers as the test wishes."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


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


def certificate_of(name: str, folder: Path) -> tuple[str, str]:
    """Return the files of a certificate for `name`, which vouches for itself, and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = x509.CertificateBuilder().subject_name(who).issuer_name(who).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(datetime(2020, 1, 1)).not_valid_after(datetime(2100, 1, 1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    (folder / "cert.pem").write_bytes(made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "key.pem").write_bytes(plain)
    return str(folder / "cert.pem"), str(folder / "key.pem")


@contextmanager
def receiving(files: tuple[str, str] | None = None) -> Iterator[Receiver]:
    """Run a receiver on a port of this machine; with the files of a certificate and its key by TLS."""
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
    if files is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*files)
        server.socket = context.wrap_socket(server.socket, server_side=True)
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
