"""What the rating log has to learn from a match's result: the games whose row there says something else."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ratings.models import Ladder, RatedResult

from ..core.effective import Effect, Version
from ..core.rated import Verdict, verdicts
from ..models import Match, MatchGame, ResultVersion
from .effective import effects_of, versions_of

# A game that ended when its match was decided already: it belongs to no result.
OUTSIDE = Verdict("void", rated=False, reason="voided")


@dataclass(frozen=True)
class Correction:
    """The next revision of a game in the rating log. `ranks`: per team, 0 best; `source`: the game's id as text."""

    ladder: Ladder
    source: str
    kind: str
    ranks: tuple[int, ...]
    rated: bool
    reason: str


def corrections_of(match: Match) -> list[Correction]:
    """The corrections that the match's result asks for now; [] when the log agrees. Six queries."""
    return corrections(match, versions_of(match), effects_of(match))


def corrections(match: Match, versions: Sequence[Version], effects: Iterable[Effect]) -> list[Correction]:
    """The corrections under these versions and effects, which may be others than those written. Three queries.

    A game that the table did not rate is never corrected: no ruling makes an unplayed game rated.
    """
    said = verdicts(versions, effects, sides=match.sides, best_of=match.best_of)
    older = dict(
        ResultVersion.objects.filter(match=match, source=ResultVersion.Source.ENGINE, game__isnull=True).values_list(
            "game_number", "version"
        )
    )
    games: dict[str, Verdict] = {}
    for row in MatchGame.objects.filter(match=match).select_related("version"):
        written = getattr(row, "version", None)
        number = written.version if written is not None else older.get(row.number)
        games[str(row.game_id)] = said.get(number, OUTSIDE) if number is not None else OUTSIDE
    made: list[Correction] = []
    logged: dict[str, list[RatedResult]] = {}
    for result in RatedResult.objects.filter(source__in=games).select_related("ladder").order_by("source", "revision"):
        logged.setdefault(result.source, []).append(result)
    for source, rows in logged.items():
        correction = _correction(rows[0], rows[-1], games[source], match.sides)
        if correction is not None:
            made.append(correction)
    return made


def _correction(first: RatedResult, last: RatedResult, verdict: Verdict, sides: int) -> Correction | None:
    if not first.rated:
        return None
    ranks = tuple(first.ranks)
    if verdict.winner is not None:
        ranks = tuple(0 if position == verdict.winner else 1 for position in range(sides))
    rated = verdict.rated
    if (last.kind, tuple(last.ranks), last.rated) == (verdict.kind, ranks, rated):
        return None
    reason = verdict.reason or ("ruling" if ranks != tuple(first.ranks) else first.reason)
    return Correction(last.ladder, first.source, verdict.kind, ranks, rated, reason)
