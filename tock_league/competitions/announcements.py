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
