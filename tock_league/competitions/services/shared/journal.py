"""Journal entries about a competition: one per fact, in the transaction that makes it."""

import re
from typing import Any

from tock_league.accounts.permissions import Person, label
from tock_league.journal.services import record, stream_of

from ...models import Competition, Match

REF = re.compile(r"@\w+|TL-\d{4}-\d{6}(/\d+)*|C-\d+|ruling")


def note(competition: Competition, kind: str, by: Person, **body: Any) -> None:
    """Write `kind` with `body` to the competition's stream in the name of `by`; call it inside `writing()`, late.

    A `reason` that somebody typed may name a person, and lies apart where it can be erased; codes and references of
    rulings are told.
    """
    reason = str(body.get("reason", ""))
    typed = bool(reason) and REF.fullmatch(reason) is None
    private = {"reason": str(body.pop("reason"))} if typed else None
    record(stream_of(competition.slug), kind, actor=label(by), body=body, private=private)


def name_of(match: Match) -> dict[str, Any]:
    """Return how the journal names a match: its public address, its round and its number there."""
    return {"match": match.slug, "round": match.round.number, "number": match.number}
