"""Single elimination, first edition: the loser of a match is out. Page: docs/formats/knockout.md."""

from dataclasses import dataclass

from ..bracket import Bracket, single_elimination
from ..bracket_format import BracketFormat
from ..kind import BRACKET, MOST_ENTRIES, Settings, StagePlan, Texts, bracket_games


@dataclass(frozen=True)
class Options:
    """The settings of the format."""

    third_place: bool = False  # whether the losers of the semi-finals play for third place

    def __post_init__(self) -> None:
        if not isinstance(self.third_place, bool):
            raise ValueError("third_place is true or false")


class Knockout(BracketFormat):
    """One tree of matches."""

    key = "knockout/1"
    options = Options

    def bracket(self, entries: int, options: Options) -> Bracket:
        """Return the bracket; the match for third place is in the round of the final."""
        return single_elimination(entries, options.third_place)


class SingleElimination:
    """The format as a whole tournament."""

    key = "knockout"
    place = 2
    most = MOST_ENTRIES
    fields = ("third_place", "best_of_semi")

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
        return bracket_games(plan, texts)


FORMAT = Knockout()
KIND = SingleElimination()
