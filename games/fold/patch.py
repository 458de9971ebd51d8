"""Views as JSON: the difference of two, its application, and the hash that both ends compare."""

import hashlib
from typing import Any

from .rows import canonical

Json = dict[str, Any]


def diff(old: Json, new: Json) -> Json:
    """Return the JSON merge patch (RFC 7396) that turns `old` into `new`; neither may contain null."""
    patch: Json = {key: None for key in old if key not in new}
    for key, value in new.items():
        if key not in old:
            patch[key] = value
        elif old[key] != value:
            before = old[key]
            both = isinstance(before, dict) and isinstance(value, dict)
            patch[key] = diff(before, value) if both else value
    return patch


def merge(view: Json, patch: Json) -> Json:
    """Return `view` with the merge patch applied (RFC 7396); `view` itself is not changed."""
    merged = dict(view)
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict):
            before = merged.get(key)
            merged[key] = merge(before if isinstance(before, dict) else {}, value)
        else:
            merged[key] = value
    return merged


def view_hash(view: Json) -> str:
    """Return the first 16 hex digits of SHA-256 over the view's canonical JSON."""
    return hashlib.sha256(canonical(view)).hexdigest()[:16]
