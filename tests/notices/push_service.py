"""A push service on this machine, over TLS, and a browser that reads what it got, written from the RFCs.

Nothing here is shared with what sends: decryption is RFC 8188 and RFC 8291, the signature RFC 8292.
"""

import base64
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

HOST = "push.example.org"
CURVE = ec.SECP256R1()


def spelled(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def read(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


class Browser:
    """A browser with its keys: what it gives away, and how it reads a message."""

    def __init__(self, name: str = "a") -> None:
        self.key = ec.generate_private_key(CURVE)
        self.secret = bytes(range(16))
        self.path = f"/send/{name}"

    @property
    def subscription(self) -> dict[str, str]:
        """Return what PushSubscription.toJSON() says, flat."""
        return {
            "endpoint": f"https://{HOST}{self.path}",
            "p256dh": spelled(point(self.key.public_key())),
            "auth": spelled(self.secret),
        }

    def open(self, body: bytes) -> dict[str, Any]:
        """Return the message of a body that was encrypted for this browser. One record, as RFC 8291 asks."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender = body[21 : 21 + length]
        record = body[21 + length :]
        assert (length, sender[0]) == (65, 4)
        assert len(record) <= size
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        about = b"WebPush: info\0" + point(self.key.public_key()) + sender
        key = derived(derived(shared, self.secret, about, 32), salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(derived(shared, self.secret, about, 32), salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert plain[-1:] == b"\2"  # the last record
        found: dict[str, Any] = json.loads(plain[:-1])
        return found


def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def claims(header: str) -> tuple[dict[str, Any], str]:
    """Return what a VAPID header claims, its signature verified, and the key that it names."""
    scheme, _space, rest = header.partition(" ")
    parts = dict(one.strip().split("=", 1) for one in rest.split(","))
    assert scheme == "vapid"
    signed, _dot, signature = parts["t"].rpartition(".")
    raw = read(signature)
    both = utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, read(parts["k"]))
    key.verify(both, signed.encode(), ec.ECDSA(hashes.SHA256()))
    head, body = (json.loads(read(part)) for part in signed.split("."))
    assert head["alg"] == "ES256"
    return body, parts["k"]


@dataclass
class Service:
    """What the push service got, and how it answers."""

    certificate: Path
    port: int = 0
    status: int = 201
    headers: dict[str, str] = field(default_factory=dict)
    mood: str = ""  # hangs, dies
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    let_go: threading.Event = field(default_factory=threading.Event)


@contextmanager
def running(folder: Path) -> Iterator[Service]:
    """Run a push service for HOST on a free port."""
    service = Service(folder / "push.pem")
    write_certificate(service.certificate)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if service.mood == "dies":
                self.close_connection = True
                return
            if service.mood == "hangs":
                service.let_go.wait(5)
                return
            service.got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(service.status)
            for name, value in service.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_args: Any) -> None:
            """Write no line to the standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_args: None  # type: ignore[method-assign]  # a client that refuses the certificate
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(service.certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    service.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.let_go.set()
        server.shutdown()
        server.server_close()
        thread.join()


def write_certificate(path: Path) -> None:
    key = ec.generate_private_key(CURVE)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
