"""A league with referees, a game that was played or stopped at its table, and cases in any state, all through the
services."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from itertools import count
from typing import Concatenate, ParamSpec, TypeVar

from games.models import Game
from tests.competitions.world import a_league, a_player, finish_game, first_match
from tests.games.conftest import Sat
from tests.remembered import remembered
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Appeal, Case, FamilyTie, Ruling
from tock_league.arbitration.selectors.referees import available
from tock_league.arbitration.selectors.rulings.proposals import Proposal, proposal_of
from tock_league.arbitration.services.appeals import hearing, replies
from tock_league.arbitration.services.cases import disputes
from tock_league.arbitration.services.referees import leases, ties
from tock_league.arbitration.services.rulings import countersigning, signing
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import publishing
from tock_league.competitions.services.seasons import roles

WORDS = "Il a dit à son partenaire de garder son valet."
P = ParamSpec("P")
R = TypeVar("R")
TALK = Decision("upheld", row="talk", rules=("8",), facts="Il a parlé au coup 12.", reasons="Parler est interdit.")


def step(build: "Callable[Concatenate[World, P], R]") -> "Callable[Concatenate[World, P], R]":
    """Remember what a method of World makes, and read the match again afterwards, whether it was made or copied."""
    make = remembered(build)

    @wraps(build)
    def made(world: "World", *args: P.args, **kwargs: P.kwargs) -> R:
        answer = make(world, *args, **kwargs)
        world.match.refresh_from_db()
        return answer

    return made


@dataclass
class World:
    """One league: its first match, the players of the match by seat, three referees, a head referee, an organiser."""

    competition: Competition
    match: Match
    referees: list[Player]
    head: Player
    organiser: Player
    games: list[Game] = field(default_factory=list)

    @property
    def players(self) -> list[Player]:
        """By seat: seats 0 and 2 are position 0."""
        self.match.refresh_from_db()
        return [seating.player for seating in self.match.table.seatings.select_related("player").order_by("seat")]

    @property
    def game(self) -> Game:
        self.match.refresh_from_db()
        return Game.objects.select_related("table").filter(table=self.match.table_id).order_by("-number")[0]

    def open(self) -> None:
        publishing.open_table(match_id=self.match.pk, early=True)
        self.match.refresh_from_db()

    def sat(self) -> Sat:
        """Return the table with everybody ready and the first cards exchanged."""
        self.open()
        sat = Sat(self.match.table, self.players)
        sat.all_ready()
        sat.exchange()
        return sat

    @step
    def played(self, winner: int = 0) -> Game:
        """Return the match, played and settled: `winner` has won."""
        self.open()
        pk = finish_game(self.match, winner)
        settlement.settle(game_id=pk)
        self.match.refresh_from_db()
        return Game.objects.select_related("table").get(pk=pk)

    @step
    def dispute(self, *, kind: str = "talk", seq: int = 5, by: Player | None = None, winner: int = 0) -> Case:
        """Return an unanswered dispute, filed by the loser's first player."""
        game = self.game if self.match.table_id and self.game.state == "over" else self.played(winner)
        return disputes.file(by=by or self.players[1 - winner], game=game, seq=seq, kind=kind, text=WORDS)

    @step
    def taken(self, case: Case, by: Player | None = None) -> Case:
        leases.take(by=by or self.head, case=case)
        return fresh(case)

    @step
    def heard(self, case: Case) -> Case:
        """The other side answers."""
        side = next(player for player in self.players if self.players.index(player) % 2 != case.side)
        disputes.answer(by=side, case=case, text="Je n’ai rien dit.")
        return fresh(case)

    @step
    def both_heard(self, case: Case) -> Case:
        """Both sides answer, as a re-examination asks."""
        for player, words in zip(self.players[:2], ("Le témoin se trompe.", "Le témoin a raison."), strict=True):
            disputes.answer(by=player, case=case, text=words)
        return fresh(case)

    def another_head(self) -> Player:
        """Return a head referee who has ruled nothing."""
        return a_referee(self.competition, "head_referee")

    @step
    def rule(self, case: Case, decision: Decision, by: Player | None = None) -> Ruling:
        """Preview and sign; where two must sign, a second referee signs too."""
        signed = self.signed(case, decision, by=by)
        if isinstance(signed, Ruling):
            return signed
        return self.countersigned(case)

    @step
    def signed(self, case: Case, decision: Decision, by: Player | None = None) -> Ruling | Proposal:
        """Preview and sign once."""
        by = by or self.head
        shown = signing.preview(by=by, case=case, decision=decision)
        return signing.sign(by=by, case=case, decision=decision, preview_digest=shown.digest, fresh=True)

    def second(self, case: Case) -> Player:
        """Return a referee who may sign after the first."""
        first = proposal_of(fresh(case)).by
        return [person for person in available.candidates(fresh(case)) if person != first][-1]

    @step
    def countersigned(self, case: Case) -> Ruling:
        """Return the proposed ruling with its second signature."""
        by = self.second(case)
        shown = countersigning.preview(by=by, case=case)
        return countersigning.countersign(by=by, case=case, preview_digest=shown.digest, fresh=True)

    @step
    def ruled(self, decision: Decision | None = None, **dispute: object) -> Case:
        """Return a dispute that is answered, taken by the head referee and ruled."""
        case = self.taken(self.heard(self.dispute(**dispute)))  # type: ignore[arg-type]
        self.rule(case, decision or self.against(case))
        return fresh(case)

    def against(self, case: Case, **more: object) -> Decision:
        """Return the finding of talking against the first player of the other side."""
        offender = self.players[0 if case.side == 1 else 1]
        return decided(TALK, offender=offender.pk, **more)

    @step
    def appealed(self, decision: Decision | None = None) -> Case:
        case = self.ruled(decision)
        hearing.appeal(by=self.players[0], case=case, grounds="fact", text="Personne n’a rien entendu.")
        hearing.form_panel(by=self.organiser, case=case)
        return replied(case, self.players)


def replied(case: Case, players: Sequence[Player]) -> Case:
    """Let every side reply against which another one has appealed. `players`: of the match, by seat."""
    appeals = set(Appeal.objects.filter(case=case).values_list("side", flat=True))
    for side in (0, 1):
        if appeals - {side}:
            replies.reply(by=players[side], case=fresh(case), text="Ce n’était pas ainsi.")
    return fresh(case)


def related(one: Player, other: Player) -> FamilyTie:
    """Return their family tie, declared by `one` and confirmed by `other`."""
    return ties.answer(by=other, tie=ties.declare(by=one, other=other), accept=True)


def decided(decision: Decision, **more: object) -> Decision:
    from dataclasses import replace

    return replace(decision, **more)  # type: ignore[arg-type]


def fresh(case: Case) -> Case:
    return Case.objects.select_related("competition", "match", "game").get(pk=case.pk)


_names = count(1)


def a_referee(competition: Competition, name: str = "referee") -> Player:
    player = a_player(f"Arbitre {next(_names)}")
    roles.give(by=SITE, competition=competition, player=player, name=name)
    return player


@remembered
def a_world(**league: object) -> World:
    competition = a_league(4, **league)  # type: ignore[arg-type]
    organiser = a_player("Sylvie Doucet")
    roles.give(by=SITE, competition=competition, player=organiser, name="organiser")
    return World(
        competition=competition,
        match=first_match(competition),
        referees=[a_referee(competition) for _number in range(4)],
        head=a_referee(competition, "head_referee"),
        organiser=organiser,
    )


def votes(world: World, case: Case, *choices: str) -> list[Player]:
    """Let the members of the panel vote; return them, by place."""
    members = [seat.member for seat in case.panel.filter(place__isnull=False, left_at=None).order_by("place")]
    for member, choice in zip(members, choices, strict=True):
        hearing.vote(by=member, case=case, vote=choice, note=f"Je vote {choice}.")
    return members
