"""Preview of ratings: replay a ladder's log in memory, with and without its last rows, and compare the scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.core import recompute as core
from ratings.core.engines import engine_for
from ratings.core.params import DEFAULT, Params
from ratings.core.score import points
from ratings.models import Ladder, RatedResult
from tock_league.accounts.models import Player

from .log import entry_of
from .pairs import team_of

NAMED_FROM = 4_000  # minimum change of the score, in thousandths of a point, to be listed; 0.1 in mu


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


def moved(ladder_key: str, after: int) -> Moved:
    """Return whose score changes by the rows that the ladder's log got after the row `after` (0: by all of them).

    Three queries, and two replays of the log.
    """
    ladder = Ladder.objects.filter(key=ladder_key).select_related("generation__params").first()
    generation = ladder.generation if ladder is not None else None
    engine = engine_for(Params.from_json(generation.params.values) if generation is not None else DEFAULT)
    log = {row.pk: entry_of(row) for row in RatedResult.objects.filter(ladder__key=ladder_key)}
    old = core.replay([entry for pk, entry in log.items() if pk <= after], engine)
    new = core.replay(list(log.values()), engine)
    scores: dict[core.Subject, tuple[int | None, int | None]] = {}
    for subject in old.keys() | new.keys():
        was, now = old.get(subject), new.get(subject)
        scores[subject] = (
            engine.score(was.estimate, len(subject)) if was is not None else None,
            engine.score(now.estimate, len(subject)) if now is not None else None,
        )
    differ = {subject: pair for subject, pair in scores.items() if pair[0] != pair[1]}
    large = [subject for subject, pair in differ.items() if _size(pair) >= NAMED_FROM]
    large.sort(key=lambda subject: (-_size(differ[subject]), subject))
    names = names_of(large)
    named = tuple(Move(names[subject], _shown(differ[subject][0]), _shown(differ[subject][1])) for subject in large)
    return Moved(named, len(differ) - len(large))


def _size(pair: tuple[int | None, int | None]) -> int:
    """Return the size of a change; larger than any other if one of the scores is missing."""
    was, now = pair
    return abs(was - now) if was is not None and now is not None else 10**9


def _shown(score: int | None) -> int | str:
    return points(score) if score is not None else "–"


def names_of(subjects: Sequence[core.Subject]) -> dict[core.Subject, str]:
    """Return the name of each subject: the team's, else the players'. Two queries."""
    people = Player.objects.in_bulk({person for subject in subjects for person in subject})
    teams = team_of(subject for subject in subjects if len(subject) > 1)
    names = {}
    for subject in subjects:
        team = teams.get(subject)
        names[subject] = team.name if team else " – ".join(people[person].display_name for person in subject)
    return names
