"""The journal: append-only and chained by SHA-256, one chain per stream.

Triggers of the database refuse UPDATE, DELETE, TRUNCATE and REPLACE of an entry (`store.AppendOnly`).
"""

from django.db import models
from django.db.models import Q

STREAM_LENGTH = 120


class JournalStream(models.Model):
    """One chain and where it ends. Its row is the lock for appending, the last in the lock order.

    The entries are authoritative; this row makes it possible to detect entries cut off at the end.
    """

    name = models.CharField(max_length=STREAM_LENGTH, unique=True)
    length = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class JournalEntry(models.Model):
    """One recorded event."""

    stream = models.CharField(max_length=STREAM_LENGTH)
    seq = models.PositiveBigIntegerField()
    body = models.BinaryField()  # canonical JSON, exactly the bytes that were hashed (`chain.canonical`)
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64, unique=True)

    class Meta:
        ordering = ["stream", "seq"]
        verbose_name_plural = "journal entries"
        constraints = [
            models.UniqueConstraint(fields=["stream", "seq"], name="journal_seq"),
            models.CheckConstraint(condition=Q(seq__gte=1), name="journal_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.stream} {self.seq}"


class PrivateText(models.Model):
    """A personal text of an entry, which itself holds only SHA-256(salt, text).

    The only table of the journal whose rows may be deleted: a person's texts are erased and the chain still verifies. A
    text of which a name was taken has a row of `Redaction`.
    """

    entry = models.ForeignKey(JournalEntry, models.PROTECT, related_name="private_texts")
    field = models.CharField(max_length=40)
    salt = models.BinaryField(max_length=16)
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "field"], name="private_text_once")]

    def __str__(self) -> str:
        return f"{self.field} of {self.entry_id}"  # never the text


class Redaction(models.Model):
    """Permits one text to be replaced, because a person whom it names was erased (decision 0028). Append-only.

    The triggers of an append-only table let the new text of SHA-256 `digest` pass, and no other change of the row.
    """

    table = models.CharField(max_length=64)  # of the database
    row = models.PositiveBigIntegerField()
    field = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)  # of the new text in UTF-8, hex
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["table", "row", "field"], name="redaction_of_text")]

    def __str__(self) -> str:
        return f"{self.field} of {self.table} {self.row}"
