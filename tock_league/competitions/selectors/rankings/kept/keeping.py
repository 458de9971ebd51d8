"""Keeps the rows of competitions in a cache, each with the version that it was computed at.

A reader takes what is kept only if it has the version that the database has now, so a reader after a commit sees what was
committed. What is computed is computed in one snapshot of the database, together with the version of that snapshot: rows and
version always belong together, also while others write. The cache may lose everything at any time.
"""

import threading
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.core.cache import caches

from tock_league.common.transactions import is_writing, snapshot

from ....models import Competition, CompetitionVersion
from . import making
from .rows import Kept

CODE = [Path(__file__).resolve().parents[3] / name for name in ("core", "selectors")]
SECONDS = 24 * 3600
PATIENCE_S = 10.0  # how long a reader waits for another one of this process that computes the same

# Readers of one competition in this process compute one after the other; the second one finds what the first one has kept.
_turns = tuple(threading.Lock() for _ in range(32))


def kept(competition: Competition) -> Kept:
    """Return the rows of the competition, without explanations. One query, about twenty after a change."""
    return _found(competition, "rows")


def kept_of(competitions: Collection[Competition]) -> dict[int, Kept]:
    """Return the rows of several competitions by id. One query, and about twenty for each that has changed."""
    found: dict[int, Kept] = {}
    if competitions and not is_writing():
        keys = {made.pk: _key(made, "rows") for made in competitions}
        versions = CompetitionVersion.objects.filter(competition__in=keys).values_list("competition_id", "number")
        cached = caches["kept"].get_many(keys.values())
        for pk, number in versions:
            rows = _of_version(cached.get(keys[pk]), number)
            if rows is not None:
                found[pk] = rows
    return {made.pk: found.get(made.pk) or kept(made) for made in competitions}


def explained(competition: Competition) -> tuple[Kept, Mapping[int, bytes]]:
    """Return the rows, and `Kept.why` of the same version. One query, about twenty after a change."""
    while True:
        rows, why = _found(competition, "rows"), _found(competition, "why")
        # Between the two somebody may have changed the competition.
        if rows.number == why.number:
            return rows, why.why


def _found(competition: Competition, part: str) -> Kept:
    if is_writing():  # what this transaction has written so far is not what it will commit
        return _computed(competition, None)[part]
    key = _key(competition, part)
    now = _version(competition)
    found = _of_version(caches["kept"].get(key), now)
    if found is not None:
        return found
    turn = _turns[competition.pk % len(_turns)]
    mine = turn.acquire(timeout=PATIENCE_S)
    try:
        with snapshot():
            now = _version(competition)
            found = _of_version(caches["kept"].get(key), now)
            return found if found is not None else _kept(competition, now)[part]
    finally:
        if mine:
            turn.release()


def _kept(competition: Competition, number: int | None) -> dict[str, Kept]:
    parts = _computed(competition, number)
    if number is not None:
        for part, value in parts.items():
            caches["kept"].set(_key(competition, part), value, SECONDS)
    return parts


def _computed(competition: Competition, number: int | None) -> dict[str, Kept]:
    # Read anew: what the caller has may be older than this snapshot.
    read = Competition.objects.select_related("regulations").get(pk=competition.pk)
    whole = replace(making.made(read), number=number)
    return {"rows": replace(whole, why={}), "why": Kept(number=number, why=whole.why)}


def _key(competition: Competition, part: str) -> str:
    return f"{_code()}:{competition.pk}:{part}"


@cache
def _code() -> str:
    """Return a hash of the code that computes the rows, so that no release reads what another one has computed."""
    files = sorted(file for folder in CODE for file in folder.rglob("*.py"))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def _version(competition: Competition) -> int | None:
    """Return the version, None for a competition that no service has made; that one is computed for each reader."""
    rows = CompetitionVersion.objects.filter(competition=competition.pk)
    return rows.values_list("number", flat=True).first()


def _of_version(found: Any, number: int | None) -> Kept | None:
    return found if isinstance(found, Kept) and number is not None and found.number == number else None
