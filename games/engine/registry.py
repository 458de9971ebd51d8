"""Find the families of games by folder.

`<family>/rulesets/*.py` each define one RULES, `<family>/game.py` defines GAME, and the optional
`<family>/operations.py` defines OPS: requests that the family answers besides those about positions.

There is no list to edit: a new file is found automatically. Two files with the same id raise an error. The families of
`games.engine` are always there; `offer` adds those of another package.

What a family needs above the engine (its table, its bots, its words) is in further modules of its folder, found by
`part`. The engine imports nothing from above: for its own families these modules are in `games/families/<family>/`.
"""

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from games.engine.errors import UnknownRules, shown
from games.engine.game import Game, Rules

ABOVE = "games.families"  # the further modules of the engine's own families
_places = ["games.engine"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule set and the family that plays it."""

    rules: Rules
    game: Game[Any, Any]

    @property
    def home(self) -> str:
        """Return the family's package: the one that defines its Game."""
        return type(self.game).__module__.rpartition(".")[0]

    @property
    def family(self) -> str:
        """Return the family's name, which is the name of its folder: `tock` or `tractor`."""
        return self.home.rpartition(".")[2]

    def part(self, name: str) -> ModuleType:
        """Return a module of the family by name, such as `table`; raises ModuleNotFoundError."""
        return _part(self.home, name)


Operation = Callable[[Mapping[str, Any]], dict[str, Any]]


def offer(place: str) -> None:
    """Add the families in the package `place`: each of its packages that has a `game` module. Idempotent."""
    if place not in _places:
        _places.append(place)
        _forget()


def withdraw(place: str) -> None:
    """Remove the families in `place`. For tests: tables with these games cannot be read afterwards."""
    _places.remove(place)
    _forget()


def _forget() -> None:
    entries.cache_clear()
    operations.cache_clear()


def _families() -> Iterator[tuple[str, list[str]]]:
    """Yield the package of each family with the names of its modules, in order."""
    for place in _places:
        package = importlib.import_module(place)
        for family in pkgutil.iter_modules(package.__path__):
            if family.ispkg:
                name = f"{place}.{family.name}"
                modules = [module.name for module in pkgutil.iter_modules(importlib.import_module(name).__path__)]
                if "game" in modules:
                    yield name, modules


@cache
def operations() -> dict[str, Operation]:
    """Return the operations of all families, by name."""
    found: dict[str, Operation] = {}
    for name, modules in _families():
        if "operations" in modules:
            found |= importlib.import_module(f"{name}.operations").OPS
    return found


@cache
def entries() -> dict[str, Entry]:
    """Return every rule set by id, sorted. Raises RuntimeError when two files have the same id."""
    found: dict[str, Entry] = {}
    for name, _ in _families():
        game: Game[Any, Any] = importlib.import_module(f"{name}.game").GAME
        folder = importlib.import_module(f"{name}.rulesets")
        for file in pkgutil.iter_modules(folder.__path__):
            rules: Rules = importlib.import_module(f"{folder.__name__}.{file.name}").RULES
            if rules.id in found:
                raise RuntimeError(f"two files hold the rule set {rules.id}")
            found[rules.id] = Entry(rules, game)
    return dict(sorted(found.items()))


@cache
def _part(home: str, name: str) -> ModuleType:
    if importlib.util.find_spec(f"{home}.{name}") is not None:
        return importlib.import_module(f"{home}.{name}")
    return importlib.import_module(f"{ABOVE}.{home.rpartition('.')[2]}.{name}")


def families() -> dict[str, Entry]:
    """Return one entry of each family by the family's name, names in order."""
    return {one.family: one for one in sorted(entries().values(), key=lambda one: one.family)}


def ids() -> tuple[str, ...]:
    """Return the ids of all rule sets, sorted."""
    return tuple(entries())


def entry(rule_set: str) -> Entry:
    """Return a rule set with its family; raises UnknownRules."""
    found = entries().get(rule_set) if isinstance(rule_set, str) else None
    if found is None:
        raise UnknownRules("unknown_rules", f"rules: no rule set {shown(rule_set)}; offered: {', '.join(entries())}")
    return found


def rules(rule_set: str) -> Rules:
    """Return the constants of a rule set; raises UnknownRules."""
    return entry(rule_set).rules


def game(rule_set: str) -> Game[Any, Any]:
    """Return the Game object that plays a rule set; raises UnknownRules."""
    return entry(rule_set).game


def part(rule_set: str, name: str) -> ModuleType:
    """Return the module `name` of the family of a rule set; raises UnknownRules, ModuleNotFoundError."""
    return entry(rule_set).part(name)
