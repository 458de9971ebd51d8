"""What the formats with a bracket share: their rounds, made one by one from the results, for `format.Format`."""

from collections.abc import Sequence
from typing import Any

from .bracket import Bracket
from .format import FormatError, History, Over, Pairing, RoundPlan
from .progression import READY, Spot, fill
from .scoring import MatchResult


class BracketFormat:
    """A format whose bracket is fixed from the start; its later pairings depend on results."""

    is_bracket = True
    all_meet = False
    pairs_as_it_goes = False
    tiebreaks = ()

    def bracket(self, entries: int, options: Any) -> Bracket:
        """Return the bracket of so many entries. Raises FormatError("too_few_entries") below 2."""
        raise NotImplementedError

    def plan(self, entries: Sequence[int], options: Any) -> tuple[RoundPlan, ...]:
        """Return the first round for `entries` in seed order, with its byes.

        Raises FormatError for fewer than 2 or for doubles. The later rounds are in `bracket`.
        """
        if len(set(entries)) != len(entries):
            raise FormatError("entry_twice", "an entry is named twice", "entries")
        bracket = self.bracket(len(entries), options)
        byes = tuple(entries[seed - 1] for seed in bracket.byes)
        return (RoundPlan(1, _pairings(bracket, 1, _spots(bracket, entries, ())), byes=byes),)

    def next_round(self, history: History, seed: str) -> RoundPlan | Over:
        """Return the next round, without matches if nobody is left for them; no lots are needed.

        Raises FormatError("round_unfinished").
        """
        if not history.rounds:
            return self.plan(history.entries, history.options)[0]
        bracket = self.bracket(len(history.entries), history.options)
        number = len(history.rounds) + 1
        if number > bracket.rounds:
            return Over("all_rounds_played")
        spots = _spots(bracket, history.entries, history.results)
        if any(spots[node.number].state == READY for node in bracket.nodes if node.round < number):
            raise FormatError("round_unfinished", "a match of this round has no result yet", "results")
        return RoundPlan(number, _pairings(bracket, number, spots))

    def matches(self, entries: int, options: Any) -> tuple[int, ...]:
        """Return the number of matches of each round; those that may turn out not to be needed count too."""
        return self.bracket(entries, options).per_round()

    def ranking(self, history: History, tiebreaks: Sequence[str]) -> tuple[str, ...]:
        """Return no criteria: an entry is ranked by the match that it played last."""
        return ()

    def explain(self, pairing: Pairing) -> str:
        """Return the code of a pairing by the bracket."""
        return "bracket"


def _spots(bracket: Bracket, entries: Sequence[int], results: Sequence[MatchResult]) -> dict[int, Spot]:
    """Return the matches of the bracket after the results, by number.

    Two entries may meet again, but not in the same round, so a result is found by its round and its pair of entries.
    """
    found = {
        (result.round, frozenset(side.entry for side in result.sides)): {
            side.entry: side.outcome for side in result.sides
        }
        for result in results
        if len(result.sides) == 2 and result.fact != "void"
    }
    entrants: dict[int, int | None] = dict(enumerate(entries, start=1))
    outcomes: dict[int, tuple[str, str]] = {}
    for _round in range(bracket.rounds):
        spots = fill(bracket, entrants, outcomes)
        for spot in spots.values():
            a, b = spot.sides
            key = (bracket.node(spot.number).round, frozenset((a, b)))
            if spot.state == READY and a is not None and b is not None and key in found:
                told = found[key]
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
