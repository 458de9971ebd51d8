"""Tournaments on paper with referees, for disputes of results that people entered."""

from dataclasses import dataclass

from tests.competitions.world import a_plan, a_player, a_tournament, under_way
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.core.decisions import ENTRY_ERROR, Decision
from tock_league.arbitration.models import Case, Ruling
from tock_league.arbitration.services.cases import disputes, result_disputes
from tock_league.arbitration.services.referees import leases
from tock_league.arbitration.services.rulings import signing
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.results import paper
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.seasons import roles

from .world import a_referee, fresh

WORDS = "La feuille disait le contraire."
TOLD = {
    "rules": ("Règlement 4",),
    "facts": "La feuille a été recopiée à l’envers.",
    "reasons": "La feuille signée compte.",
}


@dataclass
class Room:
    """One tournament on paper: its first match, referees and an organiser."""

    competition: Competition
    match: Match
    referees: list[Player]
    head: Player
    organiser: Player

    def player(self, position: int, slot: int = 1) -> Player:
        """Return a starter of a side of the match; slot 1 is the captain."""
        return self.match.side_rows.get(position=position).entry.roster.get(role="starter", slot=slot).player

    def certified(self, winner: int = 1, match: Match | None = None, by: object = SITE) -> Match:
        """Enter a result on paper as the desk does."""
        match = match or self.match
        paper.certify(by=by, match=match, games=[Game(winner, 3)])
        match.refresh_from_db()
        return match

    def file(self, position: int = 0, slot: int = 1, **more: str) -> Case:
        """Dispute the result that stands, for the first side's captain unless said otherwise."""
        given = {"kind": "result", "asks": "score", "text": WORDS, **more}
        return result_disputes.file(by=self.player(position, slot), match=self.match, **given)

    def taken(self, case: Case, by: Player | None = None) -> Case:
        """The other side answers, and the head referee takes the case."""
        case = fresh(case)
        disputes.answer(by=self.player(1 - case.side), case=case, text="La feuille est juste.")
        leases.take(by=by or self.head, case=fresh(case))
        return fresh(case)

    def ruled(self, case: Case, decision: Decision) -> Ruling:
        """Preview and sign."""
        shown = signing.preview(by=self.head, case=case, decision=decision)
        signed = signing.sign(by=self.head, case=case, decision=decision, preview_digest=shown.digest)
        assert isinstance(signed, Ruling)
        self.match.refresh_from_db()
        return signed

    def seats(self, match: Match) -> list[int | None]:
        return list(match.side_rows.order_by("position").values_list("entry", flat=True))


def error(result: str, **more: object) -> Decision:
    """Return the finding that the result entered was wrong, without anybody at fault."""
    return Decision(**{"outcome": ENTRY_ERROR, "result": result, **TOLD, **more})  # type: ignore[arg-type]


def score(winner: int, margin: int = 2, **more: object) -> Decision:
    return error("paper", sheet=((winner, margin),), **more)


def a_room(teams: int = 4, *, kind: str = "knockout", **tournament: object) -> Room:
    """Return a running tournament with its first round open."""
    options = {"swiss": {"rounds": 2}}.get(kind, {})
    competition = a_tournament(teams, plan=a_plan(kind, **options), **tournament)  # type: ignore[arg-type]
    organiser = a_player("Sylvie Doucet")
    roles.give(by=SITE, competition=competition, player=organiser, name="organiser")
    return Room(
        competition=competition,
        match=under_way(competition)[0],
        referees=[a_referee(competition) for _number in range(4)],
        head=a_referee(competition, "head_referee"),
        organiser=organiser,
    )
