"""The data folder of `serve`: its owner's alone, with a key that is one. Standard library only: settings import it."""

import base64
import os
import re
import secrets
from pathlib import Path

KEY = "secret_key"
PUSH_KEY = "push_key"  # with which this site signs its pushes to browsers (VAPID)
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
LETTERS = 40  # of the shortest key that is taken for one
# What the site itself writes there; nothing else in a folder is touched.
FILES = (
    KEY,
    PUSH_KEY,
    "serve.lock",
    "demo_accounts.json",
    "copy-status.json",
    "copy-lock",
    "tock.sqlite3",
    "tock.sqlite3-wal",
    "tock.sqlite3-shm",
    "tock.sqlite3-journal",
)
PRIVATE, OPEN = ("mail", "backups"), ("prepared",)  # folders; `prepared` holds what everybody may fetch


class Unusable(Exception):
    """Why the folder cannot be used, in one sentence that says what to do."""


def prepare(folder: Path) -> None:
    """Make the folder where it is missing, for its owner alone. Raises Unusable."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise unusable(folder, error) from None


def secret_key(folder: Path) -> str:
    """Return the key kept in the folder, made on first use. Raises Unusable.

    A new key appears whole under its name, so that no start that was cut off leaves an empty one.
    """
    path = folder / KEY
    try:
        if not path.exists():
            _write_once(path, secrets.token_urlsafe(50))
        found = path.read_bytes()
    except OSError as error:
        raise unusable(folder, error) from None
    key = found.decode("ascii", errors="replace").strip()
    if len(key) < LETTERS or not key.isprintable() or not key.isascii() or " " in key:
        raise Unusable(
            f"The key in {path} is empty or damaged. Delete the file: a new key is made at the next start, and everybody"
            " signs in again. Authenticator apps and recovery codes need the former key: put it, if it is kept, into"
            " SECRET_KEY_FALLBACKS."
        )
    return key


def push_key(folder: Path) -> str:
    """Return the private key of web push kept in the folder, made on first use: 32 bytes, base64url. Raises Unusable."""
    path = folder / PUSH_KEY
    try:
        if not path.exists():
            _write_once(path, new_push_key())
        found = path.read_bytes().decode("ascii", errors="replace").strip()
    except OSError as error:
        raise unusable(folder, error) from None
    if not re.fullmatch(r"[A-Za-z0-9_-]{43}", found):
        raise Unusable(
            f"The key in {path} is empty or damaged. Put your copy of it back, or delete the file: a new key is made at the"
            " next start, and everybody switches the pushes on again."
        )
    return found


def new_push_key() -> str:
    """Return a new private key of the curve P-256: a number from 1 to its order, as 32 bytes in base64url."""
    number = 1 + secrets.randbelow(P256_ORDER - 1)
    return base64.urlsafe_b64encode(number.to_bytes(32)).rstrip(b"=").decode()


def _write_once(path: Path, text: str) -> None:
    """Write a new private file, unless another process is faster."""
    made = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(made, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        os.replace(made, path)
        return
    made.unlink()


def make_private(folder: Path) -> None:
    """Let only the owner read what the site keeps in the folder, also what an older version left open to others.

    The folder itself is closed too, unless somebody keeps other things there. Raises Unusable.
    """
    if os.name == "nt":
        return
    ours = {*FILES, *PRIVATE, *OPEN}
    try:
        found = {path.name: path for path in folder.iterdir()}
        closed = [found[name] for name in found if name in FILES or name in PRIVATE]
        closed += [path for name in PRIVATE if name in found for path in found[name].rglob("*")]
        if found.keys() <= ours:
            closed.append(folder)
        for path in closed:
            if not path.is_symlink() and (mode := path.stat().st_mode) & 0o077:
                path.chmod(mode & 0o700)
    except FileNotFoundError:
        return  # a file of SQLite's that went meanwhile
    except OSError as error:
        raise unusable(folder, error) from None


def unusable(folder: Path, error: OSError) -> Unusable:
    """Return the sentence about a folder that the system refuses."""
    return Unusable(
        f"{folder} cannot be used as the data folder: {error.strerror or error}. Choose another one with --data, or make"
        " this one writable, with free space, for the user who starts the site."
    )
