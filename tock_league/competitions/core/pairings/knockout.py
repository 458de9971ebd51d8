"""Single elimination, first edition: who loses is out. Page: docs/formats/knockout.md."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..bracket import Bracket, single_elimination
from ..format import FormatError, History, Over, Pairing, RoundPlan
from ..kind import BRACKET, Settings, StagePlan, Texts
from ..progression import READY, Spot, fill
from ..scoring import MatchResult


@dataclass(frozen=True)
class Options:
    """`third_place`: the losers of the semi-finals play for third place."""

    third_place: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.third_place, bool):
            raise ValueError("third_place is true or false")


class Knockout:
    """The bracket is known from the start, its later pairings as results come in."""

    key = "knockout/1"
    options = Options
    is_bracket = True
    all_meet = False
    pairs_as_it_goes = False
    tiebreaks = ()

    def plan(self, entries: Sequence[int], options: Options) -> tuple[RoundPlan, ...]:
        """Return the first round for `entries` in seed order, with its byes.

        Raises FormatError for fewer than 2 or for doubles. The later rounds are places of `bracket.single_elimination`.
        """
        if len(set(entries)) != len(entries):
            raise FormatError("entry_twice", "an entry is named twice", "entries")
        bracket = single_elimination(len(entries), options.third_place)
        byes = tuple(entries[seed - 1] for seed in bracket.byes)
        return (RoundPlan(1, _pairings(bracket, 1, _spots(bracket, entries, ())), byes=byes),)

    def next_round(self, history: History, seed: str) -> RoundPlan | Over:
        """Return the round after those made; lots play no part. Raises FormatError("round_unfinished")."""
        if not history.rounds:
            return self.plan(history.entries, history.options)[0]
        bracket = single_elimination(len(history.entries), history.options.third_place)
        number = len(history.rounds) + 1
        if number > bracket.rounds:
            return Over("all_rounds_played")
        spots = _spots(bracket, history.entries, history.results)
        if any(spots[node.number].state == READY for node in bracket.nodes if node.round < number):
            raise FormatError("round_unfinished", "a match of this round has no result yet", "results")
        return RoundPlan(number, _pairings(bracket, number, spots))

    def matches(self, entries: int, options: Options) -> tuple[int, ...]:
        """Return the matches of each round; the match for third place is played beside the final."""
        size = 1 << (entries - 1).bit_length()
        made = []
        playing = entries - size // 2  # the others of the first round have a bye
        while size >= 2:
            made.append(playing + (size == 2 and options.third_place and entries > 3))
            size //= 2
            playing = size // 2
        return tuple(made)

    def ranking(self, history: History, tiebreaks: Sequence[str]) -> tuple[str, ...]:
        """Return no criteria: the bracket ranks by the round in which an entry lost."""
        return ()

    def explain(self, pairing: Pairing) -> str:
        """Return the code for a pairing by the bracket."""
        return "bracket"


def _spots(bracket: Bracket, entries: Sequence[int], results: Sequence[MatchResult]) -> dict[int, Spot]:
    """Fold the results into the bracket. Two entries meet once at most, save that nobody does twice: pairs find matches."""
    found = {
        frozenset(side.entry for side in result.sides): {side.entry: side.outcome for side in result.sides}
        for result in results
        if len(result.sides) == 2 and result.fact != "void"
    }
    entrants: dict[int, int | None] = dict(enumerate(entries, start=1))
    outcomes: dict[int, tuple[str, str]] = {}
    for _round in range(bracket.rounds):
        spots = fill(bracket, entrants, outcomes)
        for spot in spots.values():
            a, b = spot.sides
            if spot.state == READY and a is not None and b is not None and frozenset((a, b)) in found:
                told = found[frozenset((a, b))]
                outcomes[spot.number] = (told[a], told[b])
    return fill(bracket, entrants, outcomes)


def _pairings(bracket: Bracket, number: int, spots: dict[int, Spot]) -> tuple[Pairing, ...]:
    return tuple(
        Pairing((a, b))
        for node in bracket.nodes
        if node.round == number and spots[node.number].state == READY
        for a, b in [spots[node.number].sides]
        if a is not None and b is not None
    )


class SingleElimination:
    """The format as a whole tournament."""

    key = "knockout"
    place = 2
    fields = ("third_place",)

    def check(self, plan: Settings) -> None:
        """Every value of `third_place` can be played."""

    def least(self, plan: Settings) -> int:
        """Return 2: a final."""
        return 2

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        """Return the bracket."""
        return (StagePlan(FORMAT.key, {"third_place": plan.third_place}, BRACKET),)

    def title(self, texts: Texts) -> str:
        """Return what the organiser's form says of it."""
        return texts.gettext("Single elimination: whoever loses is out, the shortest evening")

    def summary(self, plan: Settings, texts: Texts) -> str:
        """Return it in two words."""
        return texts.gettext("single elimination")

    def details(self, plan: Settings, texts: Texts) -> list[str]:
        """Return the sentence of the match for third place."""
        return [texts.gettext("The losers of the semi-finals play for third place.")] if plan.third_place else []

    def games(self, plan: Settings, texts: Texts) -> str:
        """Return the most games before the final and in it."""
        best_of = {"games": plan.games(BRACKET), "final": plan.games(BRACKET, "final")}
        return texts.gettext("bracket %(games)s, final %(final)s") % best_of


FORMAT = Knockout()
KIND = SingleElimination()
