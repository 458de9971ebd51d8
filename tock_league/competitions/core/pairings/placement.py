"""Full placement, first edition: losers play on until every rank is decided. Page: docs/formats/placement.md."""

from dataclasses import dataclass
from functools import cache

from ..bracket import LABELS, Bracket, bracket_of, first_line, rounds_of
from ..bracket_format import BracketFormat
from ..drafting import Draft, Line, present
from ..kind import BRACKET, Settings, StagePlan, Texts, bracket_games


@dataclass(frozen=True)
class Options:
    """The format has no settings."""


class Placement(BracketFormat):
    """A knockout whose losers play for the ranks below, each in a bracket of those who have the same results."""

    key = "placement/1"
    options = Options

    def bracket(self, entries: int, options: Options) -> Bracket:
        """Return the bracket, in which everybody plays in at most as many rounds as a knockout has."""
        return placement(entries)


@cache
def placement(n: int) -> Bracket:
    """Return the bracket of `n` entries. Raises FormatError("too_few_entries") below 2."""
    draft = Draft()
    _block(draft, first_line(n), first=1, depth=1, rounds=rounds_of(n), part=0)
    return bracket_of(n, draft)


def _block(draft: Draft, line: Line, *, first: int, depth: int, rounds: int, part: int) -> None:
    """Add the matches of those in `line`, who play for the ranks from `first` on.

    A match for two ranks is drawn in the part of the block whose losers play it.
    """
    count = present(line)
    if count < 2:
        draft.rank(line, first)
        return
    label, number = ("place" if count == 2 else "places"), first
    if first == 1:
        label, number = LABELS.get(rounds - depth + 1, ""), 0
    elif (first, count) == (3, 2):
        label, number = "third_place", 0
    winners, losers = draft.level(line, round=depth, label=label, label_no=number, part=part)
    _block(draft, winners, first=first, depth=depth + 1, rounds=rounds, part=part)
    below = part if present(losers) == 2 else 1 + max(row.part for row in draft.rows)
    _block(draft, losers, first=first + present(winners), depth=depth + 1, rounds=rounds, part=below)


class PlacementKind:
    """The format as a whole tournament."""

    key = "placement"
    place = 4
    most = 128
    fields = ("best_of_semi",)

    def check(self, plan: Settings) -> None:
        """Do nothing: there is no setting."""

    def least(self, plan: Settings) -> int:
        """Return the minimum number of entries."""
        return 2

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        """Return the bracket."""
        return (StagePlan(FORMAT.key, {}, BRACKET),)

    def title(self, texts: Texts) -> str:
        """Return its description in the organiser's form."""
        return texts.gettext("Placement bracket: everybody plays to the last round, every place is decided")

    def summary(self, plan: Settings, texts: Texts) -> str:
        """Return a short description."""
        return texts.gettext("placement bracket")

    def details(self, plan: Settings, texts: Texts) -> list[str]:
        """Return the sentence on those who lose."""
        return [texts.gettext("Losers play on for the places below; two teams meet once at most.")]

    def games(self, plan: Settings, texts: Texts) -> str:
        """Return the maximum number of games of a match: before the final and in the final."""
        return bracket_games(plan, texts)


FORMAT = Placement()
KIND = PlacementKind()
