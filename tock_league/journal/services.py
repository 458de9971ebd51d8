"""record() and record_all(): the only writers of the journal."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tock_league.common import clock
from tock_league.common.errors import Broken
from tock_league.common.transactions import in_transaction

from . import chain
from .models import JournalEntry, JournalStream, PrivateText

OPEN = "open"  # the stream of casual play, site roles and clubs


def stream_of(slug: str) -> str:
    """Return the stream of the competition with that address."""
    return f"competition:{slug}"


@dataclass(frozen=True)
class Draft:
    """An entry before it is written, see `record`."""

    kind: str
    body: Mapping[str, Any]
    actor: str = "system"
    private: Mapping[str, str] | None = None


def record(
    stream: str,
    kind: str,
    *,
    body: Mapping[str, Any],
    actor: str = "system",
    private: Mapping[str, str] | None = None,
) -> JournalEntry:
    """Append one entry to `stream` inside the caller's `writing()` and return it.

    `kind`: what happened, dotted, lower case, past tense, such as `case.filed`. `body`: the public part: text, whole
    numbers, booleans, None, instants, lists and mappings of these; never a card of a running game, never a plain personal
    text. `actor`: a public label, such as `player:<slug>`. `private`: personal texts by field; the entry holds a salted
    hash under that field and the text lies apart, where it can be erased.
    Takes the lock of the stream until the transaction ends, so it comes last in a service.
    Raises Broken outside a transaction, for a reserved key and for a value that has no canonical form.
    """
    return record_all(stream, [Draft(kind, body, actor, private)])[0]


def record_all(stream: str, drafts: Sequence[Draft]) -> list[JournalEntry]:
    """Append entries in this order, each as `record` does, and return them; three statements for those without personal
    texts."""
    if not in_transaction():
        raise Broken("the journal is written only inside the transaction of the change")
    for draft in drafts:
        private = draft.private or {}
        clash = (chain.RESERVED & draft.body.keys()) | (private.keys() & (chain.RESERVED | draft.body.keys()))
        if clash:
            raise Broken(f"journal keys {sorted(clash)} are taken")
    if not drafts:
        return []
    head = _head(stream)
    entries, texts = [], []
    for draft in drafts:
        private = draft.private or {}
        salts = {field: secrets.token_bytes(chain.SALT_BYTES) for field in private}
        whole = {
            **draft.body,
            **{field: {"sha256": chain.personal_hash(salts[field], text)} for field, text in private.items()},
            "actor": draft.actor,
            "at": clock.now(),
            "kind": draft.kind,
            "seq": head.length + 1,
            "stream": stream,
        }
        try:
            text = chain.canonical(whole)
        except ValueError as error:
            raise Broken(f"{draft.kind}: {error}") from error
        entry = JournalEntry(
            stream=stream, seq=head.length + 1, body=text, prev_hash=head.hash, hash=chain.next_hash(head.hash, text)
        )
        head.length, head.hash = entry.seq, entry.hash
        entries.append(entry)
        texts += [
            PrivateText(entry=entry, field=field, salt=salts[field], text=chain.plain_text(words))
            for field, words in private.items()
        ]
    JournalEntry.objects.bulk_create(entries)
    head.save(update_fields=["length", "hash"])
    if texts:
        PrivateText.objects.bulk_create(texts)
    return entries


def _head(stream: str) -> JournalStream:
    """Return the end of the stream, locked."""
    head, _made = JournalStream.objects.select_for_update().get_or_create(
        name=stream, defaults={"hash": chain.first_hash(stream)}
    )
    return head
