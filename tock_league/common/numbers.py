"""Numbers that come from outside: from a form, a request or stored JSON. Standard library only."""

from typing import Any, TypeGuard


def is_whole(value: Any) -> TypeGuard[int]:
    """Return whether `value` is a whole number; True and False, which Python counts as 1 and 0, are not."""
    return isinstance(value, int) and not isinstance(value, bool)
