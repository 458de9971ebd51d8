"""From a bare Python to a running command: environment, lock, re-execution. Standard library only.

Order (docs/architecture.md, "Bootstrap"): a new enough Python; if everything the command needs is importable, run right
here, and never install anything into an environment this file did not make; otherwise `.venv` beside manage.py, filled
from the hashed lock, stamped last, and the command again inside it.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import importlib.metadata
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
# Source-only packages; everything else comes as a wheel or not at all.
FROM_SOURCE = ("trueskill", "chess")
NEEDS_TOOLS = {"test", "check_all", "makemigrations", "makemessages", "compilemessages"}
EMBEDDED = "tock_league.settings.embedded"
SETTINGS = {"test": "tock_league.settings.test"}
# Commands that take --data; without it the club's own folder comes first, and the demo's where there is no club.
ON_DATA = {"archive_events", "backup", "restore", "restore_drill", "verify_all", "move_to"}


class Stop(Exception):
    """A reason, in one sentence, why the command cannot run."""


def main(argv: Sequence[str]) -> int:
    """Run the Django command in `argv`, in an environment that has what it needs. Return the exit code."""
    try:
        check_python(sys.version_info[:2])
        command = argv[1] if len(argv) > 1 else "help"
        kind = "test" if command in NEEDS_TOOLS else "runtime"
        if kind == "test":
            keep_bytecode()
        if missing(kind):
            return again_inside(make_environment(kind), argv)
        return run(argv, command)
    except Stop as reason:
        print(reason, file=sys.stderr)
        return 1


def keep_bytecode() -> None:
    """Store bytecode of this process and its children in a folder of the environment, even if PYTHONDONTWRITEBYTECODE
    is set.

    The tests start Python a hundred times; without bytecode each start compiles Django and the site anew, for three
    seconds.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(VENV / "bytecode")
    sys.dont_write_bytecode = False


def check_python(version: tuple[int, ...]) -> None:
    """Raise Stop when `version` (major, minor) is older than OLDEST."""
    if version < OLDEST:
        wanted, given = ".".join(map(str, OLDEST)), ".".join(map(str, version))
        raise Stop(f"Tock League needs Python {wanted} or newer; this is {given}.")


def wanted(kind: str) -> dict[str, int]:
    """Return the direct requirements of `kind` ("runtime" or "test"): distribution name -> major version, 0 for any."""
    found: dict[str, int] = {}
    path = ROOT / "requirements" / f"{kind}.in"
    for raw in path.read_text(encoding="utf-8").splitlines():
        line = raw.split("#")[0].strip()
        if line.startswith("-r "):
            found.update(wanted(line[3:].strip().removesuffix(".in")))
            continue
        requirement, _, marker = line.partition(";")
        match = re.fullmatch(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?(?:==(\d+)[^ ]*)?", requirement.strip())
        if match and holds(marker):
            found[match[1]] = int(match[2] or 0)
    return found


def holds(marker: str) -> bool:
    """Return whether an environment marker of our requirement files holds here (only the forms used there)."""
    facts = {"sys_platform": sys.platform, "platform_machine": os.uname().machine if hasattr(os, "uname") else ""}
    for part in filter(None, (p.strip() for p in marker.split(" and "))):
        match = re.fullmatch(r"(\w+) (==|!=) \"([^\"]*)\"", part)
        if match and (facts[match[1]] == match[3]) != (match[2] == "=="):
            return False
    return True


def missing(kind: str) -> list[str]:
    """Return the direct requirements of `kind` that are not installed, or have another major version."""
    absent = []
    for name, major in wanted(kind).items():
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            absent.append(name)
            continue
        if major and version.split(".")[0] != str(major):
            absent.append(name)
    return absent


def make_environment(kind: str) -> Path:
    """Return the Python of `.venv`, created and filled from the lock of `kind` unless the stamp is up to date.

    Raises Stop when the environment cannot be made, or when it is complete and this process already runs in it.
    """
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    with only_one():
        if python.exists() and fresh(kind):
            if Path(sys.prefix).resolve() == VENV.resolve():
                raise Stop("The environment .venv is damaged: remove the folder .venv and run the command again.")
            return python
        if not python.exists():
            print("Making the environment .venv (once) ...", file=sys.stderr, flush=True)
            create_venv()
        print(f"Installing from requirements/{kind}.lock ...", file=sys.stderr, flush=True)
        install(python, kind)
        stamp(kind).write_text(digest(kind), encoding="ascii")
        if kind == "test":
            stamp("runtime").write_text(digest("runtime"), encoding="ascii")
    return python


def create_venv() -> None:
    """Make `.venv`.

    Raises Stop naming the missing package where the distribution packages parts of Python separately.
    """
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError as error:
        raise Stop("This Python cannot make environments. On Debian or Ubuntu: apt-get install python3-venv") from error
    venv.create(VENV, with_pip=True, clear=VENV.exists())


def install(python: Path, kind: str) -> None:
    """Install the lock of `kind` with hashes checked: by uv where it has a wheel, else by pip."""
    lock = str(ROOT / "requirements" / f"{kind}.lock")
    source = [word for name in FROM_SOURCE for word in ("--no-binary", name)]
    flags = ["--require-hashes", "--only-binary", ":all:", *source, "-r", lock]
    pip = [str(python), "-m", "pip"]
    get_uv = [*pip, "install", "-q", "--disable-pip-version-check", "uv"]
    has_uv = subprocess.call(get_uv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    tool = [str(python), "-m", "uv", "pip"] if has_uv else pip
    if subprocess.call([*tool, "install", "-q", *flags]) != 0:
        raise Stop("The packages could not be installed; the lines above say why. Nothing else was changed.")


def digest(kind: str) -> str:
    """Return the SHA-256, in hex, of the lock of `kind`."""
    return hashlib.sha256((ROOT / "requirements" / f"{kind}.lock").read_bytes()).hexdigest()


def stamp(kind: str) -> Path:
    """Return where the digest of the lock that is installed is kept; written last, so that a broken install is repeated."""
    return VENV / f"tock-{kind}.stamp"


def fresh(kind: str) -> bool:
    """Return whether `.venv` holds exactly the lock of `kind`."""
    path = stamp(kind)
    return path.exists() and path.read_text(encoding="ascii") == digest(kind)


@contextlib.contextmanager
def only_one(patience: float = 600.0) -> Iterator[None]:
    """Hold the environment for this process; two terminals may start at once. `patience`: seconds to wait for the other."""
    path, since = ROOT / ".venv.lock", time.monotonic()
    while True:
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            break
        except FileExistsError:
            if abandoned(path):
                path.unlink(missing_ok=True)
            elif time.monotonic() - since > patience:
                raise Stop(f"Another process has been installing for long; if none is, remove {path.name}.") from None
            else:
                time.sleep(0.2)
    try:
        os.write(descriptor, str(os.getpid()).encode())
        os.close(descriptor)
        yield
    finally:
        path.unlink(missing_ok=True)


def abandoned(path: Path) -> bool:
    """Return whether the process that made the lock file is gone (killed while it installed)."""
    try:
        owner = int(path.read_text(encoding="ascii"))
        if os.name == "nt":
            return time.time() - path.stat().st_mtime > 900
        os.kill(owner, 0)
    except (ValueError, FileNotFoundError):
        return False  # being written or removed at this very moment
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def again_inside(python: Path, argv: Sequence[str]) -> int:
    """Run the same command with `python`; return its exit code (on POSIX, replace this process)."""
    words = [str(python), *([] if argv[0] == "-c" else [argv[0]]), *argv[1:]]
    if os.name == "nt":
        return subprocess.call(words)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(words[0], words)


def run(argv: Sequence[str], command: str) -> int:
    """Run the Django command here."""
    folder = folder_of(command, argv[2:])
    if folder:
        os.environ["TOCK_DATA"] = str(folder)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS.get(command, EMBEDDED))
    if command in ON_DATA:
        os.umask(0o077)  # what these commands write is its owner's alone
        if command != "restore" and os.environ["DJANGO_SETTINGS_MODULE"] == EMBEDDED and not asks_for_help(argv):
            require_database(Path(os.environ.get("TOCK_DATA", ROOT / "var" / "demo")))
    importlib.import_module("django.core.management").execute_from_command_line(list(argv))
    return 0


def asks_for_help(argv: Sequence[str]) -> bool:
    """Return whether the command only prints how it is used."""
    return bool({"-h", "--help"} & set(argv))


def require_database(folder: Path) -> None:
    """Raise Stop where the data folder holds no database. Here, because the settings already make the folder and its key."""
    path = folder / "tock.sqlite3"
    try:
        there = path.stat().st_size > 0
    except OSError:
        there = False
    if not there:
        raise Stop(f"There is no database in {folder}; name the data folder with --data.")


def data_folder(words: Sequence[str]) -> Path | None:
    """Return the data folder in the arguments `words` of `serve`, None when TOCK_DATA decides.

    It is read here and not by the command, because Django's settings name the database before a command is parsed.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--data", nargs="?")  # a missing value is reported by the command's own parser
    parser.add_argument("--no-demo", action="store_true")
    parser.add_argument("--from-copy", nargs="?")
    given, _ = parser.parse_known_args(list(words))
    if given.data:
        return Path(given.data).absolute()
    club = given.no_demo or given.from_copy
    return ROOT / "var" / "club" if club and "TOCK_DATA" not in os.environ else None


def folder_of(command: str, words: Sequence[str]) -> Path | None:
    """Return the data folder that a command's arguments `words` choose, None when TOCK_DATA or other settings decide."""
    if command == "serve":
        return data_folder(words)
    if command not in ON_DATA:
        return None
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--data", nargs="?")
    given, _ = parser.parse_known_args(list(words))
    if given.data:
        return Path(given.data).absolute()
    if "TOCK_DATA" in os.environ or "DJANGO_SETTINGS_MODULE" in os.environ:
        return None
    club, demo = ROOT / "var" / "club", ROOT / "var" / "demo"
    return demo if command != "restore" and not (club / "tock.sqlite3").exists() else club
