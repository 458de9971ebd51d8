"""Round robin, first edition: everybody meets everybody, once or twice. Page: docs/formats/round_robin.md."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..berger import double, single
from ..format import FormatError, History, Over, Pairing, RoundPlan
from ..kind import GROUP, PlanError, Settings, StagePlan, Texts


@dataclass(frozen=True)
class Options:
    """The settings of the format."""

    legs: int = 2  # 1, or 2 for return matches with homes reversed

    def __post_init__(self) -> None:
        if self.legs not in (1, 2):
            raise ValueError("legs is 1 or 2")


class RoundRobin:
    """All rounds are known before the first game."""

    key = "round_robin/1"
    options = Options
    is_bracket = False
    all_meet = True
    pairs_as_it_goes = False
    # No lots: a tie that decides on qualification is settled by the organiser.
    tiebreaks = ("head_to_head", "margin", "wins", "played_wins")

    def plan(self, entries: Sequence[int], options: Options) -> tuple[RoundPlan, ...]:
        """Return every round for `entries` in seed order. Raises FormatError for fewer than 2 or for doubles."""
        if len(entries) < 2:
            raise FormatError("too_few_entries", "a round robin needs at least two entries", "entries")
        if len(set(entries)) != len(entries):
            raise FormatError("entry_twice", "an entry is named twice", "entries")
        legs = double(len(entries)) if options.legs == 2 else single(len(entries))
        rounds = []
        for number, meetings in enumerate(legs, start=1):
            busy = {index for meeting in meetings for index in meeting}
            rests = tuple(entry for index, entry in enumerate(entries) if index not in busy)
            pairings = tuple(Pairing((entries[home], entries[away])) for home, away in meetings)
            rounds.append(RoundPlan(number, pairings, rests))
        return tuple(rounds)

    def next_round(self, history: History, seed: str) -> RoundPlan | Over:
        """Return the next planned round; no lots are needed."""
        rounds = self.plan(history.entries, history.options)
        made = len(history.rounds)
        return rounds[made] if made < len(rounds) else Over("all_met")

    def matches(self, entries: int, options: Options) -> tuple[int, ...]:
        """Return the number of matches of each round: half of the entries, rounded down."""
        return (entries // 2,) * ((entries - 1 + entries % 2) * options.legs)

    def ranking(self, history: History, tiebreaks: Sequence[str]) -> tuple[str, ...]:
        """Return points, then the organiser's criteria."""
        return ("points", *tiebreaks)

    def explain(self, pairing: Pairing) -> str:
        """Return the code of "everybody meets everybody"."""
        return "all_meet_all"


class Evening:
    """The format as a whole tournament: one table, small enough for an evening."""

    key = "round_robin"
    place = 6
    most = 12
    fields = ("legs", "late_rounds")

    def check(self, plan: Settings) -> None:
        """Raise PlanError if legs is out of its range."""
        if plan.legs not in (1, 2):
            raise PlanError("plan_legs", "legs")

    def least(self, plan: Settings) -> int:
        """Return the minimum number of entries."""
        return 3

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        """Return the one group, which has no name."""
        return (StagePlan(FORMAT.key, {"legs": plan.legs}, GROUP),)

    def title(self, texts: Texts) -> str:
        """Return its description in the organiser's form."""
        return texts.gettext("Round robin: everybody meets everybody, 3 to 12 teams in one table")

    def summary(self, plan: Settings, texts: Texts) -> str:
        """Return a short description."""
        return texts.gettext("round robin")

    def details(self, plan: Settings, texts: Texts) -> list[str]:
        """Return the sentence on return matches."""
        return [texts.gettext("Everybody meets everybody twice.")] if plan.legs == 2 else []

    def games(self, plan: Settings, texts: Texts) -> str:
        """Return the maximum number of games of a match."""
        return str(plan.games(GROUP))


FORMAT = RoundRobin()
KIND = Evening()
