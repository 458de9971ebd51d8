"""What a merge or a separation of two players changes in a ladder: scores and ranks, by two replays of the log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ratings.core import eligibility
from ratings.core import recompute as core
from ratings.core.engines import RatingEngine, engine_for
from ratings.core.params import DEFAULT, Params
from ratings.core.score import points
from ratings.models import Ladder, RatedResult, Subject
from tock_league.common import clock

from .log import entry_of
from .previews import NAMED_FROM, names_of
from .words import ladder_name

SHOWN = 30  # rows named


@dataclass(frozen=True)
class Moved:
    """A player or a pair whose score or rank changes; scores in whole points, None for none."""

    name: str
    score_before: int | None
    score_after: int | None
    rank_before: int | None
    rank_after: int | None


@dataclass(frozen=True)
class LadderChange:
    """What changes in one ladder."""

    name: str
    games: int  # rated games of the former player that count for the other one from now on
    omitted: int  # rated games in which both sat, which count no more
    rows: Sequence[Moved]  # changes of at least NAMED_FROM, and the two players; largest first
    others: int  # subjects whose score or rank changes less


def change(ladder_key: str, added: Sequence[core.Entry], former: int, kept: int) -> LadderChange:
    """Return what the entries `added` would change, if the ladder's log got them. Six queries, and two replays of the log.

    `former`, `kept`: the players whose merge, or separation, these entries note.
    """
    ladder = Ladder.objects.select_related("generation__params").get(key=ladder_key)
    generation = ladder.generation
    params = Params.from_json(generation.params.values) if generation is not None else DEFAULT
    engine, now = engine_for(params), clock.now()
    log = [entry_of(row) for row in RatedResult.objects.filter(ladder=ladder).iterator(2000)]
    old_log, new_log = core.entries_in_force(log), core.entries_in_force([*log, *added])
    old, new = _folded(old_log, engine), _folded(new_log, engine)
    hidden = set(Subject.objects.filter(listed=False).values_list("key", flat=True))
    ranks = _ranks(old, engine, hidden, now), _ranks(new, engine, hidden, now)
    scores = tuple(
        {subject: engine.score(state.estimate, len(subject)) for subject, state in states.items()}
        for states in (old, new)
    )
    differ = [
        subject
        for subject in old.keys() | new.keys()
        if scores[0].get(subject) != scores[1].get(subject) or ranks[0].get(subject) != ranks[1].get(subject)
    ]
    size = {subject: _size(scores[0].get(subject), scores[1].get(subject)) for subject in differ}
    two = {(former,), (kept,)}
    named = [subject for subject in differ if size[subject] >= NAMED_FROM or subject in two]
    named.sort(key=lambda subject: (subject not in two, -size[subject], subject))
    named = named[:SHOWN]
    names = names_of(named)
    # The log in which the former player has games of its own.
    separate = max(old_log, new_log, key=lambda entries: sum(_names(entry, former) for entry in entries))
    return LadderChange(
        name=ladder_name(ladder.family, ladder.teams),
        games=sum(_names(entry, former) and not _names(entry, kept) for entry in separate),
        omitted=sum(_names(entry, former) and _names(entry, kept) for entry in separate),
        rows=tuple(
            Moved(
                names[subject],
                *(points(found[subject]) if subject in found else None for found in scores),
                *(found.get(subject) for found in ranks),
            )
            for subject in named
        ),
        others=len(differ) - len(named),
    )


def _folded(entries: Sequence[core.Entry], engine: RatingEngine) -> core.States:
    states: core.States = {}
    for entry in entries:
        core.apply(states, entry, engine)
    return states


def _names(entry: core.Entry, player: int) -> bool:
    return entry.kind == "result" and entry.rated and any(player in side for side in entry.sides)


def _size(was: int | None, now: int | None) -> int:
    """Return the size of a change of score; larger than any other if one of them is missing."""
    return abs(was - now) if was is not None and now is not None else 10**9


def _ranks(states: core.States, engine: RatingEngine, hidden: set[str], now: datetime) -> Mapping[core.Subject, int]:
    """Return the ranks on the boards of all clubs, players and teams apart; those without a place have none."""
    boards: dict[bool, list[tuple[int, core.Subject]]] = {True: [], False: []}
    for subject, state in states.items():
        record = eligibility.Record(
            members=len(subject),
            estimate=state.estimate,
            games=state.games,
            opponents=len(state.opponents),
            partners=sum(count >= eligibility.PARTNER_GAMES for count in state.partners.values()),
            last=state.last,
        )
        gaps = eligibility.gaps(record, eligibility.GLOBAL, at=now, idle_per_day=engine.params.idle_per_day)
        if not gaps and "-".join(map(str, subject)) not in hidden:
            boards[len(subject) == 1].append((engine.score(state.estimate, len(subject)), subject))
    found: dict[core.Subject, int] = {}
    for rows in boards.values():
        rows.sort(key=lambda row: -row[0])
        rank, last = 0, None
        for place, (score, subject) in enumerate(rows, start=1):
            rank = rank if score == last else place
            last = score
            found[subject] = rank
    return found
