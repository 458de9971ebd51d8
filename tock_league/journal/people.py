"""What the journal holds about a person, and how a name leaves its texts while the chains stay whole."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet

from tock_league.common.persons import Leaving, Person, Row, Section, exported

from .models import JournalEntry, PrivateText
from .selectors.deeds import told_by
from .store.redactions import permit

CHUNK = 500


def redact(row: Model, field: str, text: str, *, at: datetime) -> None:
    """Replace a text in a row of a table that is append-only, or that a hash covers, under a row of `Redaction`.

    The database lets no other change of the row pass.
    """
    permit(row, field, text, at=at)
    type(row)._default_manager.filter(pk=row.pk).update(**{field: text})


def redact_all(rows: QuerySet[Any], fields: tuple[str, ...], leaving: Leaving) -> int:
    """Redact every text of these columns that names the person; return how many."""
    count = 0
    for row in rows.order_by("pk").iterator(CHUNK):
        for field in fields:
            text = getattr(row, field)
            if text and leaving.is_named_in(text):
                redact(row, field, leaving.cleaned(text), at=leaving.at)
                leaving.changed.append(f"{row._meta.label_lower} {row.pk} {field}")
                count += 1
    return count


def forget(leaving: Leaving, *, streams: list[str]) -> None:
    """Replace the name in the personal texts of others in these streams."""
    redact_all(PrivateText.objects.filter(entry__stream__in=streams), ("text",), leaving)


def erase_texts(texts: QuerySet[PrivateText]) -> int:
    """Delete personal texts; the entries keep their salted hashes, and the chains stay whole. Return how many."""
    return texts.delete()[0]


def _deeds(person: Person) -> Iterator[Row]:
    """Yield the entries that the person made. What they wrote is in the section of texts."""
    if person.player is None:
        return
    for entry, body in told_by(person.label):
        yield exported(entry, "stream", "seq", "hash", body=body)


def _texts(person: Person) -> Iterator[Row]:
    """Yield the texts that the person wrote into the journal's entries."""
    if person.player is None:
        return
    keys = [entry.pk for entry, _body in told_by(person.label)]
    for start in range(0, len(keys), CHUNK):
        rows = PrivateText.objects.filter(entry__in=keys[start : start + CHUNK]).select_related("entry")
        for row in rows.order_by("pk"):
            yield exported(row, "field", "text", stream=row.entry.stream, seq=row.entry.seq)


SECTIONS = (
    Section("journal", JournalEntry._meta.label, _deeds),
    Section("texts", PrivateText._meta.label, _texts),
)
