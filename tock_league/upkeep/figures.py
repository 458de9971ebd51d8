"""What a copy must have in common with its original: rows of each table, journal roots, standings, ratings."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from django.db import connection

from ratings.models import Ladder, Rating
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.rankings.computed import lines

LEFT_OUT = ("django_session",)  # sessions stay where they are: whoever has a copy must not be signed in by it
CHUNK = 2000


def raw() -> dict[str, Any]:
    """Return the figures that need no model, so that they can be read from an older copy: `rows` and `journal`."""
    names = [name for name in connection.introspection.table_names() if name not in LEFT_OUT]
    quoted = connection.ops.quote_name
    with connection.cursor() as cursor:
        rows = {}
        for name in sorted(names):
            cursor.execute(f"SELECT COUNT(*) FROM {quoted(name)}")  # nosec B608: names of our own
            rows[name] = cursor.fetchone()[0]
        cursor.execute("SELECT name, length, hash FROM journal_journalstream")
        streams = {name: [length, last] for name, length, last in cursor.fetchall()}
        cursor.execute("SELECT app, name FROM django_migrations")
        migrations = sorted(f"{app}.{name}" for app, name in cursor.fetchall())
    return {"rows": rows, "journal": streams, "journal_root": _root(streams), "migrations": migrations}


def computed() -> dict[str, str]:
    """Return the digests of standings, recomputed, and of the stored ratings, bit for bit."""
    return {"standings": standings(), "ratings": ratings()}


def figures() -> dict[str, Any]:
    """Return all figures."""
    return raw() | computed()


def standings() -> str:
    """Return the digest of every table and final order."""
    competitions = Competition.objects.select_related("regulations").order_by("pk").iterator(50)
    return _digest(f"{each.slug} {line}" for each in competitions for line in lines(each))


def ratings() -> str:
    """Return the digest of the ratings in force on every ladder."""

    def told() -> Iterable[str]:
        for ladder in Ladder.objects.order_by("pk"):
            rows = Rating.objects.filter(generation=ladder.generation_id).select_related("subject").order_by("pk")
            for row in rows.iterator(CHUNK):
                state = f"{row.mu.hex()} {row.sigma.hex()} {row.games} {row.wins} {row.score_milli}"
                yield f"{ladder.key} {row.subject.key} {state}"

    return _digest(told())


def _root(streams: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(streams, sort_keys=True).encode()).hexdigest()


def _digest(told: Iterable[str]) -> str:
    found = hashlib.sha256()
    for line in told:
        found.update(line.encode() + b"\n")
    return found.hexdigest()


def differing(wanted: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Return, as sentences, which figures are not those of the manifest."""
    told = []
    for key in sorted(found):
        if key == "rows":
            told += [
                f"table {name}: {found[key].get(name, 'not there')} rows, the copy's manifest says {count}"
                for name, count in wanted.get(key, {}).items()
                if found[key].get(name) != count
            ]
        elif key != "journal" and found[key] != wanted.get(key):
            told.append(f"{key} differ from the copy's manifest")
    return told
