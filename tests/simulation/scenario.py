"""The choices of a seed: the tables, the people, and the kind and frequency of faults."""

import random
from dataclasses import dataclass

from games.services.tables import ClockSettings

# Rule set, seats and teams.
TABLES = (
    *(("shawinigan/1", 4, 2),) * 4,
    ("tock/1", 4, 2),
    ("tock/1", 4, 4),
    ("toc/1", 4, 2),
    ("tock/1", 6, 3),
)
# Games are mostly short, because the simulation looks for faults of the table, not of the rules.
ROWS = (8, 14, 20, 28, 40)


@dataclass(frozen=True)
class Scenario:
    """The choices of a seed."""

    seed: int
    rules: str
    seats: int
    teams: int
    clocks: ClockSettings | None
    touch: bool  # whether a touched card binds
    best_of: int
    release: str  # when spectators see rows: "deal", "live" or "game"
    tables: int
    processes: int
    spectators: int  # per table
    pollers: int  # seats per table that use HTTP only
    trouble: float  # probability of a fault per message
    kills: int  # number of kills and database errors
    rows: int  # rows of each table that are played under faults
    ending: str  # what happens after these rows: "stop" (in the middle of the game) or "resign"
    loss: str  # what happens to one seat during play: "", "substituted" or "signed_out"
    interruptions: float  # probability that a thread is interrupted before a statement
    calls: bool  # whether seats call the referee
    referee: bool  # whether a referee is on duty

    @classmethod
    def of(cls, seed: int) -> "Scenario":
        """Return the scenario of `seed`."""
        roll = random.Random(f"{seed}:scenario")
        tables = roll.choice((1, 1, 1, 3))  # with three, two commands may wait while one is written, and share a commit
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
