"""The public beacon of the deals, from the environment: BEACON_URLS, BEACON_CHAIN, BEACON_KEY ... (docs/hosting.md)."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from tock_league.common import clock

SCHEME = "bls-unchained-g1-rfc9380"
NAMES = ("BEACON_URLS", "BEACON_CHAIN", "BEACON_KEY", "BEACON_GENESIS", "BEACON_PERIOD", "BEACON_SCHEME")
MOST_URLS = 8
MOST_PERIOD = 60  # seconds: a table waits for the next round
LOCAL = ("localhost", "127.0.0.1", "::1")


def beacon(variables: Mapping[str, str]) -> dict[str, Any] | None:
    """Return `urls` and `chain` (as a game's first commitment names it), or None where no beacon is set.

    Raises SystemExit with a sentence for one that is half set, or cannot be right.
    """
    given = {name: variables.get(name, "").strip() for name in NAMES}
    if not any(given.values()):
        return None
    missing = [name for name in NAMES if not given[name]]
    if missing:
        raise SystemExit(f"The public beacon needs all of its settings, or none: {', '.join(missing)} must be set too.")
    if given["BEACON_SCHEME"] != SCHEME:
        raise SystemExit(f"BEACON_SCHEME must be {SCHEME}: no other kind of beacon is verified here.")
    return {
        "urls": _urls(given["BEACON_URLS"].split()),
        "chain": {
            "chain": _hex("BEACON_CHAIN", given["BEACON_CHAIN"], 32),
            "key": _key(_hex("BEACON_KEY", given["BEACON_KEY"], 96)),
            "genesis": _number("BEACON_GENESIS", given["BEACON_GENESIS"], clock.now_ms() // 1000),
            "period": _number("BEACON_PERIOD", given["BEACON_PERIOD"], MOST_PERIOD),
            "scheme": SCHEME,
        },
    }


def _urls(urls: list[str]) -> tuple[str, ...]:
    if len(urls) > MOST_URLS:
        raise SystemExit(f"BEACON_URLS has more than {MOST_URLS} addresses.")
    for url in urls:
        parts = urlsplit(url)
        safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOCAL)
        try:
            complete = bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            complete = False
        if not safe or not complete or parts.query or parts.fragment or parts.username is not None:
            raise SystemExit(
                "BEACON_URLS must be addresses such as https://api.drand.sh, separated by blanks"
                f" (http only for a source on this machine): {url!r} is none."
            )
    return tuple(urls)


def _hex(name: str, text: str, size: int) -> str:
    if len(text) != 2 * size or not all(letter in "0123456789abcdef" for letter in text):
        raise SystemExit(f"{name} must be {2 * size} digits 0-9 a-f, as the source publishes it; it has {len(text)}.")
    return text


def _number(name: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text) <= most:
        raise SystemExit(f"{name} must be a whole number of seconds from 1 to {most}, not {text[:40]!r}.")
    return int(text)


def _key(text: str) -> str:
    # Only where a beacon is set: the library is not loaded otherwise.
    from games.services.bls import is_key

    if not is_key(bytes.fromhex(text)):
        raise SystemExit("BEACON_KEY is no public key of this scheme: copy it again from what the source publishes.")
    return text
