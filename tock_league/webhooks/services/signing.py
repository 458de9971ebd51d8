"""Signs what is sent, as Standard Webhooks 1.0 says (https://www.standardwebhooks.com): receivers can use its libraries.

The signature is HMAC-SHA256, base64, over `id.timestamp.body`. The timestamp, in seconds since 1970, is that of the attempt: a
receiver refuses what is older than five minutes, so that nobody can send a copy of it again later.
"""

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> str:
    """Return a new secret as its owner gets it: the prefix, and 256 random bits in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode("ascii")


def signature(secret: str, *, event: str, timestamp: int, body: bytes) -> str:
    """Return the value of the header `webhook-signature`, such as `v1,…`."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{event}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode("ascii")
