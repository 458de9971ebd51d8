"""What a seed chooses before the first frame: the table, the people, the faults and when each of them comes."""

import random
from dataclasses import dataclass

from games.services.tables import ClockSettings

# How long a game is: mostly short, for what is searched are faults of the table and not of the rules.
TABLES = (
    *(("shawinigan/1", 4, 2),) * 4,
    ("tock/1", 4, 2),
    ("tock/1", 4, 4),
    ("toc/1", 4, 2),
    ("tock/1", 6, 3),
)
ROWS = (8, 14, 20, 28, 40)


@dataclass(frozen=True)
class Scenario:
    """`rows`: how many rows of each record are played under faults. `kills`: how often a process dies, or its database fails.

    `trouble`: how likely a message meets a fault. `interruptions`: how likely a thread is interrupted before a statement.
    `loss`: what happens to a seat in the middle: "", "substituted", "signed_out". `ending`: how it ends when the rows are
    played: "stop" (in the middle) or "resign".
    """

    seed: int
    rules: str
    seats: int
    teams: int
    clocks: ClockSettings | None
    touch: bool
    best_of: int
    release: str
    tables: int
    processes: int
    spectators: int
    pollers: int
    trouble: float
    kills: int
    rows: int
    ending: str
    loss: str
    interruptions: float
    calls: bool
    referee: bool

    @classmethod
    def of(cls, seed: int) -> "Scenario":
        """Return what `seed` chooses."""
        roll = random.Random(f"{seed}:scenario")
        tables = roll.choice((1, 1, 1, 3))  # three: two may wait while one is written, and share a commit
        rules, seats, teams = roll.choice(TABLES)
        quick = ClockSettings(bank_s=40, increment_s=2, bank_max_s=60, cap_s=15, short_s=8, timeouts=2)
        slow = ClockSettings()
        return cls(
            seed=seed,
            rules=rules,
            seats=seats,
            teams=teams,
            clocks=roll.choice((None, quick, quick, slow)),
            touch=roll.random() < 0.8,
            best_of=roll.choice((1, 1, 3)),
            release=roll.choice(("deal", "live", "game")),
            tables=tables,
            processes=1 if tables > 1 else roll.choice((1, 1, 2)),
            spectators=roll.choice((0, 1, 1, 2)),
            pollers=roll.choice((0, 0, 1)),
            trouble=roll.choice((0.0, 0.02, 0.05, 0.1)),
            kills=roll.choice((0, 1, 2, 4)),
            rows=roll.choice(ROWS[:3] if tables > 1 else ROWS),
            ending=roll.choice(("stop", "resign")),
            loss=roll.choice(("", "substituted", "signed_out")),
            interruptions=roll.choice((0.0, 0.1, 0.3)),
            calls=roll.random() < 0.2,
            referee=roll.random() < 0.5,
        )
