"""Permits to replace a text: each belongs to an erasure, and the journal tells how many an erasure had."""

from collections.abc import Iterator

from tock_league.common.differences import Difference
from tock_league.journal.models import Redaction
from tock_league.journal.selectors.deeds import naming

KIND = "person.erased"


def redactions() -> Iterator[Difference]:
    """Yield a difference when there are more permits, or fewer, than the journal tells of."""
    count = Redaction.objects.count()
    told = sum(body["redactions"] for _entry, body in naming(KIND) if body["kind"] == KIND)
    if count != told:
        found = f"there are {count} permits to replace a text, the journal tells of {told}"
        yield Difference(Redaction._meta.db_table, "-", "count", found)
