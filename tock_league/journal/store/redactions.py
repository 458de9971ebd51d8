"""Redactions: the permission to replace a text, and the proof that a text was replaced by permission."""

import hashlib
from collections.abc import Collection
from datetime import datetime

from django.db.models import Model

from ..models import Redaction


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, hex, as the triggers compute it."""
    return hashlib.sha256(text.encode()).hexdigest()


def permit(row: Model, field: str, text: str, *, at: datetime) -> None:
    """Permit that `field` of `row` becomes `text`; call it in the transaction that does so."""
    table, column = row._meta.db_table, str(row._meta.get_field(field).column)  # type: ignore[union-attr]
    Redaction.objects.create(table=table, row=row.pk, field=column, digest=digest_of(text), at=at)


def permitted(table: str, field: str, rows: Collection[int]) -> dict[int, str]:
    """Return the digest of the last permitted text of each of the rows that has one. One query."""
    found = Redaction.objects.filter(table=table, field=field, row__in=rows).order_by("pk")
    return dict(found.values_list("row", "digest"))
