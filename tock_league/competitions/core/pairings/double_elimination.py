"""Double elimination, first edition: an entry is out after its second loss. Page: docs/formats/double_elimination.md."""

from dataclasses import dataclass
from functools import cache

from ..bracket import WIN, Bracket, bracket_of, first_line, rounds_of
from ..bracket_format import BracketFormat
from ..drafting import LOSS, Draft, Line, Way, present
from ..kind import BRACKET, Settings, StagePlan, Texts, bracket_games

# In which quarter of the losers' bracket the losers of a round of the winners' bracket come in: their own place with these
# upper two bits turned. The first four rounds have four different quarters, so no two of them meet again in one quarter.
QUARTERS = (0b00, 0b11, 0b01, 0b10)


@dataclass(frozen=True)
class Options:
    """The settings of the format."""

    reset_final: bool = True  # whether a second final is played if the winner of the losers' bracket wins the first

    def __post_init__(self) -> None:
        if not isinstance(self.reset_final, bool):
            raise ValueError("reset_final is true or false")


class DoubleElimination(BracketFormat):
    """A winners' bracket, a losers' bracket that it feeds, and a final between the winners of both."""

    key = "double_elimination/1"
    options = Options

    def bracket(self, entries: int, options: Options) -> Bracket:
        """Return the bracket: 2n - 2 matches, and the second final if there may be one."""
        return double_elimination(entries, options.reset_final)


@cache
def double_elimination(n: int, reset_final: bool = True) -> Bracket:
    """Return the bracket of `n` entries. Raises FormatError("too_few_entries") below 2.

    Rounds are played as the losers' bracket needs them: its rounds are twice as many, so from the second one on every
    other round has matches of the winners' bracket too.
    """
    rounds = rounds_of(n)
    draft = Draft()
    line, lost = first_line(n), []
    for number in range(1, rounds + 1):
        no = number if number < rounds else 0
        line, losers = draft.level(line, round=max(1, 2 * number - 2), label="winners", label_no=no)
        lost.append(losers)
    other = _losers_bracket(draft, lost, n) if rounds > 1 else lost[0]
    line, losers = draft.level((line[0], other[0]), round=2 * rounds, label="final")
    draft.rank(line, 1)
    draft.rank(losers, 2)
    if reset_final:
        final = len(draft.rows) - 1  # its second side comes from the losers' bracket
        again = (Way(final, WIN, only=1), Way(final, LOSS, only=0))
        line, losers = draft.level(again, round=2 * rounds + 1, label="reset")
        draft.rank(line, 1)
        draft.rank(losers, 2)
    return bracket_of(n, draft)


def _losers_bracket(draft: Draft, lost: list[Line], n: int) -> Line:
    """Add the losers' bracket; return its winner, as a line of one. `lost`: by round of the winners' bracket.

    Its rounds alternate: those who are left meet each other, then the winners meet the next losers that come in.
    """
    last = 2 * len(lost) - 2
    left, count = n, 0
    line = _crossed(lost[0], 1)
    for step in range(1, last + 1):
        if step % 2 == 0:
            dropping = _crossed(lost[step // 2], step // 2 + 1)
            line = [place for pair in zip(dropping, line, strict=True) for place in pair]
        before = len(draft.rows)
        line, losers = draft.level(
            line, round=step + 1, label="losers", label_no=count + 1 if step < last else 0, part=1
        )
        count += len(draft.rows) > before
        left -= present(losers)
        draft.rank(losers, left + 1)
    return line


def _crossed(line: Line, number: int) -> Line:
    """Return the losers of a round of the winners' bracket in the order in which they come into the losers' bracket."""
    bits = len(line).bit_length() - 1
    quarter = QUARTERS[(number - 1) % len(QUARTERS)]
    turn = quarter >> (2 - bits) if bits < 2 else quarter << (bits - 2)
    return [line[place ^ turn] for place in range(len(line))]


class DoubleEliminationKind:
    """The format as a whole tournament."""

    key = "double_elimination"
    place = 3
    most = 128
    fields = ("reset_final", "best_of_semi", "best_of_losers")

    def check(self, plan: Settings) -> None:
        """Do nothing: every value of `reset_final` is valid."""

    def least(self, plan: Settings) -> int:
        """Return the minimum number of entries."""
        return 3

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        """Return the bracket."""
        return (StagePlan(FORMAT.key, {"reset_final": plan.reset_final}, BRACKET),)

    def title(self, texts: Texts) -> str:
        """Return its description in the organiser's form."""
        return texts.gettext("Double elimination: a team is out after its second loss")

    def summary(self, plan: Settings, texts: Texts) -> str:
        """Return a short description."""
        return texts.gettext("double elimination")

    def details(self, plan: Settings, texts: Texts) -> list[str]:
        """Return the sentence on the second final."""
        if plan.reset_final:
            return [texts.gettext("If the winner of the losers’ bracket wins the final, a second final decides.")]
        return [texts.gettext("One final decides, also for a team that has not lost before.")]

    def games(self, plan: Settings, texts: Texts) -> str:
        """Return the maximum number of games of a match in each bracket and in the final."""
        losers = texts.gettext("losers’ bracket %(games)s") % {"games": plan.games(BRACKET, "losers")}
        return f"{bracket_games(plan, texts)}, {losers}"


FORMAT = DoubleElimination()
KIND = DoubleEliminationKind()
