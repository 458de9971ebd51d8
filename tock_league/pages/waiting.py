"""What waits for the reader: invitations into teams, and later what competitions ask of them."""

from dataclasses import dataclass

from tock_league.accounts.models import Player
from tock_league.clubs import selectors as clubs
from tock_league.clubs.models import TeamInvitation


@dataclass(frozen=True)
class Waiting:
    """Everything that asks for an answer of one person, the most urgent kinds first."""

    invitations: tuple[TeamInvitation, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.invitations)


def waiting_for(person: Player | None) -> Waiting:
    """What waits for `person`; nothing for visitors. One query."""
    if person is None:
        return Waiting()
    return Waiting(invitations=tuple(clubs.invitations_of(person)))
