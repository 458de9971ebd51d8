"""What a verification reports: a stored value that differs from the recomputed one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

LONGEST = 120  # letters of a value that are shown


@dataclass(frozen=True)
class Difference:
    """A stored value that is not what recomputing gives. Never holds a card, a seed or a personal text."""

    table: str
    row: str  # how a person finds the row: its public id, or its number
    field: str
    found: str  # what is wrong, as a sentence or as "is .., should be .."

    def __str__(self) -> str:
        return f"{self.table}, row {self.row}, {self.field}: {self.found}"


def difference(row: Model, field: str, found: str, *, name: object = None) -> Difference:
    """Return the difference of one stored row. `name`: its public id, else its primary key."""
    return Difference(row._meta.db_table, str(row.pk if name is None else name), field, found)


def compared(row: Model, wanted: Mapping[str, Any], *, name: object = None) -> Iterator[Difference]:
    """Yield the fields of `row` whose value is not the one in `wanted`. Floats are compared bit for bit."""
    for field, value in wanted.items():
        stored = getattr(row, field)
        if not same(stored, value):
            yield difference(row, field, f"is {shown(stored)}, should be {shown(value)}", name=name)


def same(stored: Any, value: Any) -> bool:
    """Return whether two values are equal; floats must have the same bits."""
    if isinstance(stored, float) and isinstance(value, float):
        return stored.hex() == value.hex()
    return bool(stored == value)


def shown(value: Any) -> str:
    """Return a value as a line of text, shortened."""
    text = value.isoformat() if hasattr(value, "isoformat") else repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
