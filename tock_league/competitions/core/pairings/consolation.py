"""A knockout with consolation, first edition: losers of their first match play on. Page: docs/formats/consolation.md."""

from dataclasses import dataclass
from functools import cache

from ..bracket import Bracket, bracket_of, main_tree, rounds_of
from ..bracket_format import BracketFormat
from ..drafting import LOSS, Draft, Line, Way, present
from ..kind import BRACKET, Settings, StagePlan, Texts, bracket_games


@dataclass(frozen=True)
class Options:
    """The format has no settings."""


class Consolation(BracketFormat):
    """A knockout with a match for third place, and a second one of those who have lost their first match."""

    key = "consolation/1"
    options = Options

    def bracket(self, entries: int, options: Options) -> Bracket:
        """Return both brackets. Some matches of the consolation are not needed if a team with a bye wins its first match."""
        return consolation(entries)


@cache
def consolation(n: int) -> Bracket:
    """Return the bracket of `n` entries. Raises FormatError("too_few_entries") below 2.

    An entry that had a bye and loses in the second round has lost its first match too. Losers of semi-finals play for third place
    instead, so with fewer than 9 entries only losers of the first round are in the consolation.
    """
    rounds = rounds_of(n)
    draft = Draft()
    lost = main_tree(draft, n, third_place=True)
    if rounds > 2:
        line = _first_losers(lost, rounds)
        _consolation(draft, line, n)
    return bracket_of(n, draft, 0 if rounds <= 3 else 2 ** (rounds - 2))


def _first_losers(lost: list[Line], rounds: int) -> Line:
    """Return those who lose their first match, at the places of the first round; a bye's place may be filled a round later."""
    line = list(lost[0])
    if rounds == 3:  # the second round is the semi-finals
        return line
    for place, way in enumerate(lost[1]):
        assert isinstance(way, Way)
        upper, lower = line[2 * place], line[2 * place + 1]
        if upper is None and lower is None:
            line[2 * place] = way
        elif upper is None:
            line[2 * place] = Way(way.source, LOSS, only=0)
        elif lower is None:
            line[2 * place + 1] = Way(way.source, LOSS, only=1)
    return line


def _consolation(draft: Draft, line: Line, n: int) -> None:
    """Add the consolation of those in `line`, whose ranks follow those of everybody who has won a match."""
    ahead = n - present(line)
    number = 0
    while len(line) > 1:
        before = len(draft.rows)
        no = 0 if len(line) == 2 else number + 1
        line, losers = draft.level(line, round=draft.last_round(line) + 1, label="back_draw", label_no=no, part=1)
        number += len(draft.rows) > before
        draft.rank(losers, ahead + present(line) + 1)
    draft.rank(line, ahead + 1)


class ConsolationKind:
    """The format as a whole tournament."""

    key = "consolation"
    place = 5
    most = 128
    fields = ("best_of_semi",)

    def check(self, plan: Settings) -> None:
        """Do nothing: there is no setting."""

    def least(self, plan: Settings) -> int:
        """Return the minimum number of entries."""
        return 4

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        """Return the bracket."""
        return (StagePlan(FORMAT.key, {}, BRACKET),)

    def title(self, texts: Texts) -> str:
        """Return its description in the organiser's form."""
        return texts.gettext("Knockout with consolation: teams that lose their first match play on in a second bracket")

    def summary(self, plan: Settings, texts: Texts) -> str:
        """Return a short description."""
        return texts.gettext("knockout with consolation")

    def details(self, plan: Settings, texts: Texts) -> list[str]:
        """Return the sentences on the consolation and the match for third place."""
        return [
            texts.gettext("Teams that lose their first match play on in the consolation."),
            texts.gettext("The losers of the semi-finals play for third place."),
        ]

    def games(self, plan: Settings, texts: Texts) -> str:
        """Return the maximum number of games of a match: before the final and in the final."""
        return bracket_games(plan, texts)


FORMAT = Consolation()
KIND = ConsolationKind()
