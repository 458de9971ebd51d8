"""What imports hold about a person: which events they imported. Rosters of other sites are not kept."""

from collections.abc import Iterator

from tock_league.common.persons import Person, Row, Section, exported

from .models import ImportedEvent


def _imported(person: Person) -> Iterator[Row]:
    for row in ImportedEvent.objects.filter(imported_by=person.player) if person.player is not None else ():
        yield exported(row, "slug", "name", "imported_at")


SECTIONS = (Section("imported_events", ImportedEvent._meta.label, _imported),)
