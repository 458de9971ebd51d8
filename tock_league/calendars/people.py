"""What calendars hold about a person."""

from tock_league.common.persons import Leaving, Section, of_player

from .models import CalendarLink


def forget(leaving: Leaving) -> None:
    """Delete the links: nobody reads the calendar of somebody who has left."""
    if leaving.person.player is not None:
        CalendarLink.objects.filter(player=leaving.person.player).delete()


# Without their secrets.
SECTIONS = (Section("calendar_links", CalendarLink._meta.label, of_player(CalendarLink, "kind", "made_at")),)
