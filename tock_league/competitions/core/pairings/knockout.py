"""Single elimination, first edition: the loser of a match is out. Page: docs/formats/knockout.md."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..bracket import Bracket, single_elimination
from ..format import FormatError, History, Over, Pairing, RoundPlan
from ..kind import BRACKET, Settings, StagePlan, Texts
from ..progression import READY, Spot, fill
from ..scoring import MatchResult


@dataclass(frozen=True)
class Options:
    """The settings of the format."""

    third_place: bool = False  # whether the losers of the semi-finals play for third place

    def __post_init__(self) -> None:
        if not isinstance(self.third_place, bool):
            raise ValueError("third_place is true or false")


class Knockout:
    """The bracket is fixed from the start; its later pairings depend on results."""

    key = "knockout/1"
    options = Options
    is_bracket = True
    all_meet = False
    pairs_as_it_goes = False
    tiebreaks = ()

    def plan(self, entries: Sequence[int], options: Options) -> tuple[RoundPlan, ...]:
        """Return the first round for `entries` in seed order, with its byes.

        Raises FormatError for fewer than 2 or for doubles. The later rounds are in `bracket.single_elimination`.
        """
        if len(set(entries)) != len(entries):
            raise FormatError("entry_twice", "an entry is named twice", "entries")
        bracket = single_elimination(len(entries), options.third_place)
        byes = tuple(entries[seed - 1] for seed in bracket.byes)
        return (RoundPlan(1, _pairings(bracket, 1, _spots(bracket, entries, ())), byes=byes),)

    def next_round(self, history: History, seed: str) -> RoundPlan | Over:
        """Return the next round; no lots are needed. Raises FormatError("round_unfinished")."""
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
        """Return the number of matches of each round; the match for third place is in the round of the final."""
        size = 1 << (entries - 1).bit_length()
        made = []
        playing = entries - size // 2  # the others of the first round have a bye
        while size >= 2:
            made.append(playing + (size == 2 and options.third_place and entries > 3))
            size //= 2
            playing = size // 2
        return tuple(made)

    def ranking(self, history: History, tiebreaks: Sequence[str]) -> tuple[str, ...]:
        """Return no criteria: an entry is ranked by the round in which it lost."""
        return ()

    def explain(self, pairing: Pairing) -> str:
        """Return the code of a pairing by the bracket."""
        return "bracket"


def _spots(bracket: Bracket, entries: Sequence[int], results: Sequence[MatchResult]) -> dict[int, Spot]:
    """Return the matches of the bracket after the results, by number.

    Two entries meet at most once in a bracket, so a result is found by its pair of entries.
    """
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
        """Do nothing: every value of `third_place` is valid."""

    def least(self, plan: Settings) -> int:
        """Return the minimum number of entries."""
        return 2

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        """Return the bracket."""
        return (StagePlan(FORMAT.key, {"third_place": plan.third_place}, BRACKET),)

    def title(self, texts: Texts) -> str:
        """Return its description in the organiser's form."""
        return texts.gettext("Single elimination: whoever loses is out, the shortest evening")

    def summary(self, plan: Settings, texts: Texts) -> str:
        """Return a short description."""
        return texts.gettext("single elimination")

    def details(self, plan: Settings, texts: Texts) -> list[str]:
        """Return the sentence on the match for third place."""
        return [texts.gettext("The losers of the semi-finals play for third place.")] if plan.third_place else []

    def games(self, plan: Settings, texts: Texts) -> str:
        """Return the maximum number of games of a match: before the final and in the final."""
        best_of = {"games": plan.games(BRACKET), "final": plan.games(BRACKET, "final")}
        return texts.gettext("bracket %(games)s, final %(final)s") % best_of


FORMAT = Knockout()
KIND = SingleElimination()
