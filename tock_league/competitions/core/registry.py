"""Discovery of formats and kinds of tournament in a folder; there is no list to edit.

A file of `pairings/` that ends in `FORMAT = ...` is one format; one with `KIND = ...` is a kind of tournament. It may
be both. `offer` adds the files of another package.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from . import pairings
from .bracket import Bracket
from .bracket_format import BracketFormat
from .format import Format, FormatError
from .kind import Kind

_places = [pairings.__name__]


@cache
def formats() -> dict[str, Format]:
    """Return every format under its key. Raises ValueError if two files have the same key."""
    found: dict[str, Format] = {}
    for module in _modules():
        made: Format | None = getattr(module, "FORMAT", None)
        if made is not None and found.setdefault(made.key, made) is not made:
            raise ValueError(f"two formats call themselves {made.key}")
    return found


@cache
def kinds() -> dict[str, Kind]:
    """Return every kind of tournament by key, in the order of the choices. Raises ValueError as `formats` does."""
    found: dict[str, Kind] = {}
    made = [kind for module in _modules() if (kind := getattr(module, "KIND", None)) is not None]
    for kind in sorted(made, key=lambda kind: (kind.place, kind.key)):
        if found.setdefault(kind.key, kind) is not kind:
            raise ValueError(f"two kinds call themselves {kind.key}")
    return found


def format_of(key: str) -> Format:
    """Return the format of that key. Raises FormatError("unknown_format")."""
    try:
        return formats()[key]
    except KeyError:
        known = ", ".join(sorted(formats()))
        raise FormatError("unknown_format", f"no format {key!r}; known: {known}", "format") from None


def options_of(key: str, values: dict[str, object]) -> object:
    """Return the options object of a format made from stored `values`. Raises FormatError("bad_options")."""
    made = format_of(key)
    try:
        return made.options(**values)
    except (TypeError, ValueError) as error:
        raise FormatError("bad_options", f"options of {key}: {error}", "options") from None


def bracket_of(key: str, values: dict[str, object], entries: int) -> Bracket:
    """Return the bracket of so many entries in a format that has one. Raises FormatError: no such format, or too few."""
    made = format_of(key)
    if not isinstance(made, BracketFormat):
        raise FormatError("unknown_format", f"{key} has no bracket", "format")
    return made.bracket(entries, options_of(key, values))


def bracket_with(key: str, values: dict[str, object], matches: int) -> Bracket:
    """Return the bracket of the format that has so many matches, or the next smaller number; more entries need more matches.

    Raises FormatError as `bracket_of`.
    """
    least, most = 2, max(2, matches + 1)
    while least < most:
        middle = (least + most + 1) // 2
        if len(bracket_of(key, values, middle).nodes) <= matches:
            least = middle
        else:
            most = middle - 1
    return bracket_of(key, values, least)


def calendar_format() -> Format:
    """Return the format of leagues and club nights, whose whole calendar is dated before the first game."""
    return next(made for made in formats().values() if made.all_meet)


def offer(place: str) -> None:
    """Offer the formats and kinds in the package `place` as well. Idempotent."""
    if place not in _places:
        _places.append(place)
        _forget()


def withdraw(place: str) -> None:
    """Withdraw those of the package `place`. For tests: stages in its formats cannot be read afterwards."""
    _places.remove(place)
    _forget()


def _forget() -> None:
    formats.cache_clear()
    kinds.cache_clear()


def _modules() -> Iterator[ModuleType]:
    for place in _places:
        package = importlib.import_module(place)
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
            yield importlib.import_module(f"{place}.{module.name}")
