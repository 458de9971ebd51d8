"""How the copies on the other disk stand, in a file of the data folder: the copier writes it, the site's pages read it."""

import json
import os
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

from tock_league.common import clock

FILE = "copy-status.json"
LATE_MS = 180_000  # without a good copy, after which the pages warn


@dataclass(frozen=True)
class Status:
    """Where the copies go. Times in milliseconds; `good_at`: when everything was last known to be in a copy, 0: never.

    `another_disk`: whether the folder was on another disk than the data when the site started. `reason`: why the last
    attempt failed, "" when it did not.
    """

    folder: str
    another_disk: bool
    since: int
    good_at: int = 0
    reason: str = ""

    def good(self) -> "Status":
        """Return the status after everything has been found in a copy."""
        return replace(self, good_at=clock.now_ms(), reason="")

    def failed(self, reason: str) -> "Status":
        """Return the status after a failed attempt."""
        return replace(self, reason=reason)

    @property
    def last_at(self) -> datetime:
        """Return until when everything is known to be in a copy, or when the copies were asked for."""
        return clock.from_ms(self.good_at or self.since)

    @property
    def is_late(self) -> bool:
        """Return whether no copy has succeeded for more than three minutes, also because nobody makes any."""
        return clock.now_ms() - max(self.good_at, self.since) > LATE_MS


def read(data: Path) -> Status | None:
    """Return the status kept in the data folder, None where no copies were asked for."""
    try:
        return Status(**json.loads((data / FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write(data: Path, status: Status) -> None:
    """Keep the status in the data folder, whole at any moment."""
    unfinished = data / f".{FILE}"
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(json.dumps(asdict(status)))
    unfinished.replace(data / FILE)


def clear(data: Path) -> None:
    """Forget the status: no copies are asked for now."""
    (data / FILE).unlink(missing_ok=True)
