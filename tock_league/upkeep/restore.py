"""restore(): a copy becomes the site's database again, after it has been proved to be what it says.

The copy is checked beside the data folder's database, or in an empty PostgreSQL database, and appears only as a whole.
"""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from tock_league.common import space
from tock_league.people import restored
from tock_league.people.again import again
from tock_league.people.traces import wipe

from . import archive, databases, figures, postgresql
from .backup import DRILLED, roomy_folder
from .errors import CannotDo
from .verification import PARTS, Part, verify

UNFINISHED = "tock.sqlite3.restoring"
Say = Callable[[str], None]


class Differs(CannotDo):
    """The copy is whole, but a check found differences; nothing was kept."""


def restore(
    path: Path, *, keep_anyway: bool = False, erased: Sequence[Path] = (), parts: Sequence[Part] = PARTS, say: Say
) -> None:
    """Restore the copy `path` into the empty present database. Prints what it proves. Raises CannotDo.

    `keep_anyway`: keep the copy although checks found differences, for the day when no better copy is left. `erased`:
    further lists of people who were erased; the ones beside the copy and in the site's folders are read anyway.
    `parts`: what is recomputed of a SQLite database.
    """
    lists = [*erased, *(folder / restored.NAME for folder in (path.parent, *restored.folders()))]
    manifest = archive.manifest_of(path)
    if manifest["vendor"] != connection.vendor:
        raise CannotDo(_other_kind(manifest["vendor"]))
    if connection.vendor == "sqlite":
        folder = Path(settings.DATA)
        target = folder / "tock.sqlite3"
        refuse_filled(folder)
        try:
            with _unfinished(folder) as raw:
                archive.extract(path, manifest, raw)
                with databases.as_default(opened_beside(raw)):
                    prove(manifest, keep_anyway=keep_anyway, parts=parts, say=say)
                    erase_again(lists, keep_anyway=keep_anyway, say=say)
                    _close_log()
                os.replace(raw, target)
                archive.sync(folder)
        except OSError as error:
            raise CannotDo(f"Nothing was restored: {folder} cannot be written ({error.strerror or error}).") from None
        return
    if connection.introspection.table_names():
        name = connection.settings_dict["NAME"]
        raise CannotDo(f"The database {name} is not empty; restore writes only into an empty one.")
    load_dump(path, manifest, databases.here(), keep_anyway=keep_anyway, lists=lists, folder=roomy_folder(), say=say)


def load_dump(
    path: Path,
    manifest: dict[str, Any],
    target: dict[str, Any],
    *,
    keep_anyway: bool,
    lists: Sequence[Path] = (),
    folder: Path | None = None,
    say: Say,
) -> None:
    """Restore a dump into the empty PostgreSQL database `target`; it stays empty when a check fails.

    `folder`: where the dump lies meanwhile (the system's folder for temporary files).
    """
    with archive_member(path, manifest, folder) as raw, databases.as_default(databases.opened(target)):
        postgresql.load(raw, target)
        postgresql.take_time()
        try:
            prove(manifest, keep_anyway=keep_anyway, say=say)
            erase_again(lists, keep_anyway=keep_anyway, say=say)
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        except BaseException:
            postgresql.clear()
            raise


@contextmanager
def archive_member(path: Path, manifest: dict[str, Any], folder: Path | None) -> Iterator[Path]:
    """Give the database of an archive as a private file below `folder`, for the time of the block."""
    with tempfile.TemporaryDirectory(prefix=DRILLED, dir=folder) as work:
        raw = Path(work) / "database"
        archive.extract(path, manifest, raw)
        yield raw


def prove(manifest: dict[str, Any], *, keep_anyway: bool = False, parts: Sequence[Part] = PARTS, say: Say) -> None:
    """Compare the present database with the manifest, migrate it where it is older, and recompute `parts`.

    Raises Differs, with nothing said twice; CannotDo for a copy of a newer version of the site.
    """
    try:
        wrong = _compare(manifest, parts, say)
    except (DatabaseError, sqlite3.Error) as error:
        if space.is_cause_of(error):
            raise CannotDo("Nothing was restored: the disk is full; make free space.") from None
        raise CannotDo(f"The copy's database cannot be read: {str(error).strip()}. Take another copy.") from None
    if wrong and not keep_anyway:
        raise Differs(f"Nothing was restored: differences in {', '.join(wrong)}. Take another copy.")
    if wrong:
        say(f"Kept despite differences in {', '.join(wrong)}.")


def erase_again(lists: Sequence[Path], *, keep_anyway: bool = False, say: Say) -> None:
    """Erase those again who were erased after the copy was made, and recompute everything once more.

    Raises Differs as `prove` does.
    """
    count = again(lists)
    if not count:
        return
    wipe(nobody_plays=True)
    say(f"Erased again: {count} who had been erased after the copy was made.")
    wrong = [outcome.name for outcome in verify() if outcome.count]
    if wrong and not keep_anyway:
        raise Differs(f"Nothing was restored: differences in {', '.join(wrong)} after the erasures.")


def _compare(manifest: dict[str, Any], parts: Sequence[Part], say: Say) -> list[str]:
    """Return the names of the checks that found differences."""
    newer = databases.ahead({tuple(name.split(".", 1)) for name in manifest["migrations"]})
    if newer:
        raise CannotDo(f"The copy was made by a newer version of the site ({newer[0]}); restore it with that version.")
    found = figures.raw()
    differing = figures.differing(manifest, found)
    if databases.behind():
        say("The copy is of an older version of the site; it is migrated.")
        databases.migrate()
    again = figures.computed()
    differing += figures.differing(manifest, again)
    for line in differing:
        say(f"  {line}")
    rows = sum(found["rows"].values())
    if not differing:
        say(f"manifest: good, {rows} rows in {len(found['rows'])} tables")
        say(f"journal root {found['journal_root']}")
        say(f"standings    {again['standings']}")
        say(f"ratings      {again['ratings']}")
    wrong = ["manifest"] if differing else []
    for outcome in verify(parts):
        say(outcome.line)
        for each in outcome.first:
            say(f"  {each}")
        wrong += [outcome.name] if outcome.count else []
    return wrong


def refuse_filled(folder: Path) -> None:
    """Raise CannotDo when there is a database in the folder."""
    found = [path for path in folder.glob("tock.sqlite3*") if not path.name.startswith(UNFINISHED)]
    if any(path.stat().st_size for path in found):
        raise CannotDo(
            f"There is a database in {folder}; restore never writes over one. Name an empty folder with --data, or move"
            " that folder away first."
        )


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """Give the name under which the database is checked; nothing of it is left unless it got its own name."""
    try:
        _remove(folder)  # of a restore that was killed
        yield folder / UNFINISHED
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    for left in folder.glob(f"{UNFINISHED}*"):
        left.unlink()


def _close_log() -> None:
    """Bring everything into the one file, which is about to get another name."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("PRAGMA journal_mode=DELETE")


def _other_kind(vendor: str) -> str:
    if vendor == "sqlite":
        return (
            "This is the copy of a SQLite database. Restore it into a data folder, with `python3 manage.py restore` on the"
            " club's computer, and move it to PostgreSQL with `manage.py move_to`."
        )
    return "This is the copy of a PostgreSQL database; restore it where DATABASE_URL names an empty one."


def opened_beside(path: Path) -> BaseDatabaseWrapper:
    """Return a connection to a SQLite file, with the settings of the present database."""
    return databases.opened(databases.here(NAME=path))
