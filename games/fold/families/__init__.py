"""What differs at the table between one family of games and another: one room each, chosen by the rule set's data.

The fold, its views and the services ask the family (`Setup.family`); none of them asks which game it is.
"""

from collections.abc import Mapping

from games.engine import registry

from .face import Family
from .tock import Tock
from .tractor import Tractor

__all__ = ["Family", "of"]

_FAMILIES: Mapping[str, Family] = {"tock": Tock(), "tractor": Tractor()}


def of(rules: str) -> Family:
    """Return the family at the table of a rule set; raises the engine's UnknownRules."""
    return _FAMILIES[registry.entry(rules).family]
