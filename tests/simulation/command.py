"""The command: play the games of some seeds and say how it went."""

import argparse
import time

from .game import Simulation
from .people import World
from .scenario import Scenario


def main(words: list[str]) -> int:
    """Run what the words ask for; return 0 when no game was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seeds", help="first..last")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--log", action="store_true", help="print the history of the game")
    asked = parser.parse_args(words)
    world = World()
    if asked.seed is not None:
        simulation = Simulation(world, Scenario.of(asked.seed))
        simulation.play()
        if asked.log:
            print("\n".join(simulation.notes))
        print(simulation.scenario)
        print(simulation.digest)
        for line in simulation.faults:
            print(line[:600])
        return int(bool(simulation.faults))
    first, last = (int(word) for word in asked.seeds.split(".."))
    begin, bad = time.process_time(), 0
    for seed in range(first, last + 1):
        simulation = Simulation(world, Scenario.of(seed))
        simulation.play()
        if simulation.faults:
            bad += 1
            print(f"seed {seed}: {simulation.faults[0][:300]}")
    print(f"{last - first + 1} games, {bad} wrong, {time.process_time() - begin:.1f} s")
    return int(bool(bad))
