"""The site's key of web push (RFC 8292), and messages that only the browser can read (RFC 8291)."""

import base64
from dataclasses import dataclass
from functools import cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from ..models import Device
from .endpoints import Forbidden

FALLBACK = "tock@localhost"


@dataclass(frozen=True)
class Message:
    """What is posted to a push service."""

    body: bytes
    headers: dict[str, str]


def public_key() -> str:
    """Return the site's public key as browsers want it, base64url; "" where no pushes are sent."""
    return _public(settings.PUSH_KEY) if settings.PUSH_KEY else ""


def message(device: Device, body: bytes, *, lasts_s: int, topic: str) -> Message:
    """Return `body` encrypted for the device and signed by the site.

    Raise Forbidden for an endpoint whose host is no name, such as 1.2.3.256.
    """
    # Imported here: a web process need not hold the library.
    from webpush import WebPush
    from webpush.types import WebPushKeys, WebPushSubscription

    private, public = _pem(settings.PUSH_KEY)
    sender = WebPush(private, public, subscriber=contact(), ttl=lasts_s, expiration=3600)
    keys = WebPushKeys(auth=device.auth, p256dh=device.p256dh)
    try:
        subscription = WebPushSubscription.model_validate({"endpoint": device.endpoint, "keys": keys})
    except ValueError:  # its rules for names are stricter than those of `endpoints.checked`
        raise Forbidden("form") from None
    made = sender.get(body, subscription)
    headers = {**made.headers, "content-type": "application/octet-stream", "topic": topic, "urgency": "normal"}
    return Message(made.encrypted, {str(name): str(value) for name, value in headers.items()})


def contact() -> str:
    """Return the address that push services get, to reach whoever runs the site."""
    for found in (settings.PUSH_CONTACT, settings.SECURITY_CONTACT, settings.PRIVACY_CONTACT):
        address = found.removeprefix("mailto:")
        if "@" in address and ":" not in address:
            return str(address)
    return FALLBACK


@cache
def _key(text: str) -> ec.EllipticCurvePrivateKey:
    number = int.from_bytes(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    return ec.derive_private_key(number, ec.SECP256R1())


@cache
def _public(text: str) -> str:
    point = (
        _key(text).public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


@cache
def _pem(text: str) -> tuple[bytes, bytes]:
    key = _key(text)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private, public
