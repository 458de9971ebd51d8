"""A player who is about to be suspended or banned, with matches ahead."""

from dataclasses import dataclass

from tock_league.accounts.models import Player
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case
from tock_league.arbitration.services.appeals import reviews
from tock_league.arbitration.services.referees import leases
from tock_league.competitions.models import Match
from tock_league.competitions.services.rounds import publishing

from .world import World, fresh


@dataclass
class Struck:
    """The case in which `player` is sanctioned, and the decision."""

    world: World
    case: Case
    player: Player

    def sign(self, penalty: str = "suspension") -> None:
        decision = self.world.against(self.case, penalty=penalty, deviation_reason="Il a trois comptes.")
        self.world.rule(self.world.taken(self.case), decision)

    def lift(self) -> None:
        """A re-examination dismisses the claim."""
        review = reviews.open_review(by=self.world.another_head(), case=fresh(self.case), reason="C’était sa sœur.")
        self.world.both_heard(review)
        leases.take(by=self.world.referees[0], case=review)
        dismissed = Decision("dismissed", facts="Rien.", reasons="Rien.")
        self.world.rule(fresh(review), dismissed, by=self.world.referees[0])


def about_to_be_struck(world: World) -> Struck:
    """Return a dispute that the other side has answered, against the first player of its match."""
    return Struck(world, world.heard(world.dispute()), world.players[0])


def next_match(struck: Struck) -> Match:
    """Return the next match of the suspended player's team, its table open."""
    entry = struck.world.match.side_rows.get(position=0).entry
    match = Match.objects.filter(side_rows__entry=entry, state="scheduled").order_by("starts_at").first()
    publishing.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    return match
