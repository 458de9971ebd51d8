"""The fold of the log into states: the same code for one new game and for a whole recomputation.

| entry | effect |
| --- | --- |
| `result` | updates players and teams if the game is rated |
| `void` | a later revision of a game that no longer counts |
| `seed` | a player's first estimate, copied once from another ladder of the same game |
| `season` | every uncertainty grows, see growth.py |
| `merge` | two accounts belong to one person: the whole log is read with the id that stays |

Order: by (completed_at of revision 1, source). The last revision of a source is in force. A change in the middle of the
log needs a new fold; changes are never subtracted again (docs/decisions/0004-ratings-are-a-fold-of-a-log.md).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from math import isfinite
from typing import NamedTuple

from .engines import RatingEngine
from .gaussian import Estimate
from .growth import after_idle, after_season, idle_days

Subject = tuple[int, ...]  # a player (one id), or a team: the sorted ids of its members
OrderKey = tuple[datetime, str]
KINDS = ("result", "void", "seed", "merge", "season")


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the log."""

    source: str  # the id of what the entry is about, such as a game's
    completed_at: datetime
    # player ids per team; of a seed ((player,),), of a merge ((from,), (into,))
    sides: tuple[tuple[int, ...], ...] = ()
    ranks: tuple[int, ...] = ()  # per team, 0 is best, equal for a tie
    rated: bool = True
    kind: str = "result"  # one of KINDS
    revision: int = 1  # counts the corrections of a source, from 1
    start: Estimate | None = None  # the estimate of a seed

    @property
    def key(self) -> OrderKey:
        return (self.completed_at, self.source)


@dataclass(slots=True)
class State:
    """The state of a subject after its last rated game."""

    mu: float
    sigma: float
    games: int = 0
    wins: int = 0
    last: datetime | None = None  # the end of the last rated game
    opponents: dict[Subject, int] = field(default_factory=dict)  # games per opposing team
    partners: dict[int, int] = field(default_factory=dict)  # games per partner; players only

    @property
    def estimate(self) -> Estimate:
        return Estimate(self.mu, self.sigma)


States = dict[Subject, State]


class RatingChange(NamedTuple):
    """The effect of one game on one subject."""

    subject: Subject
    before: Estimate  # after the game before, without idle growth
    after: Estimate
    # the expected probability that the side finishes first: for a player from the players' estimates, for a team from
    # the teams'
    chance: float
    idle: int  # whole days since the game before
    won: bool


def check(entry: Entry) -> None:
    """Raise ValueError, with the field and the rule, if `entry` is not valid in a log."""
    if entry.kind not in KINDS:
        raise ValueError(f"kind: {entry.kind!r} is none of {', '.join(KINDS)}")
    if entry.revision < 1:
        raise ValueError(f"revision: {entry.revision} is less than 1")
    if entry.kind == "seed":
        if len(entry.sides) != 1 or len(entry.sides[0]) != 1 or entry.start is None:
            raise ValueError("sides: a seed names one player and his start")
        if not (isfinite(entry.start.mu) and isfinite(entry.start.sigma) and entry.start.sigma > 0):
            raise ValueError(f"start: {entry.start} is not a finite estimate")
    if entry.kind == "merge" and (len(entry.sides) != 2 or any(len(side) != 1 for side in entry.sides)):
        raise ValueError("sides: a merge names the account given up and the one that stays")
    if entry.kind == "result":
        _check_result(entry)


def _check_result(entry: Entry) -> None:
    if len(entry.sides) < 2 or any(not side for side in entry.sides):
        raise ValueError("sides: a game has at least two teams, each with a player")
    people = [person for side in entry.sides for person in side]
    if len(set(people)) != len(people):
        raise ValueError("sides: one person cannot play twice in a game")
    if len({len(side) for side in entry.sides}) != 1:
        raise ValueError("sides: teams of different sizes do not meet in a rated game")
    if len(entry.ranks) != len(entry.sides):
        raise ValueError(f"ranks: {len(entry.ranks)} ranks for {len(entry.sides)} teams")
    if entry.rated and len(entry.sides) == 2 and entry.ranks[0] == entry.ranks[1]:
        raise ValueError("ranks: a rated game of two teams has a winner")
    if min(entry.ranks) != 0:
        raise ValueError("ranks: the best team has rank 0")


def apply(states: States, entry: Entry, engine: RatingEngine) -> list[RatingChange]:
    """Apply one entry to `states` in place; return its changes: players first, then teams, in the order of the sides.

    Void and merge entries have no effect here: `entries_in_force` has resolved them.
    """
    if entry.kind == "season":
        for subject, state in states.items():
            grown = after_season(state.estimate, members=len(subject), params=engine.params)
            state.mu, state.sigma = grown
        return []
    if entry.kind == "seed":
        assert entry.start is not None
        states.setdefault(entry.sides[0], State(*entry.start))
        return []
    if entry.kind != "result" or not entry.rated:
        return []
    teams = [tuple(sorted(side)) for side in entry.sides]
    players = _ready_players(states, entry, engine)
    changes = _play(states, entry, [[(p,) for p in side] for side in entry.sides], players, [1] * len(teams), engine)
    size = len(teams[0])
    if size > 1:
        ready = [[_ready_team(states, team, players[i], entry, engine)] for i, team in enumerate(teams)]
        changes += _play(states, entry, [[team] for team in teams], ready, [size] * len(teams), engine)
    _count_meetings(states, entry.sides, teams)
    return changes


def _ready_players(states: States, entry: Entry, engine: RatingEngine) -> list[list[Estimate]]:
    """Return the players' estimates just before the game, with idle growth; add newcomers to `states`."""
    ready: list[list[Estimate]] = []
    for side in entry.sides:
        estimates = []
        for person in side:
            state = states.get((person,))
            if state is None:
                state = states[(person,)] = State(*engine.initial())
            days = idle_days(state.last, entry.completed_at)
            estimates.append(after_idle(state.estimate, days=days, members=1, params=engine.params))
        ready.append(estimates)
    return ready


def _ready_team(
    states: States, team: Subject, players: Sequence[Estimate], entry: Entry, engine: RatingEngine
) -> Estimate:
    """Return a team's estimate just before the game, with idle growth; a new team is seeded from its players'."""
    state = states.get(team)
    if state is None:
        state = states[team] = State(*engine.seed(players))
    days = idle_days(state.last, entry.completed_at)
    return after_idle(state.estimate, days=days, members=len(team), params=engine.params)


def _play(
    states: States,
    entry: Entry,
    subjects: Sequence[Sequence[Subject]],
    ready: Sequence[Sequence[Estimate]],
    weights: Sequence[int],
    engine: RatingEngine,
) -> list[RatingChange]:
    after = engine.update(ready, entry.ranks, weights)
    chances = engine.chances(ready, weights)
    changes = []
    for i, side in enumerate(subjects):
        won = entry.ranks[i] == 0
        for subject, (mu, sigma) in zip(side, after[i], strict=True):
            state = states[subject]
            idle = idle_days(state.last, entry.completed_at)
            changes.append(RatingChange(subject, state.estimate, Estimate(mu, sigma), chances[i], idle, won))
            state.mu, state.sigma, state.last = mu, sigma, entry.completed_at
            state.games += 1
            state.wins += won
    return changes


def _count_meetings(states: States, sides: Sequence[Sequence[int]], teams: Sequence[Subject]) -> None:
    for i, side in enumerate(sides):
        others = [team for j, team in enumerate(teams) if j != i]
        subjects: list[Subject] = [(person,) for person in side]
        if len(side) > 1:
            subjects.append(teams[i])
        for subject in subjects:
            met = states[subject].opponents
            for other in others:
                met[other] = met.get(other, 0) + 1
        for person in side:
            known = states[(person,)].partners
            for mate in side:
                if mate != person:
                    known[mate] = known.get(mate, 0) + 1


def entries_in_force(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that count, in order: the last revision of each source, at the place of its first.

    The ids of merged accounts are replaced by the id that stays; a game in which one person would then play twice is
    omitted. Raises ValueError if `check` rejects an entry, or a source has a gap in its revisions.
    """
    first: dict[str, Entry] = {}
    last: dict[str, Entry] = {}
    for entry in sorted(entries, key=lambda e: (e.source, e.revision)):
        check(entry)
        if entry.revision != (last[entry.source].revision + 1 if entry.source in last else 1):
            raise ValueError(f"revision: {entry.revision} of {entry.source} is not the next one")
        first.setdefault(entry.source, entry)
        last[entry.source] = entry
    found = merged(entry for entry in last.values() if entry.kind == "merge")
    kept = []
    for source, entry in last.items():
        if entry.kind in ("merge", "void"):
            continue
        placed = replace(entry, completed_at=first[source].completed_at) if entry.revision > 1 else entry
        renamed = under_names(placed, found) if found else placed
        if renamed is not None:
            kept.append(renamed)
    return sorted(kept, key=lambda e: e.key)


def merged(merges: Iterable[Entry]) -> dict[int, int]:
    """Return, for each account given up, the account at the end of its chain of merges.

    In a cycle the walk stops at the first account that repeats.
    """
    steps = {entry.sides[0][0]: entry.sides[1][0] for entry in sorted(merges, key=lambda e: e.key)}
    names = {}
    for given_up in steps:
        seen, name = {given_up}, steps[given_up]
        while name in steps and name not in seen:
            seen.add(name)
            name = steps[name]
        names[given_up] = name
    return names


def under_names(entry: Entry, names: dict[int, int]) -> Entry | None:
    """Return the entry with the ids that stay; None for a game in which one person would then play twice."""
    sides = tuple(tuple(names.get(person, person) for person in side) for side in entry.sides)
    people = [person for side in sides for person in side]
    if entry.kind == "result" and len(set(people)) != len(people):
        return None
    return replace(entry, sides=sides)


def replay(entries: Iterable[Entry], engine: RatingEngine) -> States:
    """Return the states after the whole log: a pure function of the entries and the engine."""
    states: States = {}
    for entry in entries_in_force(entries):
        apply(states, entry, engine)
    return states


def digest(states: States) -> str:
    """Return the SHA-256 of the sorted states, in hexadecimal; doubles are hashed exactly."""
    lines = (
        f"{'-'.join(map(str, subject))} {state.mu.hex()} {state.sigma.hex()} {state.games} {state.wins}"
        for subject, state in sorted(states.items())
    )
    return sha256("\n".join(lines).encode()).hexdigest()
