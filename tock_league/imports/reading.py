"""Reads the text of a file: JSON, of the documented schema, of bounded size, with names that a page can show."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError as SchemaError
from jsonschema.exceptions import best_match

from tock_league.common.errors import Refused, Text
from tock_league.common.names import readable, tidy

from .wrong import told, wrong

Json = dict[str, Any]
MOST_BYTES = 900 * 1024  # below the site's own limit for a body, with the form around it
MOST_ENTRIES = 128
MOST_MATCHES = 3000
MOST_LETTERS = 2000
MOST_NUMBER = 1_000_000_000
MOST_NAME = 80
MOST_DEPTH = 24
KEY = re.compile(r"[A-Za-z0-9_./:-]{1,64}")


@cache
def schema() -> Draft202012Validator:
    """Return the schema of docs/results-format.schema.json."""
    text = (Path(settings.ROOT) / "docs" / "results-format.schema.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text))


def read(body: bytes) -> Json:
    """Return the file's values; names are tidied. Raise Refused naming the place at fault: see docs/imports.md."""
    if len(body) > MOST_BYTES:
        raise Refused("too_large", _("A file has at most %(most)d KiB.") % {"most": MOST_BYTES // 1024}, field="file")
    data = _parsed(body)
    for path, value in _values(data, "$"):
        _bounded(path, value)
    error = best_match(schema().iter_errors(data))
    if error is not None:
        raise wrong(error.json_path, _rule(error))
    assert isinstance(data, dict)
    if len(data["entries"]) > MOST_ENTRIES:
        raise wrong("$.entries", _("an event has at most %(most)d entries.") % {"most": MOST_ENTRIES})
    rounds = [row for stage in data["stages"] for group in stage["groups"] for row in group["rounds"]]
    if sum(len(row["matches"]) for row in rounds) > MOST_MATCHES:
        raise wrong("$.stages", _("an event has at most %(most)d matches.") % {"most": MOST_MATCHES})
    _names(data)
    return data


def _parsed(body: bytes) -> Any:
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(
            "not_json", _("The file is no text in UTF-8 (byte %(at)d).") % {"at": error.start}, field="file"
        ) from error
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        sentence = _("The file is no JSON: line %(line)d, column %(column)d.") % place
        raise Refused("not_json", sentence, field="file") from error
    except (RecursionError, ValueError) as error:
        raise Refused("not_json", _("The file is no JSON that can be read."), field="file") from error


def _once(pairs: list[tuple[str, Any]]) -> Json:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice = next(key for place, (key, _value) in enumerate(pairs) if key in dict(pairs[:place]))
        raise wrong("$", _("a key is there twice: %(key)s.") % {"key": told(twice)})
    return made


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _values(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield every value with its path, without recursion; raise Refused for what nests too deeply."""
    waiting = [(path, value, 0)]
    while waiting:
        here, one, depth = waiting.pop()
        yield here, one
        if depth > MOST_DEPTH:
            raise wrong(here[:MOST_NAME], _("the values are nested too deeply."))
        if isinstance(one, dict):
            if any(KEY.fullmatch(key) is None for key in one):
                raise wrong(here, _("a key has 1 to 64 letters, digits and signs such as _ or -."))
            waiting += [(f"{here}.{key}", inner, depth + 1) for key, inner in one.items()]
        elif isinstance(one, list):
            waiting += [(f"{here}[{place}]", inner, depth + 1) for place, inner in enumerate(one)]


def _bounded(path: str, value: Any) -> None:
    if isinstance(value, float):
        raise wrong(path, _("numbers are whole numbers."))
    if isinstance(value, int) and abs(value) > MOST_NUMBER:
        raise wrong(path, _("a number is at most %(most)d.") % {"most": MOST_NUMBER})
    if not isinstance(value, str):
        return
    if len(value) > MOST_LETTERS:
        raise wrong(path, _("a text has at most %(most)d letters.") % {"most": MOST_LETTERS})
    if any(ord(sign) < 32 or 0xD800 <= ord(sign) <= 0xDFFF or ord(sign) == 127 for sign in value):
        raise wrong(path, _("a text has no control characters."))


def _rule(error: SchemaError) -> Text:
    """Return what the schema asks, in words: names of its keywords and values are those of the format's page."""
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return _("the key %(key)s is missing.") % {"key": told(missing)}
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        extra = next((key for key in error.instance if key not in known), "")
        return _("the format has no key %(key)s here.") % {"key": told(extra)}
    if error.validator == "type":
        return _("expected is the type %(type)s.") % {"type": told(error.validator_value)}
    if error.validator in ("enum", "const"):
        return _("expected is one of %(values)s.") % {"values": told(error.validator_value)}
    return _("expected is %(rule)s %(value)s.") % {"rule": error.validator, "value": told(error.validator_value)}


def _names(data: Json) -> None:
    """Tidy the names that pages show; raise Refused for one that is too long or cannot be read."""
    event = data["event"]
    event["name"] = _name("$.event.name", event["name"])
    for key in ("club", "season", "division"):
        event[key] = _name(f"$.event.{key}", event[key]) if event[key] else None
    for place, entry in enumerate(data["entries"]):
        entry["name"] = _name(f"$.entries[{place}].name", entry["name"])
        entry["club"] = _name(f"$.entries[{place}].club", entry["club"]) if entry["club"] else None
    for number, stage in enumerate(data["stages"]):
        for place, group in enumerate(stage["groups"]):
            if group["name"]:
                group["name"] = _name(f"$.stages[{number}].groups[{place}].name", group["name"])


def _name(path: str, name: str) -> str:
    name = tidy(name)
    if not 1 <= len(name) <= MOST_NAME:
        raise wrong(path, _("a name has 1 to %(most)d letters.") % {"most": MOST_NAME})
    try:
        readable(name)
    except ValidationError as error:
        raise wrong(path, error.messages[0]) from error
    return name
