"""Public identifiers: short, unguessable enough for an address, without letters that look alike."""

import hashlib
import secrets

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_slug(length: int = 8) -> str:
    """Return `length` random characters of ALPHABET (8 characters: 39 bits)."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def derived_slug(*parts: str, length: int = 8) -> str:
    """Return `length` characters of ALPHABET that follow from `parts`, always the same for the same parts."""
    rest = int.from_bytes(hashlib.sha256("\n".join(parts).encode()).digest(), "big")
    made = []
    for _ in range(length):
        rest, at = divmod(rest, len(ALPHABET))
        made.append(ALPHABET[at])
    return "".join(made)
