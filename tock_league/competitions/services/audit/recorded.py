"""What the journal has told about a version of a result."""

import json

from tock_league.journal.models import JournalEntry
from tock_league.journal.services import stream_of

from ...models import Match

KIND = "result.recorded"


def recorded_digest(match: Match, version: int) -> str:
    """Return the hash of a version as the journal's entry about it has it; "" without such an entry.

    Reads the stream of the competition: only for the few versions of which a name was taken.
    """
    entries = JournalEntry.objects.filter(stream=stream_of(match.competition.slug)).order_by("seq")
    for (body,) in entries.values_list("body").iterator(2_000):
        told = json.loads(bytes(body))
        if told["kind"] == KIND and (told["match"], told["version"]) == (match.slug, version):
            return str(told["digest"])
    return ""
