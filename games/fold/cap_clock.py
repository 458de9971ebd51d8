"""The settings of a time cap, and how far it is in a running game. Nothing here reads the time."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from games.engine.numbers import is_whole

DEAL, TURN, STOP = "deal", "turn", "stop"
MARBLES, STEPS = "marbles", "steps"
ALLOWED, NEXT_HOME, ONE_DEAL = "allowed", "next_home", "one_deal"
CALLS, COUNTS, TIES = (DEAL, TURN, STOP), (MARBLES, STEPS), (ALLOWED, NEXT_HOME, ONE_DEAL)
REASON = "time"  # of a result


@dataclass(frozen=True, slots=True)
class TimeCap:
    """What the competition has set. Raises ValueError naming the field."""

    seconds: int
    call: str = DEAL
    counts: str = MARBLES
    tie: str = ALLOWED

    def __post_init__(self) -> None:
        if not is_whole(self.seconds) or not 1 <= self.seconds <= 86_400:
            raise ValueError(f"seconds must be a whole number from 1 to 86400, not {self.seconds!r}")
        for name, known in (("call", CALLS), ("counts", COUNTS), ("tie", TIES)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {known}, not {getattr(self, name)!r}")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "TimeCap":
        """Return the cap of a stored object; ValueError names an unknown or a missing field."""
        if set(value) != {field.name for field in fields(cls)}:
            raise ValueError(f"a time cap has other fields than {', '.join(sorted(value))}")
        return cls(**value)


@dataclass(frozen=True, slots=True)
class CapClock:
    """How far the cap of a running game is."""

    due: int  # when the time is up (ms), while the clock runs
    called: bool = False
    extra: bool = False  # whether the game goes on because the sides were equal
    deals: int = 0  # the number of the deal that is to be played to its end, since the call or since the game went on
    passed: int = 0  # places of the turn order since the call
    home: int = 0  # marbles home when the game went on
