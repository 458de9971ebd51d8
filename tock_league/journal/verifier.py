#!/usr/bin/env python3
"""Check an exported journal of Tock League: one file, the standard library only.

    python3 verifier.py competition-spring.jsonl [--hash 6f91f574...]

Exit code 0: every entry is as it was written, follows the one before it, and the last one is the one the first line
names. Exit code 1: the first bad entry and what is wrong with it. `--hash` is the last hash that the site's page or an
older export showed, which a forger of the whole file cannot know: the file must contain it.

The file is UTF-8, one JSON text a line, keys sorted, no spaces. First line: {"entries","format","hash","stream"}; then one
line an entry: {"body","hash","prev_hash","seq"}, `body` being the canonical JSON that was hashed. An entry that is not
public yet stands as {"hash","prev_hash","sealed","seq"}: its number and links are checked, its text only once a later
export holds it; keep the older one, the hashes must be the same.
hash 0 = SHA-256("tock-journal-v1|" stream); hash n = SHA-256("tock-event-v1|" hash n-1 (32 bytes) body).
A personal text is not in the file: the body holds {"sha256": SHA-256(16 random bytes, text)} in its place.

It shares no code with the site, on purpose.
"""

import argparse
import hashlib
import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

FORMAT = "tock-journal-v1"
OPEN: dict[str, type] = {"body": str, "hash": str, "prev_hash": str, "seq": int}
SEALED: dict[str, type] = {"hash": str, "prev_hash": str, "sealed": bool, "seq": int}
HEX = re.compile(r"[0-9a-f]{64}")
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


class Bad(Exception):
    """The journal is not as it was written."""


def verify(lines: Iterable[bytes], known_hash: str = "") -> tuple[str, int, str]:
    """Return (stream, number of entries, last hash) of an export. Raises Bad naming the first bad entry."""
    rest = iter(lines)
    head = _line(next(rest, b""), {"entries": int, "format": str, "hash": str, "stream": str}, "the first line")
    if head["format"] != FORMAT:
        raise Bad(f"the first line: the format is not {FORMAT}")
    stream, last, seq = head["stream"], hashlib.sha256(f"{FORMAT}|{head['stream']}".encode()).hexdigest(), 0
    seen = not known_hash or known_hash == last
    for seq, line in enumerate(rest, start=1):
        last = _follow(stream, seq, last, line)
        seen = seen or last == known_hash
    if seq != head["entries"]:
        raise Bad(f"{stream}, entry {seq + 1 if seq < head['entries'] else head['entries'] + 1}: {_count(head, seq)}")
    if last != head["hash"]:
        raise Bad(f"{stream}, entry {seq}: its hash is not the last hash that the first line names")
    if not seen:
        raise Bad(f"{stream}: the hash {known_hash} is not in it, so it is not the journal that was published")
    return stream, seq, last


def _count(head: dict[str, Any], found: int) -> str:
    return f"the first line counts {head['entries']} entries, the file holds {found}"


def _follow(stream: str, seq: int, prev_hash: str, line: bytes) -> str:
    """Return the hash of entry `seq`, whose line is `line`. Raises Bad."""
    where = f"{stream}, entry {seq}"
    entry = _line(line, SEALED if _is_sealed(line) else OPEN, where)
    if entry["seq"] != seq:
        raise Bad(f"{where}: the number {entry['seq']} stands there; one was dropped, inserted or swapped")
    if entry["prev_hash"] != prev_hash:
        raise Bad(f"{where}: it is not linked to the entry before it")
    if _is_sealed(line):
        return str(entry["hash"])
    body = entry["body"].encode()
    if hashlib.sha256(b"tock-event-v1|" + bytes.fromhex(prev_hash) + body).hexdigest() != entry["hash"]:
        raise Bad(f"{where}: its text does not have its hash")
    _read(body, stream, seq, where)
    return str(entry["hash"])


def _is_sealed(line: bytes) -> bool:
    """Return whether the line is one without a body, for an entry that is not public yet."""
    return b'"sealed":true' in line and b'"body":' not in line


def _line(line: bytes, shape: dict[str, type], where: str) -> dict[str, Any]:
    """Return the line as a mapping of that shape; it must be written in the one way such a line is written."""
    if not line.endswith(b"\n"):
        raise Bad(f"{where}: the line is not there, or it has no end")
    found = _json(line[:-1], where)
    if not isinstance(found, dict) or {key: type(value) for key, value in found.items()} != shape:
        raise Bad(f"{where}: the line does not hold {', '.join(shape)}")
    for key in ("hash", "prev_hash"):
        if key in found and not HEX.fullmatch(found[key]):
            raise Bad(f"{where}: {key} is not a SHA-256")
    return found


def _read(body: bytes, stream: str, seq: int, where: str) -> None:
    """Raise Bad unless the body is canonical and says of itself where it stands."""
    told = _json(body, where)
    if not isinstance(told, dict) or told.get("stream") != stream or told.get("seq") != seq:
        raise Bad(f"{where}: its text says that it stands elsewhere")
    if not all(isinstance(told.get(key), str) and told[key] for key in ("actor", "at", "kind")):
        raise Bad(f"{where}: its text does not say who did what, and when")
    if not AT.fullmatch(told["at"]):
        raise Bad(f"{where}: the instant is not written as 2026-05-01T18:00:00.000Z")


def _json(text: bytes, where: str) -> Any:
    """Return the JSON value of `text`, which must be the canonical text of that value. Raises Bad."""
    try:
        told = text.decode()
        found = json.loads(told, parse_float=_no_fraction, parse_constant=_no_fraction)
        again = json.dumps(found, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        normal = again == unicodedata.normalize("NFC", again)
    except (ValueError, RecursionError) as error:
        raise Bad(f"{where}: this is not the JSON of a journal") from error
    if told != again or not normal:
        raise Bad(f"{where}: the text is not canonical: keys sorted, no spaces, NFC")
    return found


def _no_fraction(text: str) -> Any:
    raise ValueError(text)


def _lines(path: str) -> Iterator[bytes]:
    with open(path, "rb") as file:
        yield from file


def main(words: list[str] | None = None) -> int:
    """Check the file that the command line names, print what was found, return the exit code."""
    parser = argparse.ArgumentParser(description="Check an exported journal of Tock League.")
    parser.add_argument("file", help="the export: JSON lines")
    parser.add_argument("--hash", default="", help="a last hash known from the site's page or from an older export")
    chosen = parser.parse_args(words)
    try:
        stream, entries, last = verify(_lines(chosen.file), chosen.hash)
    except Bad as bad:
        print(f"BAD  {bad}")
        return 1
    sealed = sum(map(_is_sealed, _lines(chosen.file)))
    print(f"good  {stream}: {entries} entries{f', {sealed} of them sealed' if sealed else ''}, last hash {last}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
