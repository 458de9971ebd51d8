"""The hosts and what runs on them: PostgreSQL and Redis, two web hosts, two worker hosts, and the front with its proxy."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from tests.servers import postgres, redis
from tests.servers.programs import SHORT_FOLDERS
from tests.servers.site import eventually
from tests.soak import hold
from tests.soak.faults.house import House, swapped
from tests.soak.faults.stepped import STEP_FILE, set_step

from .net import Net

FOLDERS = "tock-hosts-"
HOSTS = ("front", "db", "web1", "web2", "work1", "work2")
ON = {"web1": "web1", "web2": "web2", "worker1": "work1", "worker2": "work2", "beat": "work1", "balancer": "front"}
WEB_PORT, FRONT_PORT, REDIS_PORT = 8000, 8080, 6379
AHEAD_S = {"web2": 0.5, "web1": -0.5}  # seconds by which a host's clock is ahead: the two are a second apart


@dataclass
class Hosts(House):
    """A house whose processes are on several hosts."""

    net: Net = field(default_factory=Net)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """Give a folder for everything that the hosts keep. While it is in use, its file `lock` is locked."""
    with tempfile.TemporaryDirectory(prefix=FOLDERS, dir="/tmp") as name:
        Path(name).chmod(0o755)
        with open(Path(name) / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield Path(name)


def sweep() -> None:
    """Remove the folders of runs that were killed; their processes and namespaces ended with them."""
    for left in Path("/tmp").glob(f"{FOLDERS}*"):
        with contextlib.suppress(OSError), open(left / "lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)
            print(f"removed {left}, left by a run that was killed", flush=True)


@contextlib.contextmanager
def hosts() -> Iterator[Hosts]:
    """Give the running hosts, with this process's thread at the front, and Django set up. Raises NotHere."""
    from tests.plant.production import environment

    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(_folder())
        os.environ[SHORT_FOLDERS] = str(folder)
        net = stack.enter_context(contextlib.closing(Net()))
        net.add(HOSTS)
        at = {name: host.address for name, host in net.hosts.items()}
        with net.hosts["db"].inside():
            database = stack.enter_context(
                postgres.cluster(synchronous_commit="on", max_connections="120", listen_addresses=at["db"])
            )
            open_to = ("--port", str(REDIS_PORT), "--bind", at["db"], "--protected-mode", "no")
            server = stack.enter_context(redis.own_server(*open_to))
        with open(database.folder / "data" / "pg_hba.conf", "a") as rules:
            rules.write(f"host all all {at['db']}/24 trust\n")
        with psycopg.connect(host=str(database.folder), user="tock", dbname="postgres", autocommit=True) as admin:
            admin.execute("SELECT pg_reload_conf()")
            admin.execute("CREATE DATABASE tock")
        local = f"{database.url.rsplit('/', 1)[0]}/tock"
        os.environ |= environment(local, server.url, folder)
        import django

        django.setup()
        from tests.plant.production import commands, production

        made = stack.enter_context(production(local, server.url, folder))
        made.environment |= {
            "DATABASE_URL": f"postgres://tock@{at['db']}:5432/tock",
            "REDIS_URL": f"redis://{at['db']}:{REDIS_PORT}/0",
            "FORWARDED_ALLOW_IPS": at["front"],
        }
        running = Hosts(made, database, server, {}, {}, "tock", net=net)
        running.place = lambda name: net.hosts[ON[name]].inside()
        words = commands()
        for name in ("web1", "web2"):
            running.webs[name], running.addresses[name] = WEB_PORT, at[name]
            running.commands[name] = _clocked(running, folder, name, swapped(words["web"][2:], at[name], WEB_PORT))
        for name in ("worker1", "worker2"):
            node = ["--hostname", f"celery@{name}"]
            running.commands[name] = _clocked(running, folder, name, [*words["worker"], *node])
        running.commands["beat"] = _clocked(running, folder, "beat", words["beat"])
        upstreams = [f"{at[name]}:{WEB_PORT}" for name in running.webs]
        running.commands["balancer"] = ["tests.soak.balancer", f"{at['front']}:{FRONT_PORT}", *upstreams]
        running.front = (at["front"], FRONT_PORT)
        for name in running.commands:
            running.start(name)
        hold.install(running)
        net.hosts["front"].enter()
        running.wait_until_up()
        eventually(lambda: running.client().request("GET", "/health/live")[0] == 200, seconds=10)
        yield running


def _clocked(running: Hosts, folder: Path, name: str, words: list[str]) -> list[str]:
    """Return the command of a process whose clock is that of its host."""
    step = folder / f"step-{name}"
    set_step(step, AHEAD_S.get(ON[name], 0.0))
    running.more[name] = {STEP_FILE: str(step)}
    return ["tests.soak.faults.stepped", *words]
