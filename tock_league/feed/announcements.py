"""What the feed announces to the apps beside it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FactsWritten:
    """Public facts of a competition have rows in the feed: the keys of FeedEvents with their kinds, in order.

    Published within the transaction of the facts.
    """

    competition_id: int
    events: tuple[tuple[int, str], ...]
