"""The seeds that a record reveals, each proved to belong to a root at its beginning."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.engine import shuffle
from games.fold import NONE, Row, Setup
from tock_league.common.errors import Refused

from ..deals import DEALS, SALT, SEED, Deals
from .common import refuse

DIGEST = 32


def opened(setup: Setup, rows: Sequence[Row]) -> Deals:
    """Return the secret of the deals that the record reveals, each proved to belong to a root at its beginning."""
    last = next((row for row in reversed(rows) if row.code == "open"), None)
    if last is None:
        raise Refused("record_not_ended", _("The record does not end: its seeds are not opened."), field="rows")
    roots = {row.body.get("first"): row.body.get("root") for row in rows if row.code == "commit"}
    by_seats = next((row.body.get("shares") for row in rows if row.code == "commit"), NONE) != NONE
    seeds, salts = b"", b""
    for d, (entry, seed, salt, path) in enumerate(_entries(last)):
        root = from_hex(roots.get(d - d % DEALS), DIGEST)
        proved = root and shuffle.merkle_verify(root, shuffle.commit(seed, salt), d % DEALS, DEALS, path)
        if entry != d or not proved:
            raise refuse("record_commitment", last, f"deals.{d}", _("This seed is not the one that was committed to."))
        if by_seats and d >= DEALS and (seed, salt) != _later(seeds, salts, d):
            raise refuse("record_commitment", last, f"deals.{d}", _("This seed does not follow from the first ones."))
        seeds, salts = seeds + seed, salts + salt
    return Deals(game=setup.game, rules=setup.rules, seats=setup.seats, seeds=seeds, salts=salts)


def _later(seeds: bytes, salts: bytes, d: int) -> tuple[bytes, bytes]:
    """Return seed and salt of deal `d`, as they follow from those of the deal 64 before it."""
    seed, salt = seeds[(d - DEALS) * SEED :][:SEED], salts[(d - DEALS) * SALT :][:SALT]
    return shuffle.later_secret(seed, d, SEED), shuffle.later_secret(salt, d, SALT)


def _entries(row: Row) -> Iterator[tuple[Any, bytes, bytes, list[bytes]]]:
    """Yield (d, seed, salt, path) of each revealed deal; refuse other formats."""
    deals = row.body.get("deals")
    for d, deal in enumerate(deals if isinstance(deals, list) else [None]):
        if isinstance(deal, Mapping) and deal.keys() == {"d", "seed", "salt", "path"}:
            seed, salt = from_hex(deal["seed"], SEED), from_hex(deal["salt"], SALT)
            path = [from_hex(node, DIGEST) for node in deal["path"]] if isinstance(deal["path"], list) else [b""]
            if seed and salt and all(path):
                yield deal["d"], seed, salt, path
                continue
        raise refuse("record_commitment", row, f"deals.{d}", _("An opened deal has d, seed, salt and path, in hex."))


def from_hex(text: object, size: int) -> bytes:
    """Return the bytes that `text` gives in hex, or nothing if it does not give `size` of them."""
    try:
        value = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        return b""
    return value if len(value) == size else b""
