"""Journal entries about a competition: one per fact, in the transaction that makes it."""

from typing import Any

from tock_league.accounts.permissions import Person, label
from tock_league.journal.services import record, stream_of

from ...models import Competition, Match


def note(competition: Competition, kind: str, by: Person, **body: Any) -> None:
    """Write `kind` with `body` to the competition's stream in the name of `by`; call it inside `writing()`, late."""
    record(stream_of(competition.slug), kind, actor=label(by), body=body)


def name_of(match: Match) -> dict[str, Any]:
    """Return how the journal names a match: its public address, its round and its number there."""
    return {"match": match.slug, "round": match.round.number, "number": match.number}
