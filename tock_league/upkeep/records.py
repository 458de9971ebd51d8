"""The file of a month's archived records: a zip of a manifest and one file of JSON Lines for each game (docs/archive.md)."""

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from games.models import Game
from games.services import archiving
from tock_league.common import clock

from . import archive
from .errors import CannotDo

FORMAT = "tock-records/1"
MANIFEST = "manifest.json"
LARGEST = 64 * 1024 * 1024  # bytes of one record, and of the manifest


def name_of(month: int) -> str:
    """Return the name of the file of a month."""
    return f"records-{month // 100}-{month % 100:02}.zip"


def write(folder: Path, month: int, games: Iterable[Game]) -> Path:
    """Write the records of these finished games to a new file in `folder`, read it back, and return its path.

    The file appears when it is complete and good. One that is there and holds these records is read back: a run was stopped
    after it had written it. Raises CannotDo.
    """
    path, work = folder / name_of(month), folder / f".{name_of(month)}-{os.getpid()}"
    if path.exists():
        _require_held(path, games)
        return path
    try:
        with archive.private(work) as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
                listed = [_added(made, game) for game in games]
                told = {"format": FORMAT, "made_at": clock.now().isoformat(), "month": month, "games": listed}
                made.writestr(MANIFEST, json.dumps(told, indent=1, sort_keys=True))
            file.flush()
            os.fsync(file.fileno())
        check(work)
        archive.appear(work, path)
    except OSError as error:
        raise CannotDo(f"The records cannot be written to {folder}: {error.strerror or error}.") from None
    finally:
        work.unlink(missing_ok=True)
    return path


def _require_held(path: Path, games: Iterable[Game]) -> None:
    """Raise CannotDo unless the file at `path` is good and holds the records of these games."""
    check(path)
    with zipfile.ZipFile(path) as found:
        held = {each["game"]: each["sha256"] for each in json.loads(found.read(MANIFEST))["games"]}
    for game in games:
        if held.get(game.slug) != hashlib.sha256(archiving.text_of(game)).hexdigest():
            raise CannotDo(
                f"{path} exists already, without game {game.slug}; choose another folder, or move the file away."
            )


def _added(made: zipfile.ZipFile, game: Game) -> dict[str, Any]:
    text = archiving.text_of(game)
    made.writestr(f"{game.slug}.jsonl", text)
    return {"game": game.slug, "rows": game.last_seq, "chain": game.chain, "sha256": hashlib.sha256(text).hexdigest()}


def check(path: Path) -> tuple[int, int]:
    """Read a file back by itself: digests, chains, every play by the rules, results; return its games and rows.

    Raises CannotDo for the first fault.
    """
    try:
        with zipfile.ZipFile(path) as found:
            if found.getinfo(MANIFEST).file_size > LARGEST:
                raise ValueError("too large")
            told = json.loads(found.read(MANIFEST))
            if told["format"] != FORMAT:
                raise ValueError("another format")
            wanted = {f"{each['game']}.jsonl" for each in told["games"]}
            if {*found.namelist()} != wanted | {MANIFEST} or len(found.namelist()) != len(wanted) + 1:
                raise CannotDo(f"{path} does not hold the games that its manifest lists.")
            for each in told["games"]:
                _check(found, each, path)
            return len(told["games"]), sum(each["rows"] for each in told["games"])
    except FileNotFoundError:
        raise CannotDo(f"There is no file {path}.") from None
    except OSError as error:
        raise CannotDo(f"{path} cannot be read: {error.strerror or error}.") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, LookupError, TypeError, ValueError, RuntimeError):
        raise CannotDo(f"{path} is no whole file of records; take another copy of it.") from None


def _check(found: zipfile.ZipFile, told: dict[str, Any], path: Path) -> None:
    name = f"{told['game']}.jsonl"
    if found.getinfo(name).file_size > LARGEST:
        raise CannotDo(f"{path}: {name} is too large for a record.")
    text = found.read(name)
    faults = [] if hashlib.sha256(text).hexdigest() == told["sha256"] else ["the digest is not the manifest's"]
    faults = faults or archiving.faults(text)
    lines = text.splitlines()
    if not faults and (len(lines) - 1, json.loads(lines[-1])["chain"]) != (told["rows"], told["chain"]):
        faults = ["rows or chain are not the manifest's"]
    if faults:
        raise CannotDo(f"{path}: game {told['game']}: {faults[0]}.")
