"""Refusals of a file: each names a place in it, as a JSON path, and what is expected there."""

import json
from typing import Any

from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import Refused, Text

MOST_TOLD = 80  # letters of a value that a refusal repeats


def wrong(path: str, sentence: Text, code: str = "format") -> Refused:
    """Return the refusal of the value at `path`, such as "$.entries[2].name"; the sentence says what is expected."""
    return Refused(code, _("%(path)s: %(sentence)s") % {"path": path, "sentence": sentence}, field=path)


def same(path: str, given: Any, expected: Any) -> None:
    """Raise Refused("differs") unless the file says at `path` what its results give; numbers and texts are compared."""
    if given == expected and isinstance(given, bool) == isinstance(expected, bool):
        return
    raise Refused(
        "differs",
        _("%(path)s: the file says %(given)s, and its results give %(expected)s.")
        % {"path": path, "given": told(given), "expected": told(expected)},
        field=path,
        expected=told(expected),
        given=told(given),
    )


def told(value: Any) -> str:
    """Return a value as JSON, cut to MOST_TOLD letters."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD]}…"
