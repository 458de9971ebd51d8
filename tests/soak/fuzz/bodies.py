"""Bodies: what is filled into a form, encoded as a browser does it, or wrongly."""

import json
import random
from urllib.parse import urlencode

from .forms import Pairs


def encoded(roll: random.Random, pairs: Pairs, *, multipart: bool) -> tuple[str, bytes]:
    """Return content type and body of the pairs: usually as a browser sends them."""
    pick = roll.random()
    if pick < 0.86:
        return multi(pairs) if multipart else ("application/x-www-form-urlencoded", plain(pairs))
    if pick < 0.89:
        kind, body = multi(pairs)
        at = roll.randrange(len(body) + 1)
        return roll.choice(
            [kind, "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\xff"]
        ), roll.choice(
            [body[:at], body + body, body.replace(b"form-data", b"file"), b"--x\r\n\r\n", body.replace(b"\r\n", b"\n")]
        )
    if pick < 0.92:
        return "application/json", json.dumps(dict(pairs)).encode("utf-8", "surrogatepass")
    charset = roll.choice(
        ["utf-16", "latin-1", "utf-7", "nonsense", "utf-8\x00", "idna", "base64", "rot13", "undefined"]
    )
    kind = roll.choice(
        [f"application/x-www-form-urlencoded; charset={charset}", "text/plain", "", "application/xml", "*/*", "x" * 300]
    )
    return kind, roll.choice(
        [plain(pairs), b"\xff\xfe" + plain(pairs), b"%", b"=&=&", b"\x00" * 20, b"&".join([b"a=1"] * 1500)]
    )


def plain(pairs: Pairs) -> bytes:
    return urlencode(
        [(name.encode("utf-8", "surrogatepass"), value.encode("utf-8", "surrogatepass")) for name, value in pairs]
    ).encode()


def multi(pairs: Pairs) -> tuple[str, bytes]:
    parts = [
        b'--fuzz\r\nContent-Disposition: form-data; name="' + name.encode("utf-8", "surrogatepass") + b'"\r\n\r\n'
        + value.encode("utf-8", "surrogatepass") + b"\r\n"
        for name, value in pairs
    ]  # fmt: skip
    return "multipart/form-data; boundary=fuzz", b"".join(parts) + b"--fuzz--\r\n"
