"""The file of a copy: a zip of a manifest and the database, written whole or not at all, its owner's alone.

`manifest.json` names format, versions, migrations, figures, and size and SHA-256 of the database. The other member is
`tock.sqlite3` (a database that SQLite opens) or `tock.dump` (of `pg_dump`, custom format).
"""

import contextlib
import hashlib
import json
import os
import shutil
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

from .errors import CannotDo

FORMAT = "tock-backup/1"
MANIFEST = "manifest.json"
MEMBERS = {"sqlite": "tock.sqlite3", "postgresql": "tock.dump"}
SHAPE: dict[str, type] = {
    **dict.fromkeys(("made_at", "sha256", "journal_root", "standings", "ratings"), str),
    **{"bytes": int, "rows": dict, "journal": dict, "migrations": list},
}
LARGEST_MANIFEST = 4 * 1024 * 1024  # bytes
BLOCK = 1024 * 1024


def private(path: Path) -> IO[bytes]:
    """Return a new file that only its owner can read. Raises FileExistsError."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b")


def write(path: Path, manifest: dict[str, Any], database: Path) -> None:
    """Write the archive to the new file `path`, and to the disk."""
    told = manifest | {"format": FORMAT, "bytes": database.stat().st_size, "sha256": digest_of(database)}
    kind = zipfile.ZIP_STORED if manifest["vendor"] == "postgresql" else zipfile.ZIP_DEFLATED  # a dump is compressed
    with private(path) as file:
        with zipfile.ZipFile(file, "w", kind) as made:
            made.writestr(MANIFEST, json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False))
            made.write(database, MEMBERS[manifest["vendor"]])
        file.flush()
        os.fsync(file.fileno())


def manifest_of(path: Path) -> dict[str, Any]:
    """Return the manifest of an archive. Raises CannotDo when it is none, or is incomplete."""
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
                raise ValueError
            found = json.loads(archive.read(MANIFEST))
            if not isinstance(found, dict) or found.get("format") != FORMAT:
                raise ValueError
            if found.get("vendor") not in MEMBERS:
                raise ValueError
            if any(not isinstance(found.get(key), kind) for key, kind in SHAPE.items()):
                raise ValueError
            if not all(isinstance(name, str) and "." in name for name in found["migrations"]):
                raise ValueError
            if archive.getinfo(MEMBERS[found["vendor"]]).file_size != found["bytes"]:
                raise ValueError
            return found
    except FileNotFoundError:
        raise CannotDo(f"There is no file {path}.") from None
    except OSError as error:
        raise CannotDo(f"{path} cannot be read: {error.strerror}.") from None
    except (zipfile.BadZipFile, KeyError, ValueError, zlib.error):
        raise CannotDo(f"{path} is no whole copy of a Tock League; take another one.") from None


def extract(path: Path, manifest: dict[str, Any], target: Path) -> None:
    """Write the database of an archive to the new file `target`. Raises CannotDo when it is damaged."""
    seen, size = hashlib.sha256(), 0
    try:
        with (
            zipfile.ZipFile(path) as archive,
            archive.open(MEMBERS[manifest["vendor"]]) as source,
            private(target) as file,
        ):
            while block := source.read(BLOCK):
                size += len(block)
                seen.update(block)
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
    except (zipfile.BadZipFile, zlib.error, EOFError):
        raise CannotDo(f"{path} is damaged; take another copy.") from None
    if (size, seen.hexdigest()) != (manifest["bytes"], manifest["sha256"]):
        raise CannotDo(f"{path} is damaged: its database is not the one that its manifest describes.")


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, hex."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def carry(made: Path, part: Path) -> Path:
    """Write a finished file to the new file `part` of another disk, and to that disk; return `part`."""
    part.unlink(missing_ok=True)  # of a process that was killed
    try:
        with open(made, "rb") as source, private(part) as file:
            shutil.copyfileobj(source, file, BLOCK)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    return part


def appear(made: Path, path: Path) -> None:
    """Give a finished file its name; a file of that name stays. Raises CannotDo."""
    try:
        os.link(made, path)
        made.unlink()
    except FileExistsError:
        raise CannotDo(f"{path} exists already; choose another name.") from None
    except OSError:  # a file system without links
        if path.exists():
            raise CannotDo(f"{path} exists already; choose another name.") from None
        shutil.move(made, path)
    sync(path.parent)


def sync(folder: Path) -> None:
    """Write the names in a folder to the disk, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
