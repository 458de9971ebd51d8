"""Validator of the texts that people write into a case: plain and short."""

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import plain_text
from tock_league.common.errors import Refused, Text
from tock_league.common.validation import no_markup

from ...core.contacts import email_in, telephone_in

LINES = re.compile(r"[\r\n\t]+")


PUBLISHED: dict[str, Text] = {
    "facts": _("Facts found"),
    "reasons": _("Reasons"),
    "deviation_reason": _("Why another penalty than the table's"),
    "rules": _("Rules applied"),
    "note": _("Your note"),
    "reason": _("Reason"),
}


def clean_published(text: object, *, field: str, most: int, required: bool = True, lines: bool = False) -> str:
    """Return what `clean` returns, for a text that everybody may read later.

    Raises what it raises, and Refused `email_found` and `telephone_found` on `field`, with what was found.
    """
    words = clean(text, field=field, most=most, required=required, lines=lines)
    values = {"field": PUBLISHED[field]}
    if found := email_in(words):
        raise Refused(
            "email_found",
            _("“%(field)s” is published; take out the e-mail address “%(found)s”.") % {**values, "found": found},
            field=field,
            found=found,
        )
    if found := telephone_in(words):
        raise Refused(
            "telephone_found",
            _("“%(field)s” is published; take out the telephone number “%(found)s”.") % {**values, "found": found},
            field=field,
            found=found,
        )
    return words


def clean(text: object, *, field: str, most: int, required: bool = True, lines: bool = False) -> str:
    """Return `text`, trimmed and composed (NFC). `lines`: keep line breaks; otherwise each becomes a space.

    Raises Refused on `field`: `text_missing`, `text_long` (more than `most` characters), `control_characters`, `markup`.
    """
    if not isinstance(text, str):
        raise Refused("text_missing", _("Write what happened, in plain text."), field=field)
    if len(text) > 4 * most:  # reject huge texts before any work on them
        raise _too_long(field, most, len(text))
    words = unicodedata.normalize("NFC", text).replace("\r\n", "\n").strip()
    if not lines:
        words = LINES.sub(" ", words)
    if required and not words:
        raise Refused("text_missing", _("Write what happened, in plain text."), field=field)
    if len(words) > most:
        raise _too_long(field, most, len(words))
    for check in (plain_text, no_markup):
        try:
            check(LINES.sub(" ", words))
        except ValidationError as error:
            raise Refused(error.code or "invalid", " ".join(error.messages), field=field) from error
    return words


def _too_long(field: str, most: int, given: int) -> Refused:
    return Refused(
        "text_long",
        _("At most %(most)s characters; this has %(given)s.") % {"most": most, "given": given},
        field=field,
    )
