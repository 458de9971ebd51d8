"""The round sheet: all matches of a round as the desk enters their results, those without one first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tock_league.accounts.permissions import Person, can

from ...models import Competition, Match, ResultEffect, RosterSpot
from ..rounds.matches import MatchView
from ..rounds.progress import is_bracket
from ..seasons.calendars import RoundView, current_round, rounds
from ..seasons.counting import ahead_of, asked_of
from .paper import counting_sheet, sheet_words

S = Match.State
MISSING, ALL = "missing", "all"
ENTERABLE = (S.SCHEDULED, S.CALLED, S.LIVE, S.REPORTED, S.CONTESTED)
MOST_BUTTONS = 13  # margins that are offered as buttons; a field takes a wider range


@dataclass(frozen=True)
class Line:
    """One match on the sheet."""

    view: MatchView
    number: (
        int | None
    )  # what is typed for it: its table, or its place in a round without tables; None: it waits for one
    seen: int  # the newest paper, as a form sends it back; 0 for none
    may_enter: bool
    may_correct: bool
    words: str  # the games of a result on paper: who won, and by how many; "" for none

    @property
    def slug(self) -> str:
        return self.view.match.slug

    @property
    def margins(self) -> range:
        """The margins that one press chooses among; empty where none is asked, or too many are possible."""
        least, most = ahead_of(self.view.match.competition)
        return range(least, most + 1) if self.asks_margin and most - least < MOST_BUTTONS else range(0)

    @property
    def asks_margin(self) -> bool:
        """Whether the desk asks by how much: where it separates equal teams, or winners are always ahead."""
        match = self.view.match
        separates = "margin" in match.competition.regulations.criteria and not is_bracket(match.round.group.stage)
        return separates or ahead_of(match.competition)[0] > 0

    @property
    def may_tie(self) -> bool:
        return asked_of(self.view.match).ties


@dataclass(frozen=True)
class RoundSheet:
    """The sheet of a round. `rounds`: all of them, for the choice."""

    competition: Competition
    rounds: tuple[RoundView, ...]
    round: RoundView | None  # None where nothing is drawn yet
    lines: tuple[Line, ...]  # those without a result first, each in the order of its number

    @property
    def key(self) -> str:
        """How an address names the round."""
        return round_key(self.round) if self.round is not None else ""

    @property
    def missing(self) -> int:
        """How many matches have no result."""
        return sum(not is_done(line) for line in self.lines)

    @property
    def known(self) -> str:
        """The papers that the page shows, as a form sends them back: match and version, for `seen_of`."""
        return " ".join(f"{line.slug}:{line.seen}" for line in self.lines if line.seen)

    def without_result(self) -> "RoundSheet":
        """Return the sheet with the matches that have no result."""
        return replace(self, lines=tuple(line for line in self.lines if not is_done(line)))

    def numbered(self, number: int) -> Line | None:
        """Return the match of that number; of two that were at one table, the one without a result."""
        return next((line for line in self.lines if line.number == number), None)


def is_done(line: Line) -> bool:
    """Return whether nothing is missing: the match is decided, or void."""
    return line.view.is_decided or line.view.match.state == S.VOID


def round_key(made: RoundView) -> str:
    """Return how an address names a round: its stage and its number."""
    return f"{made.stage}.{made.number}"


def seen_of(known: str, slug: str) -> int:
    """Return the version of the match that a page showed, see `RoundSheet.known`; 0 for none and for nonsense."""
    for word in known.split():
        name, _colon, version = word.partition(":")
        if name == slug and version.isdecimal() and len(version) < 9:
            return int(version)
    return 0


def sheet(competition: Competition, person: Person, key: str = "") -> RoundSheet:
    """Return the sheet of the round that `key` names, by default of the one under way. A dozen queries at most."""
    found = rounds(competition)
    chosen = next((made for made in found if round_key(made) == key), current_round(found))
    matches = chosen.matches if chosen is not None else ()
    official = can(person, "competition.desk", competition)
    own = _own(person, matches)
    numbers = _numbers(matches)
    lines = [_line(view, numbers[view.match.pk], official and view.match.pk not in own) for view in matches]
    lines.sort(key=lambda line: (is_done(line), line.number is None, line.number or 0))
    return RoundSheet(competition, tuple(found), chosen, tuple(lines))


def _own(person: Person, matches: Sequence[MatchView]) -> set[int]:
    """Return the matches on whose rosters the person is, substitutes included, as `permissions.plays_in`. One query."""
    key = getattr(person, "pk", None)
    spots = RosterSpot.objects.filter(
        player=key, left__isnull=True, entry__side_rows__match__in=[view.match.pk for view in matches]
    )
    return set(spots.values_list("entry__side_rows__match", flat=True)) if key is not None else set()


def _numbers(matches: Sequence[MatchView]) -> dict[int, int | None]:
    """Return the number of each match: its table's; where no match of the round has a table, its place in the round."""
    if any(view.match.table_no is not None for view in matches):
        return {view.match.pk: view.match.table_no for view in matches}
    return {view.match.pk: place for place, view in enumerate(matches, start=1)}


def _line(view: MatchView, number: int | None, official: bool) -> Line:
    match = view.match
    open_for_paper = match.is_on_board and match.state in ENTERABLE
    return Line(
        view=view,
        number=number,
        seen=_newest(match),
        may_enter=official and open_for_paper,
        may_correct=official and view.is_provisional,
        words=_words(view) if view.is_decided else "",
    )


def _words(view: MatchView) -> str:
    return sheet_words(view, counting_sheet(view.match) or ())


def _newest(match: Match) -> int:
    """Return the version of the match's newest paper since it was last ordered again, as `paper.newest`; no query."""
    since = max((row.after for row in match.effects.all() if row.kind == ResultEffect.Kind.REPLAY), default=0)
    return max(
        (row.version for row in match.versions.all() if row.sheet is not None and row.version > since), default=0
    )
