"""Games with a time cap: what may be set, and what the count at the end says. See docs/caps.md.

| setting | values |
| --- | --- |
| `of` | the minutes are for each `game`, or for the whole `match` |
| `call` | at the cap: `deal`, the deal is played to its end; `turn`, one more turn each; `stop`, at once |
| `counts` | `points` (so many a marble home, more for a finished game), `marbles` home, `steps` walked |
| `tie` | equal counts: `allowed`; `next_home`, the next marble home decides; `one_deal`, one more deal |
| `absent` | what the two sides score where one did not come, the one that came first |

A side's count is what people write down: its marbles home, or its steps. The score is what the count is worth.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

GAME, MATCH = "game", "match"
DEAL, TURN, STOP = "deal", "turn", "stop"
POINTS, MARBLES, STEPS = "points", "marbles", "steps"
ALLOWED, NEXT_HOME, ONE_DEAL = "allowed", "next_home", "one_deal"
OFS, CALLS = (GAME, MATCH), (DEAL, TURN, STOP)
COUNTS, TIES = (POINTS, MARBLES, STEPS), (ALLOWED, NEXT_HOME, ONE_DEAL)
LEAST_MINUTES, MOST_MINUTES = 5, 240
MOST_MARBLE, MOST_FINISHED, MOST_ABSENT = 100, 1000, 10_000
MARBLE, FINISHED = 2, 10  # points, where nothing else is said


class CapError(ValueError):
    """A setting or a count that cannot be. `code`: the rule; `field`: the setting; `side`: the position of the count."""

    def __init__(self, code: str, field: str = "", side: int | None = None) -> None:
        super().__init__(code)
        self.code, self.field, self.side = code, field, side


@dataclass(frozen=True)
class Cap:
    """The time cap of a competition's games. Raises CapError naming the setting that is out of its range."""

    minutes: int
    of: str = GAME
    call: str = DEAL
    counts: str = POINTS
    tie: str = ALLOWED
    marble: int = MARBLE  # points of a marble home; only where `counts` is points
    finished: int = FINISHED  # points more for a finished game; likewise
    absent: tuple[int, int] | None = None  # scores of the side that came and of the one that did not; None: no score

    def __post_init__(self) -> None:
        if not LEAST_MINUTES <= self.minutes <= MOST_MINUTES:
            raise CapError("cap_minutes", "minutes")
        for name, known in (("of", OFS), ("call", CALLS), ("counts", COUNTS), ("tie", TIES)):
            if getattr(self, name) not in known:
                raise CapError(f"cap_{name}", name)
        if not 1 <= self.marble <= MOST_MARBLE:
            raise CapError("cap_marble", "marble")
        if not 0 <= self.finished <= MOST_FINISHED:
            raise CapError("cap_finished", "finished")
        if self.absent is not None and not 0 <= self.absent[1] <= self.absent[0] <= MOST_ABSENT:
            raise CapError("cap_absent", "absent")

    @property
    def may_tie(self) -> bool:
        """Whether equal scores are a tie; else the regulations say what decides."""
        return self.tie == ALLOWED

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> "Cap":
        """Return the cap of a stored object. Raises CapError, and TypeError for an unknown key."""
        absent = value.get("absent")
        return cls(**{**value, "absent": tuple(absent) if absent is not None else None})

    def to_json(self) -> dict[str, Any]:
        """Return the cap as JSON data, for `read`: points only where points count, an absent side's score where set."""
        found: dict[str, Any] = {"minutes": self.minutes, "of": self.of, "call": self.call}
        found |= {"counts": self.counts, "tie": self.tie}
        if self.counts == POINTS:
            found |= {"marble": self.marble, "finished": self.finished}
        return found if self.absent is None else found | {"absent": list(self.absent)}


@dataclass(frozen=True)
class Asked:
    """What the result of one game of an event asks for, and between which values it is valid; every form asks this.

    `by`: `lead`, who has won and by how much; `counts`, what each side has reached, from which all else follows.
    """

    by: str
    least: int  # of the lead, or of each side's count
    most: int
    ties: bool  # whether a game may be tied
    cap: Cap | None = None  # of `counts`


LEAD, EACH = "lead", "counts"


@dataclass(frozen=True)
class Count:
    """What a game's counts say."""

    counts: tuple[int, ...]  # by position
    scores: tuple[int, ...]
    winner: int | None  # a position; None for a tie
    finished: int | None  # the position that has everything home; None where the time was up

    @property
    def margin(self) -> int:
        """By how much the winner's score is ahead; 0 for a tie."""
        return max(self.scores) - min(self.scores)


def count(asked: Asked, counts: tuple[int, ...]) -> Count:
    """Return what the counts of a game's two sides say. The side with the greatest possible count has finished.

    Raises CapError: `count_range` with the side, `both_finished`, `count_tie` where a tie cannot be.
    """
    cap = asked.cap
    assert cap is not None
    for side, value in enumerate(counts):
        if not asked.least <= value <= asked.most:
            raise CapError("count_range", "games", side)
    done = [side for side, value in enumerate(counts) if value == asked.most]
    if len(done) > 1:
        raise CapError("both_finished", "games")
    finished = done[0] if done else None
    scores = tuple(score(cap, value, finished=side == finished) for side, value in enumerate(counts))
    best = max(scores)
    winner = scores.index(best) if scores.count(best) == 1 else None
    if winner is None and not asked.ties:
        raise CapError("count_tie", "games")
    return Count(counts, scores, winner, finished)


def score(cap: Cap, value: int, *, finished: bool) -> int:
    """Return what a side scores for its count: points, or the count itself."""
    if cap.counts != POINTS:
        return value
    return cap.marble * value + (cap.finished if finished else 0)


def unplayed(cap: Cap | None, fact: str, outcome: str) -> tuple[int, int] | None:
    """Return (own, the other side's) score of a match that nobody played, or of a bye; None where none counts.

    `fact`: of a forfeit before play or of a pairing bye; `outcome`: win or loss. Where both did not come, both have the
    score of the absent side.
    """
    if cap is None or cap.absent is None:
        return None
    came, absent = cap.absent
    if fact == "double_forfeit":
        return absent, absent
    return (came, absent) if outcome == "win" else (absent, came)


OWN = "own"  # the name of a cap that is none of these
# The usual caps, by their names in forms.
PRESETS: Mapping[str, Cap] = {
    "pairs": Cap(45, call=DEAL, counts=POINTS, tie=ALLOWED, absent=(8, 4)),
    "brisk": Cap(30, call=TURN, counts=MARBLES, tie=NEXT_HOME),
}


def preset_of(cap: Cap | None) -> str:
    """Return the name of the preset that the cap is; `own` for another one, "" without a cap."""
    if cap is None:
        return ""
    return next((name for name, known in PRESETS.items() if known == cap), OWN)
