"""What corrections of the log would do to a ladder: the whole log is replayed in memory, as it is and as it would be."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ratings.core import recompute as core
from ratings.core.engines import engine_for
from ratings.core.gaussian import Estimate
from ratings.core.params import DEFAULT, Params
from ratings.core.score import points
from ratings.models import Ladder, RatedResult
from tock_league.accounts.models import Player

from .pairs import team_of

NAMED_FROM = 4_000  # thousandths of a point: a tenth on the scale of the estimate


@dataclass(frozen=True)
class Revision:
    """What the log would say of a game: `source` its id as text, `kind` result or void, `ranks` per team."""

    source: str
    kind: str
    ranks: tuple[int, ...]
    rated: bool


@dataclass(frozen=True)
class Move:
    """A player or a pair whose score would move, in whole points; None where there is no score."""

    name: str
    before: int | str
    after: int | str


@dataclass(frozen=True)
class Moved:
    """`named`: those who move by a tenth of the estimate's scale or more, most first; `others`: how many move by less."""

    named: tuple[Move, ...]
    others: int


def moved(ladder_key: str, revisions: Sequence[Revision], games: Sequence[core.Entry] = ()) -> Moved:
    """Return who would move on the ladder if `games` entered its log, and `revisions` were the next ones of their games.

    Four queries. The time is that of two replays of the ladder's log, which is empty where there is no such ladder yet.
    """
    ladder = Ladder.objects.filter(key=ladder_key).select_related("generation__params").first()
    generation = ladder.generation if ladder is not None else None
    engine = engine_for(Params.from_json(generation.params.values) if generation is not None else DEFAULT)
    log = [entry_of(row) for row in RatedResult.objects.filter(ladder__key=ladder_key)]
    last: dict[str, core.Entry] = {}
    for entry in (*sorted(log, key=lambda entry: entry.revision), *games):
        last[entry.source] = entry
    new = [
        replace(
            last[made.source],
            revision=last[made.source].revision + 1,
            kind=made.kind,
            ranks=made.ranks,
            rated=made.rated,
        )
        for made in revisions
        if made.source in last
    ]
    before, after = core.replay(log, engine), core.replay([*log, *games, *new], engine)
    scores: dict[core.Subject, tuple[int | None, int | None]] = {}
    for subject in before.keys() | after.keys():
        was, now = before.get(subject), after.get(subject)
        scores[subject] = (
            engine.score(was.estimate, len(subject)) if was is not None else None,
            engine.score(now.estimate, len(subject)) if now is not None else None,
        )
    differ = {subject: pair for subject, pair in scores.items() if pair[0] != pair[1]}
    large = [subject for subject, pair in differ.items() if _size(pair) >= NAMED_FROM]
    large.sort(key=lambda subject: (-_size(differ[subject]), subject))
    names = _names(large)
    named = tuple(Move(names[subject], _shown(differ[subject][0]), _shown(differ[subject][1])) for subject in large)
    return Moved(named, len(differ) - len(large))


def entry_of(row: RatedResult) -> core.Entry:
    """Return the log's row as the core reads it."""
    return core.Entry(
        source=row.source,
        completed_at=row.completed_at,
        sides=tuple(tuple(side) for side in row.sides),
        ranks=tuple(row.ranks),
        rated=row.rated,
        kind=row.kind,
        revision=row.revision,
        start=Estimate(*row.start) if row.start else None,
    )


def _size(pair: tuple[int | None, int | None]) -> int:
    """How far a score moves; one that comes or goes moves all the way."""
    was, now = pair
    return abs(was - now) if was is not None and now is not None else 10**9


def _shown(score: int | None) -> int | str:
    return points(score) if score is not None else "–"


def _names(subjects: Sequence[core.Subject]) -> dict[core.Subject, str]:
    """The names of players and pairs: the team's, else the players'. Two queries."""
    people = Player.objects.in_bulk({person for subject in subjects for person in subject})
    teams = team_of(subject for subject in subjects if len(subject) > 1)
    names = {}
    for subject in subjects:
        team = teams.get(subject)
        names[subject] = team.name if team else " – ".join(people[person].display_name for person in subject)
    return names
