"""A source of a public beacon with a key of its own, and the server that gives its rounds, on this machine alone."""

import datetime
import json
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_arkworks_bls12381 import G1Point, G2Point, Scalar

from games.fold import Chain
from games.services.bls import DOMAIN

DAY = datetime.timedelta(days=1)
GENESIS, PERIOD = 1_780_000_000, 3
# The public chain quicknet, and rounds that it has published.
QUICKNET = Chain(
    chain="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    key="83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    genesis=1_692_803_367,
    period=3,
)
PUBLISHED = {
    1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
    12040883: "929906c959032ab363c9f26570d215d66f5c06cb0c44fe508c12bb5839f04ec895bb6868e5b9ff13ab289bdb5266b394",
}
RANDOMNESS = {657413: "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"}


class Drand:
    """The key of a chain, and what it signs."""

    def __init__(self, secret: int = 20_261_125, *, period: int = PERIOD) -> None:
        self._secret = Scalar(secret)
        key = bytes((G2Point() * self._secret).to_compressed_bytes())
        self.chain = Chain(chain=sha256(key).hexdigest(), key=key.hex(), genesis=GENESIS, period=period)

    def sign(self, round_: int) -> str:
        point = G1Point.hash_to_curve(sha256(round_.to_bytes(8, "big")).digest(), DOMAIN)
        return bytes((point * self._secret).to_compressed_bytes()).hex()

    def body(self, round_: int) -> dict[str, Any]:
        signature = self.sign(round_)
        return {
            "round": round_,
            "randomness": sha256(bytes.fromhex(signature)).hexdigest(),
            "signature": signature,
        }


class Source(Drand):
    """A source that answers, or does what `mood` says: one of the methods below that begin with `be_`."""

    mood = "right"
    _server: ThreadingHTTPServer

    def __init__(self, secret: int = 20_261_125, *, period: int = PERIOD) -> None:
        super().__init__(secret, period=period)
        self.url, self.asked = "", list[str]()

    @contextmanager
    def serving(self) -> Iterator["Source"]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"source": self}))
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        self.url, self._server = f"http://127.0.0.1:{server.server_port}", server
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join(5)

    def secured(self, folder: Path) -> Path:
        """Speak TLS from now on, with a certificate that nobody has signed; return its file."""
        key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
        now = datetime.datetime.now(datetime.UTC)
        made = (
            x509.CertificateBuilder(name, name, key.public_key(), 1, now - DAY, now + DAY)
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=True)
            .sign(key, hashes.SHA256())
        )
        plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        both, certificate = folder / "both.pem", folder / "certificate.pem"
        certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        both.write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain) + certificate.read_bytes())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(both)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.url = self.url.replace("http:", "https:")
        return certificate

    def setting(self, *more: str) -> dict[str, Any]:
        """Return `settings.BEACON` for this source, and further addresses after its own."""
        return {"urls": (self.url, *more), "chain": self.chain.to_json()}

    def be_right(self, handler: "_Handler", round_: int) -> None:
        handler.give(json.dumps(self.body(round_)).encode())

    def be_another_round(self, handler: "_Handler", round_: int) -> None:
        handler.give(json.dumps(self.body(round_ + 1)).encode())

    def be_an_old_round_renamed(self, handler: "_Handler", round_: int) -> None:
        handler.give(json.dumps(self.body(round_ - 1) | {"round": round_}).encode())

    def be_another_key(self, handler: "_Handler", round_: int) -> None:
        handler.give(json.dumps(Drand(7).body(round_)).encode())

    def be_zero(self, handler: "_Handler", round_: int) -> None:
        """The point at infinity, in the place of a signature."""
        handler.give(json.dumps(self.body(round_) | {"signature": "c0" + "00" * 47}).encode())

    def be_no_json(self, handler: "_Handler", round_: int) -> None:
        handler.give(b"<html>" + b"[" * 3000)

    def be_too_large(self, handler: "_Handler", round_: int) -> None:
        handler.give(json.dumps(self.body(round_) | {"more": "x" * 5000}).encode())

    def be_elsewhere(self, handler: "_Handler", round_: int) -> None:
        """A redirect to the right answer."""
        handler.send_response(302)
        handler.send_header("Location", f"{self.url}/right/{self.chain.chain}/public/{round_}")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def be_missing(self, handler: "_Handler", round_: int) -> None:
        handler.send_error(404)

    def be_slow(self, handler: "_Handler", round_: int) -> None:
        """A byte now and then, for much longer than anybody waits."""
        for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n" + b"{" * 300:
            handler.wfile.write(bytes([byte]))
            time.sleep(0.1)

    def be_silent(self, handler: "_Handler", round_: int) -> None:
        time.sleep(20)


class _Handler(BaseHTTPRequestHandler):
    source: Source

    def do_GET(self) -> None:
        self.source.asked.append(self.path)
        mood = "right" if self.path.startswith("/right/") else self.source.mood
        try:
            getattr(self.source, f"be_{mood}")(self, int(self.path.rsplit("/", 1)[1]))
        except OSError:
            self.close_connection = True  # the other side has ended the exchange

    def give(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing."""
