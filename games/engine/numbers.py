"""Numbers in requests and positions, which come from outside. The engine imports no other package, hence its own check."""

from typing import TypeGuard


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether `value` is an integer; True and False, which Python counts as 1 and 0, are not."""
    return isinstance(value, int) and not isinstance(value, bool)
