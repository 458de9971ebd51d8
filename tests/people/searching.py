"""Searches for words in everything that is stored: each value of each table, whatever its type, and each file."""

import json
from collections.abc import Iterator
from pathlib import Path

from django.db import connection


def forms(*words: str) -> list[str]:
    """Return each word as it is compared: without case, and as JSON escapes it."""
    found = []
    for word in words:
        found += [word.casefold(), json.dumps(word)[1:-1].casefold()]
    return list(dict.fromkeys(found))


def rows_with(*words: str) -> list[str]:
    """Return `table.column` of each value of the database that holds one of the words; uses no model."""
    wanted = forms(*words)
    return sorted({place for place, text in values() if any(word in text for word in wanted)})


def values() -> Iterator[tuple[str, str]]:
    """Yield each value of the database with its place, as text without case."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            columns = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for column, value in zip(columns, row, strict=True):
                    if value is not None:
                        yield f"{table}.{column}", as_text(value).casefold()


def as_text(value: object) -> str:
    if isinstance(value, memoryview | bytes):
        return bytes(value).decode("utf-8", errors="replace")
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def files_with(folder: Path, *words: str) -> list[str]:
    """Return the files below a folder that hold one of the words, in UTF-8."""
    wanted = [word.encode() for word in words]
    return [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(w in path.read_bytes() for w in wanted)
    ]
