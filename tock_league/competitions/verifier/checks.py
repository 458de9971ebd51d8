"""Find the check of a format's certificates: `swiss/1` is checked by the module `swiss` of this package."""

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any


def check(
    format: str, certificate: Mapping[str, Any], *, pairs: Sequence[tuple[int, int]], byes: Sequence[int]
) -> tuple[Any, ...]:
    """Return what is wrong with a round of the format with that key; () accepts it.

    `pairs` (home, away) and `byes`: the round as it is about to be published. Raises ValueError when nothing here checks
    that format: a certificate that nobody checks must not be published.
    """
    name = f"{__package__}.{format.partition('/')[0]}"
    if importlib.util.find_spec(name) is None:
        raise ValueError(f"no check of certificates of {format}")
    return tuple(importlib.import_module(name).check(certificate, pairs=pairs, byes=byes))
