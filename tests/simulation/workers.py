"""The functions of a worker of `--jobs`. The product is imported in them, after Django is set up."""

from collections.abc import Sequence
from typing import Any


def set_up() -> None:
    """Set Django up."""
    import django

    django.setup()


def play_some(seeds: Sequence[int]) -> list[Any]:
    """Play the games of `seeds` in order and return their results."""
    from .command import play

    return [play(seed) for seed in seeds]
