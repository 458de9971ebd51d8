"""`python -m games.bots tournament` plays bots against each other; `python -m games.bots calibrate` fits their chances.

The only module of the bots that reads a clock; the seed determines everything else.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pool
from typing import Any, TypeVar

from games.bots import LEVELS, choose
from games.bots.calibration import fit, gather, mean_log_loss, reliability
from games.bots.tournament import Played, Player, Roll, Table, duplicate, paired, points_of, wilson
from games.bots.worth import worth_of
from games.engine.errors import EngineError

HELP = """Games come in pairs with the same first dealer and the same decks in the same order, the sides exchanged
(A has the even teams in the first, the odd ones in the second). The win rate is A's share of the games; its interval is
that of the pairs' mean scores (mean +- 1.96 standard errors), Wilson's takes the games as independent. A game of 5,000
plays is stopped and counts half. Times are CPU seconds of decisions with more than one play. The same seed plays the
same games, but for `master` under --budget; --playouts bounds its search exactly instead."""
T = TypeVar("T")


@dataclass(slots=True)
class Clock:
    """How long a bot thought."""

    decisions: int = 0
    seconds: float = 0.0  # CPU time, in total
    longest: float = 0.0  # CPU seconds of the longest decision

    def add(self, decisions: int, seconds: float, longest: float) -> None:
        """Add decisions: their number, their CPU seconds in total, and the longest one."""
        self.decisions += decisions
        self.seconds += seconds
        self.longest = max(self.longest, longest)

    def __str__(self) -> str:
        mean = self.seconds / self.decisions if self.decisions else 0.0
        return f"{1000 * mean:.2f} ms a decision, {1000 * self.longest:.0f} ms the longest of {self.decisions:,}"


@dataclass(frozen=True, slots=True)
class Bout:
    """What the processes need to play a duplicate."""

    table: Table
    names: tuple[str, str]  # the levels of A and B
    budget: float | None  # CPU seconds per decision, None for no limit
    playouts: int | None  # per decision, None for no count


@dataclass(slots=True)
class Total:
    """The results of the duplicates so far."""

    # A's scores in the two games of each duplicate
    scores: list[tuple[float, float]] = field(default_factory=list)
    games: list[Played] = field(default_factory=list)
    # of A and B
    clocks: tuple[Clock, Clock] = field(default_factory=lambda: (Clock(), Clock()))


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m games.bots")
    todo = parser.add_subparsers(required=True)
    bouts = todo.add_parser("tournament", description="Let two bots play each other.", epilog=HELP)
    bouts.set_defaults(do=tournament)
    bouts.add_argument("a", choices=LEVELS, metavar="A", help=f"a level: {', '.join(LEVELS)}")
    bouts.add_argument("b", choices=LEVELS, metavar="B")
    bouts.add_argument("--budget", type=float, default=None, help="CPU seconds a decision of `master` (0.05)")
    bouts.add_argument(
        "--playouts", type=int, default=None, help="playouts a decision of `master`, instead of a budget"
    )
    fitting = todo.add_parser(
        "calibrate", description="Let the club play itself, fit chances to results, print how true."
    )
    fitting.set_defaults(do=calibrate)
    for each, games in ((bouts, 1000), (fitting, 400)):
        each.add_argument("--rules", default="shawinigan/1", help="the rule set")
        each.add_argument("--seats", type=int, default=4)
        each.add_argument("--teams", type=int, default=2, help="as many as seats: individual play")
        each.add_argument("--games", type=int, default=games)
        each.add_argument("--seed", type=int, default=1)
        each.add_argument("--jobs", type=int, default=1, help=f"processes; {os.cpu_count()} cores are here")
    given = parser.parse_args(words)
    try:
        given.do(given)
    except EngineError as error:
        parser.error(str(error))


def tournament(given: argparse.Namespace) -> None:
    """Play the duplicates and print the results."""
    table = Table(given.rules, given.seats, given.teams, given.seed)
    pairs = max(2, (given.games + 1) // 2)
    budget = None if given.playouts is not None else given.budget or 0.05
    bout = Bout(table, (given.a, given.b), budget, given.playouts)
    total = Total()
    for games, clocks in _spread(_play_pair, [(bout, pair) for pair in range(pairs)], given.jobs):
        total.games += games
        total.scores.append(points_of(games))
        for clock, spent in zip(total.clocks, clocks, strict=True):
            clock.add(spent.decisions, spent.seconds, spent.longest)
    print(f"{given.rules}, {given.seats} seats, {given.teams} teams, seed {given.seed}: {given.a} against {given.b}")
    print(report(total))
    for name, clock in zip(bout.names, total.clocks, strict=True):
        print(f"{name}: {clock}")
    if "master" in bout.names:
        print(
            f"master's bound: {bout.playouts} playouts" if budget is None else f"master's budget: {budget} s a decision"
        )


def report(total: Total) -> str:
    """Return the lines about wins."""
    games = 2 * len(total.scores)
    won = sum(map(sum, total.scores))
    stopped = sum(game.winner is None for game in total.games)
    low, high = paired([sum(pair) / 2 for pair in total.scores])
    plain_low, plain_high = wilson(won, games)
    both = [sum(sum(pair) == points for pair in total.scores) for points in (2.0, 0.0)]
    return "\n".join(
        (
            f"win rate {won / games:.1%} of {games:,} games in {games // 2:,} duplicates; 95 % interval {low:.1%} to {high:.1%} "
            f"by pairs (Wilson, games as independent: {plain_low:.1%} to {plain_high:.1%})",
            f"both games of a duplicate won {both[0]:,} times, lost {both[1]:,} times; games stopped {stopped:,}",
            f"{sum(game.plays for game in total.games):,} plays, {sum(game.plays for game in total.games) / games:.0f} a game",
        )
    )


def calibrate(given: argparse.Namespace) -> None:
    """Play club games, fit scale and shift on one half, print on the other half how well calibrated the chances are."""
    table = Table(given.rules, given.seats, given.teams, given.seed)
    halves: tuple[list[Any], list[Any]] = ([], [])
    found = _spread(_gather, [(table, game) for game in range(given.games)], given.jobs)
    for number, samples in enumerate(found):
        halves[number % 2].extend(samples)
    scale, shift = fit(halves[0])
    worth = worth_of(table.data, table.seats, table.teams)
    print(
        f"{given.rules}, {given.seats} seats, {given.teams} teams, seed {given.seed}: {given.games} games of club players"
    )
    print(
        f"fitted on {len(halves[0]):,} decisions: ({scale:.5f}, {shift:+.3f}); in use: ({worth.scale}, {worth.shift})"
    )
    for title, pair in (("fitted", (scale, shift)), ("in use", (worth.scale, worth.shift))):
        print(f"{title}, the other {len(halves[1]):,} decisions: log loss {mean_log_loss(halves[1], *pair):.4f}")
        print("   forecast  decisions  mean forecast    won")
        for tenth, row in enumerate(reliability(halves[1], *pair)):
            if row.count:
                print(
                    f"  {tenth / 10:.1f} to {tenth / 10 + 0.1:.1f} {row.count:10,} {row.forecast:14.3f} {row.won:6.3f}"
                )


def _spread(work: Callable[[Any], T], tasks: Sequence[Any], jobs: int) -> Iterator[T]:
    """Yield the results in the order of the tasks, computed by that many processes."""
    if jobs <= 1:
        yield from map(work, tasks)
        return
    with Pool(jobs) as pool:
        yield from pool.imap(work, tasks, chunksize=max(1, min(8, len(tasks) // (4 * jobs))))


def _gather(task: tuple[Table, int]) -> list[Any]:
    return gather(*task)


def _play_pair(task: tuple[Bout, int]) -> tuple[tuple[Played, Played], tuple[Clock, Clock]]:
    bout, pair = task
    clocks = (Clock(), Clock())
    a, b = (_timed(bout, name, clock) for name, clock in zip(bout.names, clocks, strict=True))
    return duplicate(bout.table, a, b, pair), clocks


def _timed(bout: Bout, level: str, clock: Clock) -> Player:
    """Return a bot that measures how long it thinks."""

    def decide(seat: int, view: Mapping[str, Any], legal: Sequence[str], laid: Sequence[str], roll: Roll) -> str:
        begun = time.process_time()
        end = None if bout.budget is None else begun + bout.budget
        chosen = choose(
            view,
            legal,
            level=level,
            roll=roll,
            seat=seat,
            seen=laid,
            time_up=None if end is None else lambda: time.process_time() >= end,
            playouts=bout.playouts,
        )
        spent = time.process_time() - begun
        clock.add(1, spent, spent)
        return chosen

    return decide


if __name__ == "__main__":
    main()
