"""Where a run keeps its data: a SQLite file, or a temporary PostgreSQL with a Redis; stopped and removed afterwards."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.plant.production import HOST
from tests.plant.production import environment as production_environment
from tests.plant.serving import environment as plain_environment
from tests.servers import postgres
from tests.servers import redis as redis_server
from tests.servers.programs import short_folder

ROOT = Path(__file__).resolve().parent.parent.parent
# A club's server must not lose commits. The tests' cluster does not wait for its disk; this one does.
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


@dataclass(frozen=True, slots=True)
class Place:
    """A database, and the settings to serve from it."""

    name: str
    folder: Path
    environment: dict[str, str]  # of every process
    # headers that a browser would send; host and origin are None if they follow from the port
    cookie: str
    host: str | None = None
    origin: str | None = None
    cluster: postgres.Cluster | None = None  # None on SQLite

    def run(self, module: str, *words: str) -> str:
        """Run `python -m module` at this place; return its output. Raises RuntimeError with its error output."""
        command = [sys.executable, "-m", module, *words]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{module} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
        return done.stdout


@contextlib.contextmanager
def place(database: str) -> Iterator[Place]:
    """Give the place of `sqlite` (embedded settings) or `postgresql` (production settings). Raises NotHere."""
    with short_folder("tlb") as folder:
        if database == "sqlite":
            data = folder / "data"
            steered = {"DJANGO_SETTINGS_MODULE": "tock_league.settings.embedded", "TOCK_DATA": str(data)}
            yield Place("sqlite", folder, plain_environment() | steered, cookie="sessionid")
            return
        with postgres.cluster(**DURABLE) as cluster, redis_server.server() as redis:
            made = production_environment(f"{cluster.url}", redis.url, folder)
            # No page is requested here, so its files are not collected; the plain storage needs none.
            yield Place(
                "postgresql",
                folder,
                made,
                cookie="__Host-session",
                host=HOST,
                origin=f"https://{HOST}",
                cluster=cluster,
            )


def admin(cluster: postgres.Cluster, statement: str) -> None:
    """Run one statement as the cluster's owner."""
    import psycopg

    with psycopg.connect(
        host=str(cluster.folder), user="tock", dbname=cluster.url.rsplit("/", 1)[1], autocommit=True
    ) as found:
        found.execute(statement)


def log_of(cluster: postgres.Cluster) -> Path:
    """Return the file that the cluster writes its log to."""
    return cluster.folder / "log"


def processes_of(cluster: postgres.Cluster) -> list[int]:
    """Return the ids of the cluster's processes, the parent first."""
    parent = cluster.process.pid
    children = Path(f"/proc/{parent}/task/{parent}/children")
    return [parent, *(int(word) for word in children.read_text().split())] if os.path.exists(children) else [parent]
