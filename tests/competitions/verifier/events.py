"""Random Swiss events, each round paired by the core and checked by the verifier.

`python -m tests.competitions.verifier.events 500` plays 500 events and prints the verifier's objections. Fields of 4 to
40 entries in a few clubs; entries come late, stay away for a round, withdraw; matches are played, tied, forfeited
without play by one side or both, or void; some pairs are forbidden or discouraged, and some events keep clubs apart.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tock_league.competitions.core import lots, registry
from tock_league.competitions.core.format import FormatError, History, NeedsRelaxing, Over, RoundPlan
from tock_league.competitions.core.scoring import MatchResult, SideResult
from tock_league.competitions.verifier import swiss

SWISS = registry.format_of("swiss/1")
BEFORE_THE_LAST = 0.04


@dataclass(frozen=True)
class Event:
    """A finished event: its rounds with the information before each, and the number of accepted rematches."""

    number: int
    steps: tuple[tuple[History, RoundPlan], ...]
    relaxed: int
    stopped: str


def play(number: int, *, largest: int = 40) -> Event:
    """Return the event of that number, the same one every time."""
    dice = random.Random(number)
    size = dice.randint(4, largest)
    rounds = dice.randint(3, 9)
    options = registry.options_of(
        SWISS.key, {"rounds": rounds, "clubs": dice.choice(["off", "soft", "soft", "soft", "hard"])}
    )
    everybody = list(range(1, size + 1))
    dice.shuffle(everybody)
    late = everybody[size - dice.randint(0, size // 5) :] if size > 5 else []
    entries = [entry for entry in everybody if entry not in late]
    history = History(
        tuple(entries),
        options,
        names={entry: f"entry-{entry}" for entry in everybody},
        clubs={entry: dice.randint(1, 6) for entry in everybody if dice.random() < 0.6} if size >= 12 else {},
        forbidden=_some_pairs(dice, everybody, size // 8),
        discouraged=_some_pairs(dice, everybody, size // 6),
    )
    out: set[int] = set()
    steps: list[tuple[History, RoundPlan]] = []
    relaxed = 0
    stopped = ""
    while not stopped:
        if late and dice.random() < 0.6:
            history = replace(history, entries=(*history.entries, late.pop()))
        away = {entry for entry in history.entries if dice.random() < 0.03}
        history = replace(
            history, present=tuple(entry for entry in history.entries if entry not in out | away), relaxed=()
        )
        seed = lots.round_seed(f"event-{number}", 1, len(history.rounds) + 1)
        try:
            made = SWISS.next_round(history, seed)
        except NeedsRelaxing as needed:
            relaxed += 1
            history = replace(history, relaxed=needed.pairs)
            made = SWISS.next_round(history, seed)
        except FormatError as refusal:
            stopped = refusal.code
            continue
        if isinstance(made, Over):
            stopped = made.reason
            continue
        steps.append((history, made))
        history = _played(dice, history, made)
        out |= {entry for entry in history.entries if dice.random() < BEFORE_THE_LAST}
    return Event(number, tuple(steps), relaxed, stopped)


def _some_pairs(dice: random.Random, entries: list[int], count: int) -> tuple[tuple[int, int], ...]:
    made = {tuple(sorted(dice.sample(entries, 2))) for _ in range(dice.randint(0, count))}
    return tuple(sorted((pair[0], pair[1]) for pair in made))


def _played(dice: random.Random, history: History, made: RoundPlan) -> History:
    """Return the history after the round: a result for each match, byes and absences left to be derived."""
    results = list(history.results)
    void = list(history.void)
    for table, pairing in enumerate(made.pairings, start=1):
        fact = dice.choices(["played", "no_show", "double_forfeit", "void"], [90, 6, 2, 2])[0]
        if fact == "void":
            low, high = sorted(pairing.sides)
            void.append((made.number, low, high))
            continue
        outcomes = dice.choice([("win", "loss"), ("loss", "win")])
        if fact == "double_forfeit":
            outcomes = ("loss", "loss")
        elif fact == "played" and dice.random() < 0.1:
            outcomes = ("tie", "tie")
        sides = tuple(SideResult(entry, outcome) for entry, outcome in zip(pairing.sides, outcomes, strict=True))
        results.append(MatchResult(100 * made.number + table, made.number, fact, sides))
    for entry in made.absent:
        if dice.random() < 0.2:
            results.append(MatchResult(0, made.number, "requested_bye", (SideResult(entry, "tie"),)))
    return replace(history, rounds=(*history.rounds, made), results=tuple(results), void=tuple(void))


def faults(event: Event) -> Iterator[str]:
    """Return every objection: the verifier's, a second bye, a rematch that was not accepted, an unnecessary refusal."""
    byes: Counter[int] = Counter()
    for history, made in event.steps:
        pairs = [(pairing.sides[0], pairing.sides[1]) for pairing in made.pairings]
        for fault in swiss.check(made.certificate, pairs=pairs, byes=made.byes):
            yield f"event {event.number}, round {made.number}: {fault.code}: {fault.text}"
        byes.update(made.byes)
        present = len(history.present or ())
        free = not history.forbidden and history.options.clubs != "hard"
        if history.relaxed and free and made.number <= (present + present % 2) // 2:
            yield f"event {event.number}, round {made.number}: a rematch although Dirac's bound says there is no need"
    if byes and max(byes.values()) > 1:
        yield f"event {event.number}: a second bye"


def main() -> int:
    """Play the given number of events and print the result; return 1 when the verifier rejects a round."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    rounds = relaxed = 0
    stopped: Counter[str] = Counter()
    objections: list[str] = []
    for number in range(1, count + 1):
        event = play(number)
        rounds += len(event.steps)
        relaxed += event.relaxed
        stopped[event.stopped] += 1
        objections += faults(event)
    print(f"{count} events, {rounds} rounds, {relaxed} with a rematch accepted by name; ended: {dict(stopped)}")
    print("\n".join(objections) if objections else "the verifier accepts every round")
    return 1 if objections else 0


if __name__ == "__main__":
    sys.exit(main())
