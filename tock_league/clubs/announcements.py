"""Announcements that clubs publishes for the apps above it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TeamRenaming:
    """A team is about to get another name. WITHIN subscribers may refuse it. Published before the team's row is locked."""

    team_id: int
    name: str
