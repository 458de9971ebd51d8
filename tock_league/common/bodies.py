"""How large a request's body may be, and what is said of a larger one."""

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from .errors import Refused

TABLES = "/api/tables/"


def most_bytes(path: str) -> int:
    """Return how many bytes a body sent to that path may have."""
    return int(settings.TABLE_BODY_BYTES if path.startswith(TABLES) else settings.BODY_BYTES)


def too_large(most: int) -> Refused:
    """Return the refusal of a body of more than `most` bytes."""
    return Refused("too_large", _("Send at most %(most)d bytes.") % {"most": most}, status=413)


def too_many() -> Refused:
    """Return the refusal of a form with too many fields or files, or of an address with too many parameters."""
    text = _("Send at most %(fields)d fields, parameters of the address included, and %(files)d files.")
    most = {"fields": settings.DATA_UPLOAD_MAX_NUMBER_FIELDS, "files": settings.DATA_UPLOAD_MAX_NUMBER_FILES}
    return Refused("too_large", text % most, status=413)
