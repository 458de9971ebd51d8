"""Every mutant of the pure rooms, as the operators of cosmic-ray make them, and a seeded sample of them."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import parso
from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes
from cosmic_ray.mutating import mutate_code

ROOMS = (
    "games/engine",
    "games/fold",
    "tock_league/competitions/core",
    "ratings/core",
    "tock_league/arbitration/core",
    "tock_league/journal/chain.py",
)
# A decorator such as `cache` changes nothing that a test could see; `is` means `==` for most constants; for numbers whose bits
# do not meet, `|` and `^` mean `+`.
LEFT_OUT = re.compile(
    "RemoveDecorator|Variable|_Is$|_IsNot$|(Add|Sub|Mul|Div|FloorDiv|Mod|Pow)_(BitOr|BitXor|BitAnd|LShift|RShift)$"
)


@dataclass(frozen=True)
class Mutant:
    """The change that `operator` makes at its `occurrence` in the file `path`, on `line` to `last`."""

    path: str
    line: int
    last: int
    operator: str
    occurrence: int

    def code(self, root: Path) -> str:
        """Return the file as it is with the change."""
        made = mutate_code((root / self.path).read_text("utf-8"), operator_of(self.operator), self.occurrence)
        assert made is not None, self
        return str(made)


def operator_of(name: str) -> object:
    return plugins.get_operator(name)()


def sample(root: Path, size: int, seed: int) -> list[Mutant]:
    """Return `size` mutants, each of another place in the code: the place is drawn first, then what happens there."""
    draw = random.Random(seed)
    places = sorted(_places(root).items())
    chosen = draw.sample(places, min(size, len(places)))
    return [draw.choice(mutants) for _place, mutants in chosen]


def _places(root: Path) -> dict[tuple[str, int, int], list[Mutant]]:
    """Return the mutants by file, line and column."""
    found: dict[tuple[str, int, int], list[Mutant]] = {}
    names = [name for name in plugins.operator_names() if not LEFT_OUT.search(name)]
    operators = [(name, operator_of(name)) for name in sorted(names)]
    for path in _files(root):
        tree = parso.parse((root / path).read_text("utf-8"))
        nodes = list(ast_nodes(tree))
        ignored = {id(inside) for node in nodes for part in _not_run(node) for inside in ast_nodes(part)}
        for name, operator in operators:
            occurrence = 0
            for node in nodes:
                for start, end in operator.mutation_positions(node):  # type: ignore[attr-defined]
                    mutant = Mutant(path, start[0], end[0], name, occurrence)
                    occurrence += 1
                    if id(node) not in ignored:
                        found.setdefault((path, *start), []).append(mutant)
    return found


def _files(root: Path) -> Iterator[str]:
    for room in ROOMS:
        place = root / room
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            if path.name != "__main__.py":  # run in a process of its own, where coverage does not see it
                yield path.relative_to(root).as_posix()


def _not_run(node: parso.tree.NodeOrLeaf) -> Iterator[parso.tree.NodeOrLeaf]:
    """Yield the parts of a node that say types, decorate, or only say how an object is printed."""
    if node.type == "decorator" or (node.type == "argument" and getattr(node.children[0], "value", "") == "repr"):
        yield node
    elif node.type == "annassign":
        yield node.children[1]
    elif node.type == "tfpdef":
        yield node.children[-1]
    elif node.type == "funcdef" and node.annotation is not None:
        yield node.annotation
