"""Finds rule sets by folder: `<family>/rulesets/*.py` holds one RULES each, `<family>/game.py` one GAME, and
`<family>/operations.py`, where there is one, OPS: the requests that the family answers besides those about positions.

No list to edit: a new file is offered as soon as it is there. Two files with one id are refused, loudly.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.engine.errors import UnknownRules, shown
from games.engine.game import Game, Rules


@dataclass(frozen=True, slots=True)
class Entry:
    """One rule set with the family that plays it."""

    rules: Rules
    game: Game[Any, Any]

    @property
    def family(self) -> str:
        """Return the family's name: that of its folder, `tock` or `tractor`."""
        return type(self.game).__module__.split(".")[-2]


Operation = Callable[[Mapping[str, Any]], dict[str, Any]]


def _families() -> Iterator[tuple[str, list[str]]]:
    """Yield each family's package and the modules in it, in order."""
    engine = importlib.import_module("games.engine")
    for family in pkgutil.iter_modules(engine.__path__):
        if family.ispkg:
            name = f"{engine.__name__}.{family.name}"
            yield name, [module.name for module in pkgutil.iter_modules(importlib.import_module(name).__path__)]


@cache
def operations() -> dict[str, Operation]:
    """Return the requests that families answer besides those about positions, by name."""
    found: dict[str, Operation] = {}
    for name, modules in _families():
        if "operations" in modules:
            found |= importlib.import_module(f"{name}.operations").OPS
    return found


@cache
def entries() -> dict[str, Entry]:
    """Return every rule set by its id, ids in order. Raises RuntimeError when two files bear one id."""
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


def ids() -> tuple[str, ...]:
    """Return the ids of all rule sets offered, in order."""
    return tuple(entries())


def entry(rule_set: str) -> Entry:
    """Return a rule set with its game; raises UnknownRules."""
    found = entries().get(rule_set) if isinstance(rule_set, str) else None
    if found is None:
        raise UnknownRules("unknown_rules", f"rules: no rule set {shown(rule_set)}; offered: {', '.join(entries())}")
    return found


def rules(rule_set: str) -> Rules:
    """Return the frozen data of a rule set; raises UnknownRules."""
    return entry(rule_set).rules


def game(rule_set: str) -> Game[Any, Any]:
    """Return the Game object that plays a rule set; raises UnknownRules."""
    return entry(rule_set).game
