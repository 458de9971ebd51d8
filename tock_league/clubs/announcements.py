"""Announcements that clubs publishes for the apps above it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TeamRenaming:
    """A team is about to get another name. WITHIN subscribers may refuse it. Published before the team's row is locked."""

    team_id: int
    name: str
    everywhere: bool = False  # the name was wrong: past results get the new one too


@dataclass(frozen=True)
class HomeChanged:
    """A player has got a home club, or has left it."""

    player_id: int
    club_id: int
