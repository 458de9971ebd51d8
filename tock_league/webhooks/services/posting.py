"""Posts a body to a checked address, and keeps the beginning of the answer as text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tock_league.common import outward
from tock_league.common.outward import Target

from ..models import ANSWER_LENGTH

CONNECT_S = 3.0
READ_S = 5.0  # of silence
TOTAL_S = 10.0
ANSWER_BYTES = 4 * ANSWER_LENGTH  # UTF-8 needs at most four bytes for a character


@dataclass(frozen=True)
class Answer:
    """What became of one attempt: as `outward.Answer`, with the beginning of the receiver's text."""

    status: int | None
    text: str
    error: str
    took_ms: int

    @property
    def is_good(self) -> bool:
        """Return whether the receiver has taken it: a status from 200 to 299."""
        return self.status is not None and 200 <= self.status < 300


def post(target: Target, numeric: Sequence[str], body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post `body` to the first of the numeric addresses that accepts a connection, and return what became of it."""
    limits = outward.Limits(CONNECT_S, READ_S, TOTAL_S, ANSWER_BYTES)
    told = outward.post(target, numeric, body, headers, limits)
    return Answer(told.status, _shown(told.start), told.error, told.took_ms)


def _shown(raw: bytes) -> str:
    """Return the beginning of an answer as text without control characters."""
    text = raw.decode("utf-8", "replace")
    return "".join(char if char.isprintable() else " " for char in text)[:ANSWER_LENGTH].strip()
