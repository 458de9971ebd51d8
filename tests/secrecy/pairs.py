"""One seed of the comparison: a game, a viewer, some pairs of worlds; and what the pairs have covered."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from games import store
from games.fold import Row, Step
from games.fold.phases import FORCED
from games.models import Game

from .play import Kind, kinds, open_table, rows_of
from .replay import Heard, first_difference, onlookers, replay, script_of
from .stage import Stage
from .tracker import words
from .worlds import Past, other_world

PAIRS = 12  # of a seed
WORLDS = 6  # with which one present is compared
TAIL = 4  # rows that are carried out as commands, about
NAMES = ("give", "throw", "blind", "deck", "draw", "show", "pass", "bury", "play")
# What must have happened among the rows that were carried out; the last four are Tractor's.
WANTED = (
    "exchange", "touch", "forced burn", "burn", "blind burn", "throw-in", "joker", "penalty", "deck",
    "draw", "show", "bury", "failed throw", "refusal to follow",
)  # fmt: skip


# Words of rows that are rarer than others, or more interesting.
RARE = {"burn", "blind", "throw", "JK", "10S", "10H", "touch", "penalty", "give_sealed", "draw", "show", "bury", "play"}
OUR_SEEDS, THEIR_SEEDS = b"\x11" * 2048, b"\x22" * 2048  # of decks to come


@dataclass
class Outcome:
    """The result of a seed."""

    seed: int
    kind: Kind | None = None
    pairs: int = 0  # of games
    compared: int = 0  # onlookers who were compared, over all pairs
    heard: int = 0  # frames and answers
    size: int = 0  # bytes
    covered: Counter[str] = field(default_factory=Counter)
    viewers: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


_kinds: list[Kind] = []


def kind_of(roll: random.Random) -> Kind:
    """Return a table; Tractor as often as all of Tock's sizes together would be at three to one."""
    if not _kinds:
        _kinds.extend(kinds())
    tricks = [kind for kind in _kinds if kind.tricks]
    return roll.choice(tricks) if roll.random() < 0.3 else roll.choice([kind for kind in _kinds if not kind.tricks])


Kept = dict[tuple[int, Kind | None], tuple[Game, list[Row], Any]]


def compare(
    stage: Stage, seed: int, *, pairs: int = PAIRS, kind: Kind | None = None, kept: Kept | None = None
) -> Outcome:
    """Play the game of a seed, and compare it with other worlds for one viewer after another.

    `kept`: games that were played on this stage already, for callers that compare the same seed again.
    """
    roll = random.Random(f"seen {seed}")
    known = kept.get((seed, kind)) if kept is not None else None
    if known is None:
        shape = kind or kind_of(roll)
        drawn = random.Random(f"drawn {seed} {shape}")  # the deals follow from the seeds and from the game's public id
        with mock.patch("secrets.token_bytes", drawn.randbytes), mock.patch("secrets.choice", drawn.choice):
            table = open_table(stage, shape, touch=roll.random() < 0.8)
        game = Game.objects.select_related("table").get(table=table)
        known = game, rows_of(game, roll, roll.choice((1, 1, 2))), (shape, roll.getstate())
        if kept is not None:
            kept[seed, kind] = known
    game, rows, (shape, state) = known
    roll.setstate(state)
    outcome, kind, setup = Outcome(seed, shape), shape, store.setup_of(game)
    for _ in range(pairs * 4):
        if outcome.pairs >= pairs:
            break
        past = Past.of(setup, _cut(rows, roll))
        seat = roll.choice([None, *range(kind.seats), *range(kind.seats)])
        tries = range(min(WORLDS, pairs - outcome.pairs))
        worlds = [world for _ in tries if (world := other_world(past, seat, roll)) is not None]
        if worlds:
            _compare(stage, game, past, worlds, seat, roll, outcome)
    return outcome


def _cut(rows: list[Row], roll: random.Random) -> list[Row]:
    """Return the rows up to a random one after some deck, before the game is over; often to a rare one."""
    decks = [place for place, row in enumerate(rows) if words(row)[:1] == ["deck"]]
    end = next((place for place, row in enumerate(rows) if row.code == "open"), len(rows))
    begin = roll.choice(decks)
    following = min((place for place in decks if place > begin), default=end)
    places = range(begin + 1, max(begin + 2, min(following, end)))
    kinds = {(words(rows[place - 1]) or [rows[place - 1].code])[0] for place in places} & RARE
    rare = roll.choice(sorted(kinds)) if kinds and roll.random() < 0.6 else ""
    chosen = [place for place in places if rare in ("", *words(rows[place - 1])[:1], rows[place - 1].code)]
    upto = roll.choice(chosen)
    while upto < end and rows[upto].at == rows[upto - 1].at:
        upto += 1  # rows of one transaction stay together
    return rows[:upto]


def _compare(
    stage: Stage,
    game: Game,
    past: Past,
    worlds: Sequence[list[Row]],
    seat: int | None,
    roll: random.Random,
    outcome: Outcome,
) -> None:
    ours, setup, watching = past.rows, past.setup, onlookers(stage, seat, roll)
    since = _since(ours, roll.randint(1, 2 * TAIL - 1))
    script = script_of(game, setup, ours, since, watching, roll)
    here = replay(stage, game, setup, ours, script, watching, OUR_SEEDS)
    for world in worlds:
        there = replay(stage, game, setup, world, script, watching, THEIR_SEEDS)
        outcome.pairs += 1
        for each in watching:
            outcome.compared += 1
            outcome.viewers[each.name] += 1
            if found := first_difference(here[each.name], there[each.name]):
                outcome.faults.append(f"{each.name} {'' if seat is None else seat} of {outcome.kind}: {found}")
            outcome.heard += len(here[each.name])
            outcome.size += sum(len(text) for _, text in here[each.name])
        outcome.covered += happened(past.steps, since)
        outcome.covered["refusal to follow"] += refusals(here.get("seat", ()))


def _since(rows: list[Row], tail: int) -> int:
    """Return the seq after which rows are carried out: the end of a transaction, after the game's first row."""
    since = max(1, len(rows) - tail)
    while since > 1 and rows[since].at == rows[since - 1].at:
        since -= 1
    return since


def happened(found: list[Step], since: int) -> Counter[str]:
    """Count what the rows after `since` are about."""
    counts: Counter[str] = Counter()
    for step in found:
        row, word = step.row, (words(step.row) or [step.row.code])[0]
        if row.seq <= since:
            continue
        if word == "burn":
            word = "forced burn" if step.before.phase == FORCED else "burn"
        elif word == "play" and step.after.position.failed not in (None, step.before.position.failed):
            word = "failed throw"
        elif step.after.phase == "joker":
            word = "joker"
        elif word not in NAMES and row.kind == "play":
            word = "move"
        counts[{"give_sealed": "exchange", "throw": "throw-in", "blind": "blind burn"}.get(word, word)] += 1
    return counts


def refusals(heard: "tuple[Heard, ...] | list[Heard]") -> int:
    """Count the refusals by a rule of following in Tractor."""
    return sum(b'"why":"MUST_' in text for where, text in heard if where.startswith(("refusal", "POST")))
