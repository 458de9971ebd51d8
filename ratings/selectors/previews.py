"""Preview of corrections: replay a ladder's log in memory, with and without them, and compare the scores."""

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

NAMED_FROM = 4_000  # minimum change of the score, in thousandths of a point, to be listed; 0.1 in mu


@dataclass(frozen=True)
class Revision:
    """A possible next revision of a logged game."""

    source: str  # the game's id as text
    kind: str  # result or void
    ranks: tuple[int, ...]  # per team, 0 is best
    rated: bool


@dataclass(frozen=True)
class Move:
    """A player or a pair whose score would change."""

    name: str
    before: int | str  # in whole points; a dash if there is no score
    after: int | str


@dataclass(frozen=True)
class Moved:
    """The changes of a preview."""

    named: tuple[Move, ...]  # changes of at least NAMED_FROM, largest first
    others: int  # number of smaller changes


def moved(ladder_key: str, revisions: Sequence[Revision], games: Sequence[core.Entry] = ()) -> Moved:
    """Return whose score would change if `games` were added to the log and `revisions` applied to it.

    A revision of an unknown game is ignored; the log of a ladder that does not exist yet is empty. Four queries, and
    two replays of the log.
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
    """Return a row of the log as an entry of the core."""
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
    """Return the size of a change; larger than any other if one of the scores is missing."""
    was, now = pair
    return abs(was - now) if was is not None and now is not None else 10**9


def _shown(score: int | None) -> int | str:
    return points(score) if score is not None else "–"


def _names(subjects: Sequence[core.Subject]) -> dict[core.Subject, str]:
    """Return the name of each subject: the team's, else the players'. Two queries."""
    people = Player.objects.in_bulk({person for subject in subjects for person in subject})
    teams = team_of(subject for subject in subjects if len(subject) > 1)
    names = {}
    for subject in subjects:
        team = teams.get(subject)
        names[subject] = team.name if team else " – ".join(people[person].display_name for person in subject)
    return names
