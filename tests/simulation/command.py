"""The command: play the games of some seeds and print the result."""

import argparse
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from . import faults, tally, workers
from .game import Simulation
from .people import World
from .scenario import Scenario

SHARE = 25  # games that a worker plays before it reports


@dataclass(frozen=True)
class Outcome:
    """The result of one seed."""

    seed: int
    happened: Counter[str]  # see `tally`
    digest: str  # SHA-256 of the history
    wrong: tuple[str, ...]  # the faults found


_world: list[World] = []  # of this process, built when the first game is played


def world() -> World:
    """Return the world of this process."""
    if not _world:
        _world.append(World())
    return _world[0]


def play(seed: int) -> Outcome:
    """Play the game of a seed and return its result."""
    return outcome(simulate(seed))


def simulate(seed: int, scenario: Scenario | None = None) -> Simulation:
    """Play the game of a seed and return it with its history."""
    simulation = Simulation(world(), scenario or Scenario.of(seed))
    simulation.play()
    return simulation


def outcome(simulation: Simulation) -> Outcome:
    """Return the result of a game that was played."""
    return Outcome(
        seed=simulation.scenario.seed,
        happened=tally.count(simulation),
        digest=simulation.digest,
        wrong=tuple(simulation.faults),
    )


def main(words: list[str]) -> int:
    """Run the command with these arguments; return 0 if no fault was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", help="first..last: play these games", default="")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the games")
    parser.add_argument("--seed", type=int, help="play one game")
    parser.add_argument("--log", action="store_true", help="print the history of the game")
    parser.add_argument("--digests", action="store_true", help="print the SHA-256 of each game's history")
    parser.add_argument("--faults", nargs="?", const="", help="find the planted faults, or the one that is named")
    asked = parser.parse_args(words)
    if asked.faults is not None:
        return _find_faults(asked.faults)
    if asked.seed is not None:
        return _one(asked.seed, log=asked.log)
    first, last = (int(word) for word in (asked.seeds or "1..50").split(".."))
    return _many(range(first, last + 1), jobs=asked.jobs, digests=asked.digests)


def _one(seed: int, *, log: bool) -> int:
    simulation = simulate(seed)
    if log:
        print("\n".join(simulation.notes))
    else:
        print(simulation.scenario)
        print(simulation.digest)
        for line in simulation.faults:
            print(f"wrong: {line}")
    return int(bool(simulation.faults))


def _many(seeds: range, *, jobs: int, digests: bool) -> int:
    begin = time.monotonic()
    found: list[Outcome] = []
    if jobs == 1:
        for seed in seeds:
            found.append(play(seed))
            _tell(found[-1])
    else:
        shares = [seeds[place : place + SHARE] for place in range(0, len(seeds), SHARE)]
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=workers.set_up) as pool:
            for part in pool.map(workers.play_some, shares):
                found += part
                for one in part:
                    _tell(one)
    seconds = time.monotonic() - begin
    if digests:
        for one in found:
            print(one.seed, one.digest)
    wrong = [one for one in found if one.wrong]
    happened = sum((one.happened for one in found), Counter())
    print(
        f"{len(found)} games, {happened['plays']} plays, {seconds:.0f} s:"
        f" {3600 * len(found) / seconds:.0f} games and {3600 * happened['plays'] / seconds:.0f} plays an hour"
    )
    print("; ".join(f"{name} {happened[name]}" for name in tally.WANTED))
    if wrong:
        print(f"the first of them: python -m tests.simulation --seed {wrong[0].seed} --log")
    print(f"{len(wrong)} games were wrong" if wrong else "nothing was wrong")
    return int(bool(wrong))


def _tell(one: Outcome) -> None:
    if one.wrong:
        print(f"seed {one.seed}: {one.wrong[0]}", flush=True)


def _find_faults(name: str) -> int:
    missed = 0
    for fault in faults.ALL:
        if name and fault.name != name:
            continue
        with fault.planted():
            games, line = _find(fault)
        missed += games is None
        print(f"{fault.name}: {f'found after {games} games: {line[:160]}' if games else 'NOT FOUND'}", flush=True)
    return int(bool(missed))


def _find(fault: faults.Fault) -> tuple[int | None, str]:
    """Play games until a fault is found; return their number and the fault, or None and ""."""
    for number, seed in enumerate(range(fault.first, fault.first + faults.WITHIN), start=1):
        if found := simulate(seed).faults:
            return number, found[0]
    return None, ""
