"""The secrets of second factors are sealed: encrypted with keys that are derived from SECRET_KEY and its fallbacks.

A passkey has no secret here and needs no key.
"""

import base64
import hashlib
from collections.abc import Mapping
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

SEALED = "sealed:"  # before a secret that is encrypted; those of older rows are not


def seal(text: str) -> str:
    """Return `text` encrypted with the present key."""
    return SEALED + _cipher().encrypt(text.encode()).decode("ascii")


def opened(sealed: str) -> str:
    """Return what was sealed; text of an older row as it is. Raises InvalidToken where no present key opens it."""
    if not sealed.startswith(SEALED):
        return sealed
    return _cipher().decrypt(sealed.removeprefix(SEALED)).decode()


def _cipher() -> MultiFernet:
    keys = (str(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
    digests = (hashlib.blake2b(key.encode(), digest_size=32, person=b"second factor").digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


def former_key_told(*, moved: bool = False) -> list[str]:
    """Return the line for the operator about second factors that need the former key; none where there are none.

    `moved`: the data goes to a site with another key, so that all sealed ones do.
    """
    if not (count := sealed_with_a_former_key(moved=moved)):
        return []
    return [
        f"Logins with a second factor sealed with the former key: {count}. Put that key (the file secret_key of the former"
        " folder, or its SECRET_KEY) into SECRET_KEY_FALLBACKS; without it their apps and recovery codes do not work."
    ]


def sealed_with_a_former_key(*, moved: bool = False) -> int:
    """Return how many logins have an authenticator app or recovery codes that the present keys do not open, or with
    `moved` any that are sealed."""
    from allauth.mfa.models import Authenticator

    rows = Authenticator.objects.values_list("user_id", "data")
    return len({user for user, data in rows if (bool(_sealed(data)) if moved else is_lost(data))})


def is_lost(data: Mapping[str, Any]) -> bool:
    """Return whether an authenticator app or recovery codes are sealed with a key that is not here any more.

    `data`: of allauth's Authenticator; that of a passkey has nothing sealed.
    """
    return not all(map(_opens, _sealed(data)))


def _sealed(data: Mapping[str, Any]) -> list[str]:
    return [text for text in map(str, (data.get("secret"), data.get("seed"))) if text.startswith(SEALED)]


def _opens(sealed: str) -> bool:
    try:
        opened(sealed)
    except InvalidToken:
        return False
    return True
