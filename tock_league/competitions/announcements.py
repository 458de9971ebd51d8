"""Announcements that competitions publishes for the apps above it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class RoleEnded:
    """A player's office in a competition has ended: `name` is organiser, referee or head_referee.

    Published within the transaction.
    """

    competition_id: int
    player_id: int
    name: str


@dataclass(frozen=True)
class PlayersEntered:
    """Players are about to be put on a roster of the competition. WITHIN subscribers may refuse them."""

    competition_id: int
    player_ids: tuple[int, ...]


@dataclass(frozen=True)
class ResultCorrecting:
    """The desk is about to correct the result of a match. WITHIN subscribers may refuse it."""

    match_id: int


@dataclass(frozen=True)
class PlayersTakePart:
    """Players of a roster are about to check in, to start in somebody's place, or to stand in a result on paper.

    WITHIN subscribers may refuse them, and must not write.
    """

    competition_id: int
    player_ids: tuple[int, ...]
    field: str  # of the refusal
    at: datetime  # when they play, or began to play


@dataclass(frozen=True)
class PublicFact:
    """Something has happened in a competition that visitors may read.

    `kind`: one of FACTS. `match`: its slug; "" where it is about none. `subject`: an entry's slug, a game's slug, the number
    of a case, the reference of a correction or ruling, or the number of a round, as the kind says; else "".
    """

    kind: str
    match: str = ""
    subject: str = ""


@dataclass(frozen=True)
class PublicFacts:
    """Facts of one competition, in their order; WITHIN subscribers pass them on to programs.

    Whoever publishes them holds the competition's row, so that the facts of a competition are written in the order of their
    commits.
    """

    competition_id: int
    facts: tuple[PublicFact, ...]


FACTS = (
    "result.confirmed",
    "result.corrected",
    "standings.changed",
    "round.published",
    "match.moved",
    "table.open",
    "game.finished",
    "ruling.published",
    "entry.accepted",
    "event.cancelled",
)
