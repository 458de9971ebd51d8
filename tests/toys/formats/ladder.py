"""A ladder: neighbours meet, and the winner takes the higher place. One file is the format and the kind of tournament."""

from collections.abc import Sequence
from dataclasses import dataclass

from tock_league.competitions.core.format import FormatError, History, Over, Pairing, RoundPlan
from tock_league.competitions.core.kind import GROUP, PlanError, Settings, StagePlan, Texts


@dataclass(frozen=True)
class Options:
    """`rounds`: how many."""

    rounds: int = 2


class Ladder:
    """Odd rounds pair the places 1-2, 3-4, ...; even rounds 2-3, 4-5, ...; an entry without a neighbour rests."""

    key = "ladder/1"
    options = Options
    is_bracket = False
    all_meet = False
    pairs_as_it_goes = True
    tiebreaks = ("wins", "lots")

    def plan(self, entries: Sequence[int], options: Options) -> tuple[RoundPlan, ...]:
        return ()

    def next_round(self, history: History, seed: str) -> RoundPlan | Over:
        number = len(history.rounds) + 1
        if number > history.options.rounds:
            return Over("all_rounds_played")
        if len(history.results) < sum(len(made.pairings) for made in history.rounds):
            raise FormatError("round_unfinished", "a match has no result yet", "results")
        order = list(history.entries)
        for result in history.results:
            winner, loser = sorted(result.sides, key=lambda side: side.outcome != "win")
            above, below = sorted((order.index(winner.entry), order.index(loser.entry)))
            order[above], order[below] = winner.entry, loser.entry
        first = (number - 1) % 2
        pairs = [(order[at], order[at + 1]) for at in range(first, len(order) - 1, 2)]
        paired = {entry for pair in pairs for entry in pair}
        byes = tuple(entry for entry in order if entry not in paired)
        return RoundPlan(number, tuple(Pairing(pair) for pair in pairs), byes=byes)

    def matches(self, entries: int, options: Options) -> tuple[int, ...]:
        return tuple((entries - number % 2) // 2 for number in range(options.rounds))

    def ranking(self, history: History, tiebreaks: Sequence[str]) -> tuple[str, ...]:
        return ("points", *tiebreaks)

    def explain(self, pairing: Pairing) -> str:
        return "neighbours"


class LadderEvent:
    """A tournament that is one ladder."""

    key = "ladder"
    place = 9
    most = 128
    fields = ("rounds",)

    def check(self, plan: Settings) -> None:
        if not 1 <= plan.rounds <= 9:
            raise PlanError("plan_rounds", "rounds")

    def least(self, plan: Settings) -> int:
        return 3

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        return (StagePlan(FORMAT.key, {"rounds": plan.rounds}, GROUP),)

    def title(self, texts: Texts) -> str:
        return "Ladder: who beats a neighbour stands above"

    def summary(self, plan: Settings, texts: Texts) -> str:
        return f"ladder of {plan.rounds} rounds"

    def details(self, plan: Settings, texts: Texts) -> list[str]:
        return ["Neighbours meet."]

    def games(self, plan: Settings, texts: Texts) -> str:
        return str(plan.games(GROUP))


FORMAT = Ladder()
KIND = LadderEvent()
