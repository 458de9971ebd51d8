"""The names of what notices are about, looked up when somebody reads them.

A notice stores public ids only, so it always shows the present name, and an erased person's name is in none. The app that
knows the names of a prefix offers a function from its AppConfig.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

Namer = Callable[[Sequence[str]], Mapping[str, str]]
_namers: dict[str, Namer] = {}


def offer(prefix: str, namer: Namer) -> None:
    """Let `namer` return the names of the things called `prefix`, such as team, by their public ids. One query."""
    _namers[prefix] = namer


def known() -> frozenset[str]:
    """Return the prefixes that have a namer."""
    return frozenset(_namers)


def names_of(wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return the names of (prefix, public id); what is gone has none. One query for each prefix."""
    ids: dict[str, set[str]] = defaultdict(set)
    for prefix, public_id in wanted:
        ids[prefix].add(public_id)
    return {
        (prefix, public_id): name
        for prefix, several in ids.items()
        for public_id, name in _namers[prefix](sorted(several)).items()
    }
