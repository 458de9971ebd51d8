"""Finds the formats by folder: one file of `pairings/` ending in `FORMAT = ...` is one format; no list to edit."""

import importlib
import pkgutil
from functools import cache

from . import pairings
from .format import Format, FormatError


@cache
def formats() -> dict[str, Format]:
    """Return every format under its key. Raises ValueError when two files claim one key."""
    found: dict[str, Format] = {}
    for module in sorted(pkgutil.iter_modules(pairings.__path__), key=lambda info: info.name):
        made: Format = importlib.import_module(f"{pairings.__name__}.{module.name}").FORMAT
        if made.key in found:
            raise ValueError(f"two formats call themselves {made.key}")
        found[made.key] = made
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
