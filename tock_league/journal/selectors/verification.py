"""Verifies that the journal is as it was written. Used by `manage.py verify_journal` and by tests of other apps."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Max

from .. import chain
from ..models import JournalEntry, JournalStream, PrivateText
from ..store.redactions import digest_of, permitted

CHUNK = 2_000  # entries read at once


@dataclass(frozen=True)
class Fault:
    """The first bad entry of a stream, and what is wrong with it."""

    stream: str
    seq: int
    reason: str

    def __str__(self) -> str:
        return f"{self.stream}, entry {self.seq}: {self.reason}"


@dataclass(frozen=True)
class Verdict:
    """The result for a stream: how many entries are right, and the first that is not."""

    stream: str
    entries: int
    fault: Fault | None


def names() -> list[str]:
    """Return every stream, including those with only entries or only a stream row left. Two queries."""
    written = JournalEntry.objects.order_by().values_list("stream", flat=True).distinct()
    return sorted({*written, *JournalStream.objects.values_list("name", flat=True)})


def verify(stream: str) -> Verdict:
    """Return whether every entry of `stream` is as it was written and the last one is still the last one."""
    seq, last = 0, chain.first_hash(stream)
    for row, private in _rows(stream):
        seq += 1
        body = bytes(row.body)
        reason = chain.fault(
            stream, seq, last, entry_seq=row.seq, entry_prev=row.prev_hash, body=body, hash=row.hash
        ) or _private_fault(body, private)
        if reason:
            return Verdict(stream, seq - 1, Fault(stream, seq, reason))
        last = row.hash
    return Verdict(stream, seq, _end_fault(stream, seq, last))


def _rows(stream: str) -> Iterator[tuple[JournalEntry, list[PrivateText]]]:
    """Yield the entries in order with their personal texts, in chunks, so that no statement lasts long."""
    after = -1
    while rows := list(JournalEntry.objects.filter(stream=stream, seq__gt=after).order_by("seq", "pk")[:CHUNK]):
        texts: dict[int, list[PrivateText]] = {}
        for text in PrivateText.objects.filter(
            entry__stream=stream, entry__seq__gt=after, entry__seq__lte=rows[-1].seq
        ):
            texts.setdefault(text.entry_id, []).append(text)
        yield from ((row, texts.get(row.pk, [])) for row in rows)
        after = rows[-1].seq


def _private_fault(body: bytes, texts: list[PrivateText]) -> str:
    """Return what is wrong with the personal texts: each is the one that was written, or a permitted redaction of it."""
    told = json.loads(body) if texts else {}
    wrong = [
        text for text in texts if told.get(text.field) != {"sha256": chain.personal_hash(bytes(text.salt), text.text)}
    ]
    redacted = permitted(PrivateText._meta.db_table, "text", [text.pk for text in wrong]) if wrong else {}
    for text in wrong:
        if text.field not in told or redacted.get(text.pk) != digest_of(text.text):
            return f"the personal text {text.field} is not the one that was written"
    return ""


def _end_fault(stream: str, seq: int, last: str) -> Fault | None:
    """Return what is wrong with the end: entries cut off leave a stream that is shorter than its row says.

    The last number is read before the row, so that a concurrent append is no fault.
    """
    written = JournalEntry.objects.filter(stream=stream).aggregate(last=Max("seq"))["last"] or 0
    head = JournalStream.objects.filter(name=stream).first()
    if head is None:
        return Fault(stream, seq, "the stream's end is not known")
    if head.length < written:
        return Fault(stream, head.length + 1, f"it stands after the stream's end, entry {head.length}")
    if written == seq and head.length > seq and not JournalEntry.objects.filter(stream=stream, seq__gt=seq).exists():
        return Fault(stream, seq + 1, f"it is gone: the stream has {head.length} entries")
    if head.length == seq and head.hash != last:
        return Fault(stream, seq, "its hash is not the stream's last hash")
    return None
