"""The entries of one person. The bodies are bytes, so that the database looks for the label's bytes in them."""

import json
from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.db.models import F, Func, IntegerField, Value

from ..models import JournalEntry

CHUNK = 2_000


def told_by(label: str) -> Iterator[tuple[JournalEntry, dict[str, Any]]]:
    """Yield each entry of which `label` is the actor, with its body, in the order of writing."""
    for entry, body in naming(label):
        if body["actor"] == label:
            yield entry, body


def naming(label: str) -> Iterator[tuple[JournalEntry, dict[str, Any]]]:
    """Yield each entry that names `label`, as actor or otherwise, with its body. Reads the whole table."""
    wanted = Value(json.dumps(label).encode())
    where: Func
    if connection.vendor == "postgresql":
        where = Func(wanted, F("body"), function="POSITION", arg_joiner=" IN ", output_field=IntegerField())
    else:
        where = Func(F("body"), wanted, function="INSTR", output_field=IntegerField())
    for entry in JournalEntry.objects.annotate(place=where).filter(place__gt=0).order_by("pk").iterator(CHUNK):
        yield entry, json.loads(bytes(entry.body))
