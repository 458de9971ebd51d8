"""Announcements that clubs publishes for the apps above it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TeamRenaming:
    """A team is about to get another name. WITHIN subscribers may refuse it. Published before the team's row is locked."""

    team_id: int
    name: str


@dataclass(frozen=True)
class HomeChanged:
    """A player has got a home club, or has left it."""

    player_id: int
    club_id: int
