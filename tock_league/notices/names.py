"""The names of what notices are about, looked up when somebody reads them.

A notice stores public ids only, so it always shows the present name, and an erased person's name is in none. The app that
knows the names of a prefix offers a function from its AppConfig.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Namer = Callable[[Sequence[str]], Mapping[str, str]]
_namers: dict[str, Namer] = {}


@dataclass(frozen=True)
class Line:
    """A line of the digest, and the path of the page that it leads to."""

    text: str
    address: str


@dataclass(frozen=True)
class Part:
    """A part of the digest."""

    title: str
    lines: tuple[Line, ...]


_digests: list[Callable[[Any], Sequence[Part]]] = []


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


def offer_digest(parts: Callable[[Any], Sequence[Part]]) -> None:
    """Let `parts` write the digest of a player, in the active language."""
    _digests.append(parts)


def digest_of(player: Any) -> list[Part]:
    """Return the digest of a player, in the active language; empty where there is nothing to say."""
    return [part for parts in _digests for part in parts(player)]
