"""What the feed announces to the apps beside it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FactWritten:
    """A public fact has a row in the feed: FeedEvent `event_id`. Published within the transaction of the fact."""

    event_id: int
    competition_id: int
    kind: str
