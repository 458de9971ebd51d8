"""What the watch holds about a person. Findings name players by their ids; the referee's reasons are texts of the journal.

A finding is in the copy of the person's data once it is decided: before, the copy would warn whoever arranges results.
"""

from collections.abc import Iterator

from django.db.models import Q

from tock_league.common.persons import Person, Row, Section, exported

from .models import Finding
from .services.looking import STREAM

__all__ = ["SECTIONS", "STREAM"]


def _findings(person: Person) -> Iterator[Row]:
    if person.player is None:
        return
    about = Q(players=person.player) & ~Q(state=Finding.State.OPEN)
    rows = Finding.objects.filter(about | Q(decided_by=person.player)).distinct().select_related("ladder", "case")
    for row in rows.order_by("pk"):
        yours = row.decided_by_id == person.player.pk
        yield exported(
            row, "number", "ladder", "kind", "games", "figures", "found_at", "state", "decided_at", decided_by_you=yours
        )


SECTIONS = (Section("findings", Finding._meta.label, _findings),)
