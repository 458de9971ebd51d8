"""The method in use and its variants: what they predict before each game of a log.

| name | how a pair is rated |
| --- | --- |
| `seeded` | as one subject, seeded from its players: the method in use (`recompute.apply` gives the same chances) |
| `players` | not at all: the sum of its players |
| `nothing` | as one subject that begins like a pair of new players |
| `synergy` | the sum of its players and a term of its own for how they play together |
| `rank` | the side with the higher score wins, with the share of games in which this was right so far |
"""

from collections.abc import Sequence
from datetime import datetime
from math import sqrt
from typing import Protocol

from ratings.core.engines import RatingEngine
from ratings.core.gaussian import Estimate, cdf, v_w
from ratings.core.growth import after_idle, after_season, idle_days
from ratings.core.params import Params
from ratings.core.recompute import Entry, Subject

Chances = list[float]  # per side, the chance to finish first


class Predictor(Protocol):
    """Something that predicts games and learns from them, in the order of a log."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of what it predicts by."""

    def play(self, entry: Entry) -> list[Chances]:
        """Return the chances for each of `names`, made without the result of `entry`; then learn the result.

        `entry`: a rated game."""

    def other(self, entry: Entry) -> None:
        """Learn an entry that is no game: a seed or a new season."""


class Pool:
    """Estimates of subjects and the times of their last games."""

    def __init__(self, params: Params) -> None:
        self.params = params
        self.known: dict[Subject, tuple[Estimate, datetime | None]] = {}

    def ready(self, subject: Subject, at: datetime) -> Estimate | None:
        """Return the estimate with idle growth, None for a newcomer."""
        found = self.known.get(subject)
        if found is None:
            return None
        return after_idle(found[0], days=idle_days(found[1], at), members=len(subject), params=self.params)

    def season(self) -> None:
        for subject, (estimate, last) in self.known.items():
            self.known[subject] = (after_season(estimate, members=len(subject), params=self.params), last)


class OwnMethod:
    """`seeded`, `players`, `nothing` and `rank` together: they share the players' estimates.

    `names`: those wanted, of these four.
    """

    def __init__(self, engine: RatingEngine, names: tuple[str, ...] = ("seeded", "players", "nothing", "rank")) -> None:
        self.engine = engine
        self.names = names
        self._players = Pool(engine.params)
        self._teams = {name: Pool(engine.params) for name in ("seeded", "nothing") if name in names or name == "seeded"}
        self._right, self._games = 0, 0  # of the higher score

    def play(self, entry: Entry) -> list[Chances]:
        at, size = entry.completed_at, len(entry.sides[0])
        players = [[self._player(person, at) for person in side] for side in entry.sides]
        ones = [1] * len(entry.sides)
        found = {"players": self.engine.chances(players, ones)}
        self._learn(self._players, [[(person,) for person in side] for side in entry.sides], players, ones, entry)
        teams, sizes = [tuple(sorted(side)) for side in entry.sides], [size] * len(entry.sides)
        scores = [self.engine.score(side[0], 1) for side in players]
        for name, pool in self._teams.items():
            if size == 1:
                found[name] = found["players"]
                continue
            ready = [[self._team(name, pool, team, players[i], at)] for i, team in enumerate(teams)]
            found[name] = self.engine.chances(ready, sizes)
            if name == "seeded":
                scores = [self.engine.score(side[0], size) for side in ready]
            self._learn(pool, [[team] for team in teams], ready, sizes, entry)
        found["rank"] = self._by_score(scores, entry.ranks)
        return [found[name] for name in self.names]

    def other(self, entry: Entry) -> None:
        if entry.kind == "season":
            for pool in (self._players, *self._teams.values()):
                pool.season()
        elif entry.kind == "seed" and entry.start is not None:
            self._players.known.setdefault(entry.sides[0], (entry.start, None))

    def _player(self, person: int, at: datetime) -> Estimate:
        return self._players.ready((person,), at) or self.engine.initial()

    def _team(self, name: str, pool: Pool, team: Subject, players: Sequence[Estimate], at: datetime) -> Estimate:
        known = pool.ready(team, at)
        if known is not None:
            return known
        return after_idle(
            self.engine.seed(players if name == "seeded" else [self.engine.initial()] * len(team)),
            days=0,
            members=len(team),
            params=self.engine.params,
        )

    def _learn(
        self,
        pool: Pool,
        subjects: Sequence[Sequence[Subject]],
        ready: Sequence[Sequence[Estimate]],
        weights: Sequence[int],
        entry: Entry,
    ) -> None:
        after = self.engine.update(ready, entry.ranks, weights)
        for side, estimates in zip(subjects, after, strict=True):
            for subject, estimate in zip(side, estimates, strict=True):
                pool.known[subject] = (estimate, entry.completed_at)

    def _by_score(self, scores: Sequence[int], ranks: Sequence[int]) -> Chances:
        """Return the chances by the higher score, and count whether it was right; equal scores have equal chances."""
        best = max(scores)
        if scores.count(best) > 1:
            return [1.0 / len(scores)] * len(scores)
        share = (self._right + 1.0) / (self._games + 2.0)  # 1/2 before the first game
        rest = (1.0 - share) / (len(scores) - 1)
        self._games += 1
        self._right += ranks[scores.index(best)] == 0
        return [share if score == best else rest for score in scores]


class Synergy:
    """`synergy`: the sum of the players and a term of the pair, all learned together. Two teams only."""

    names = ("synergy",)

    def __init__(self, params: Params) -> None:
        self.params = params
        self._players, self._terms = Pool(params), Pool(params)

    def play(self, entry: Entry) -> list[Chances]:
        beta2, tau2, size = self.params.beta**2, self.params.tau**2, len(entry.sides[0])
        sides: list[list[tuple[Pool, Subject, Estimate]]] = []
        for side in entry.sides:
            members: list[tuple[Pool, Subject, Estimate]] = []
            for person in side:
                known = self._players.ready((person,), entry.completed_at)
                members.append((self._players, (person,), known or Estimate(self.params.mu0, self.params.sigma0)))
            team = tuple(sorted(side))
            if size > 1 and self.params.synergy:
                term = self._terms.known.get(team)
                members.append(
                    (self._terms, team, term[0] if term else Estimate(0.0, sqrt(self.params.synergy * size)))
                )
            sides.append(members)
        gap = sum(e.mu for _, _, e in sides[0]) - sum(e.mu for _, _, e in sides[1])
        spread = sum(e.sigma**2 for side in sides for _, _, e in side) + 2 * size * beta2
        chance = cdf(gap / sqrt(spread))
        spread += 2 * size * tau2
        won = 0 if entry.ranks[0] < entry.ranks[1] else 1
        v, w = v_w((gap if won == 0 else -gap) / sqrt(spread))
        for i, members in enumerate(sides):
            for pool, subject, (mu, sigma) in members:
                s2 = sigma * sigma + (tau2 if pool is self._players else 0.0)
                step = s2 * v / sqrt(spread) * (1.0 if i == won else -1.0)
                pool.known[subject] = (Estimate(mu + step, sqrt(s2 * (1.0 - s2 * w / spread))), entry.completed_at)
        return [[chance, 1.0 - chance]]

    def other(self, entry: Entry) -> None:
        if entry.kind == "season":
            self._players.season()
        elif entry.kind == "seed" and entry.start is not None:
            self._players.known.setdefault(entry.sides[0], (entry.start, None))
