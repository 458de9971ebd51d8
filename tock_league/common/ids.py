"""Public identifiers: short, unguessable enough for an address, without letters that look alike."""

import secrets

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_slug(length: int = 8) -> str:
    """Return `length` random characters of ALPHABET (8 characters: 39 bits)."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
