"""What a worker of `--jobs` runs. It imports nothing of the product: Django is set up first, in each worker."""

from collections.abc import Sequence
from typing import Any


def set_up() -> None:
    """Set Django up."""
    import django

    django.setup()


def play_some(seeds: Sequence[int]) -> list[Any]:
    """Play the games of `seeds`, in order, and return what came of each."""
    from .command import play

    return [play(seed) for seed in seeds]
