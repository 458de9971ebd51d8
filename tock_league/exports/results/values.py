"""Values of the open results format: instants, exact numbers."""

from datetime import datetime
from fractions import Fraction
from typing import Any

Json = dict[str, Any]


def instant(at: datetime | None) -> str | None:
    """Return an instant as ISO 8601 with its offset."""
    return at.isoformat() if at is not None else None


def number(value: Fraction) -> int | str:
    """Return a whole number, or an exact fraction such as "5/2"."""
    return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
