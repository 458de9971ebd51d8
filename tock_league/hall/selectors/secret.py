"""The secrets of teams' links: only their digest finds a link, and only the desk can read one again."""

import hashlib

from cryptography.fernet import InvalidToken

from tock_league.accounts.seals import opened

from ..models import TeamLink


def digest_of(secret: str) -> str:
    """Return what is stored to find a link by its secret: SHA-256, hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def secret_of(link: TeamLink) -> str:
    """Return the secret of a link for the desk; "" where the site's key has changed since: it must be renewed."""
    try:
        return opened(link.sealed)
    except InvalidToken:
        return ""
