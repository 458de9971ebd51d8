"""Verify a file of position counts: `python -m games.engine perft FILE [DEPTH]` (docs/engine/perft.md)."""

from collections.abc import Iterator, Mapping
from typing import Any

from games.engine import registry

FORMAT = "tock-perft/1"


def differences(entry: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Yield a sentence for each depth, up to `depth`, whose count differs from the one in the entry."""
    game = registry.game(entry["position"]["rules"])
    p = game.from_json(entry["position"])
    for level, nodes in enumerate(entry["nodes"][:depth], start=1):
        counted = game.perft(p, level)
        if counted != nodes:
            yield f"{entry['name']}: depth {level}: {counted} counted, {nodes} written"


def verify(corpus: Mapping[str, Any], depth: int) -> Iterator[tuple[str, list[str]]]:
    """Yield each position's name with its differences, in the order of the file.

    Raises ValueError for another file format, BadPosition for an impossible position.
    """
    if corpus.get("format") != FORMAT:
        raise ValueError(f"format: {FORMAT} is needed")
    for entry in corpus["positions"]:
        yield entry["name"], list(differences(entry, depth))
