"""What calendars hold about a person."""

from collections.abc import Iterator

from tock_league.common.persons import Leaving, Person, Row, Section, exported

from .models import CalendarLink


def _links(person: Person) -> Iterator[Row]:
    """Yield the own links without their secrets."""
    for row in CalendarLink.objects.filter(player=person.player) if person.player is not None else ():
        yield exported(row, "kind", "made_at")


def forget(leaving: Leaving) -> None:
    """Delete the links: nobody reads the calendar of somebody who has left."""
    if leaving.person.player is not None:
        CalendarLink.objects.filter(player=leaving.person.player).delete()


SECTIONS = (Section("calendar_links", CalendarLink._meta.label, _links),)
