"""A competition as one file in the open results format, tock-results/1: docs/results-format.md.

Nothing in it is translated, and everything in it is on the competition's public pages. The number of queries does not
depend on the number of entries or matches, but that the book of rulings asks once for each ruling.
"""

from tock_league.common import clock
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.rounds.matches import loaded, of_rows

from . import event, stages
from .values import Json, instant

FORMAT = "tock-results/1"
IN_ORDER = ("round__group__stage__ordinal", "round__group__ordinal", "round__number", "number")


def of(found: Competition) -> Json:
    """Return the competition as JSON values."""
    played = of_rows(list(loaded(found.matches.order_by(*IN_ORDER))))
    entries = event.entries(found)
    slugs = {row.pk: row.slug for row in entries}
    return {
        "format": FORMAT,
        "made_at": instant(clock.now()),
        "event": event.of(found),
        "entries": [event.entry(row) for row in entries],
        "stages": stages.of(found, played, slugs),
        "rulings": event.rulings(found),
        "rating_changes": event.rating_changes(played),
    }
