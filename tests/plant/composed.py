"""docker-compose.yml run as processes: the same secrets, commands, roles and certificates, without Docker.

Each service gets its own secrets and nothing of the others. What differs: addresses (127.0.0.1 and free ports instead of names),
paths (a folder instead of /run/secrets), and the limits of containers (read-only disks, networks).
"""

import contextlib
import os
import re
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import redis
import yaml

from tests.servers import postgres
from tests.servers.programs import NotHere, end, find, quiet_environment, short_folder
from tests.servers.redis import program as redis_program

from .production import HOST, ROOT, Client, commands, free_port

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
FILE = {  # .env
    "SITE_URL": f"https://{HOST}",
    "ALLOWED_HOSTS": HOST,
    "CSRF_TRUSTED_ORIGINS": f"https://{HOST}",
    "HOSTS": HOST,
    "ACME_EMAIL": "club@tock.test",
    "TOCK_BOT_PROCESSES": "1",
}
VARIABLE = re.compile(r"\$\{(\w+)(?::[-?]((?:[^{}]|\$\{\w+\})*))?\}")


@dataclass
class Composed:
    """The running services; `folder` holds secrets, data and logs."""

    folder: Path
    ports: dict[str, int] = field(default_factory=dict)
    file: dict[str, str] = field(default_factory=lambda: dict(FILE))
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def secrets(self) -> Path:
        """Return the folder that deploy/make_secrets.py has filled."""
        return self.folder / "secrets"

    def log(self, service: str) -> str:
        """Return what a service has written so far."""
        return (self.folder / f"{service}.log").read_text(encoding="utf-8", errors="replace")

    def environment(self, service: str) -> dict[str, str]:
        """Return the environment of a service, as Docker would make it."""
        described = SERVICES[service]
        wanted = {name: self._filled(str(value)) for name, value in described.get("environment", {}).items()}
        if "env_file" in described:
            wanted = self.file | wanted
        steering = {"DJANGO_SETTINGS_MODULE", "SECRET_KEY", "EMAIL_URL", "SENTRY_DSN", "TOCK_DATA", "METRICS_TOKEN"}
        ours = {name: value for name, value in quiet_environment().items() if name not in steering}
        mounted = {
            f"/run/secrets/{target}": str(self._mounted(service, source, target))
            for source, target in secrets_of(service).items()
        }
        return ours | {name: mounted.get(value, value) for name, value in wanted.items()} | {
            "STATIC_ROOT": str(self.folder / "static"),
            "MAIL_DIR": str(self.folder / "mail"),
            "BEAT_PULSE_FILE": str(self.folder / "beat.pulse"),
            "PYTHONUNBUFFERED": "1",
        }  # fmt: skip

    def _filled(self, text: str) -> str:
        def value(found: re.Match[str]) -> str:
            return self.file.get(found[1]) or self._filled(found[2] or "")

        return VARIABLE.sub(value, text)

    def _mounted(self, service: str, source: str, target: str) -> Path:
        """Return a service's own copy of a secret, in which addresses are those of this machine."""
        place = self.folder / "run" / service
        place.mkdir(parents=True, exist_ok=True)
        text = (self.secrets / source).read_text().replace("/run/secrets/", f"{self.secrets}/")
        for name in ("postgres", "redis"):
            text = re.sub(rf"@{name}:\d+", f"@127.0.0.1:{self.ports.get(name, 0)}", text)
        (place / target).write_text(text)
        return place / target

    def start(self, service: str, *command: str | Path, **more: Any) -> subprocess.Popen[bytes]:
        """Start a program; its output is appended to the log of the service. `more`: options of Popen."""
        options: dict[str, Any] = {"cwd": ROOT, "start_new_session": True} | more
        options.setdefault("env", self.environment(service) if service in SERVICES else None)
        with open(self.folder / f"{service}.log", "ab") as log:
            made = subprocess.Popen(command, stdout=log, stderr=log, **options)
        self.processes[service] = made
        return made

    def start_site(self, service: str, name: str = "", **variables: str) -> None:
        """Start web, worker or beat, by the command of the image or the compose file; `name` for a further one."""
        name = name or service
        port = str(self.ports.setdefault(name, free_port()))
        words = [{"0.0.0.0": "127.0.0.1", "8000": port}.get(word, word) for word in commands()[service]]
        module = words[2:] if words[0] == "python" else words
        environment = self.environment(service) | variables
        if "METRICS_PORT" in environment:
            environment["METRICS_PORT"] = port
        self.start(name, sys.executable, "-m", *module, env=environment)

    def manage(self, service: str, *words: str) -> str:
        """Run a management command as this service. Raises AssertionError with its output when it fails."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT, env=self.environment(service), capture_output=True, text=True, timeout=180,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def migrate(self) -> None:
        """Do what the service `migrate` does."""
        for words in re.findall(r"manage\.py ([^&]+)", commands()["migrate"][-1]):
            self.manage("migrate", *words.split())

    def stop(self, service: str, number: int = 15) -> int:
        """Stop a service; return its exit code."""
        process = self.processes.pop(service)
        end(process, signal_number=number, seconds=20)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, 9)
        return process.returncode

    def web(self, name: str = "web") -> Client:
        """Return a client of a web service, past the proxy."""
        return Client(self.ports[name], context=ssl.create_default_context(cafile=self.secrets / "ca_certificate"))

    def visitor(self) -> Client:
        """Return a client that comes through the proxy."""
        root = self.folder / "caddy" / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        return Client(self.ports["https"], context=ssl.create_default_context(cafile=root), name=HOST)

    def superuser(self) -> psycopg.Connection[Any]:
        """Return a connection by the socket, as inside the container of PostgreSQL."""
        return psycopg.connect(
            host=str(self.folder / "pg"), port=self.ports["postgres"], user="postgres", dbname="tock", autocommit=True
        )

    def redis(self) -> redis.Redis:
        """Return a client with the site's own password."""
        url = (self._mounted("web", "redis_url", "redis_url")).read_text()
        return redis.Redis.from_url(url)


def secrets_of(service: str) -> dict[str, str]:
    """Return the secrets of a service: source -> name below /run/secrets."""
    named = [
        each if isinstance(each, dict) else {"source": each, "target": each}
        for each in SERVICES[service].get("secrets", [])
    ]
    return {each["source"]: each["target"] for each in named}


@contextlib.contextmanager
def composed() -> Iterator[Composed]:
    """Give PostgreSQL and Redis as docker-compose.yml starts them, with roles and tables. Raises NotHere."""
    postgres.binaries(), redis_program()
    if shutil.which("openssl") is None:
        raise NotHere("no openssl, with which deploy/make_secrets.py makes certificates")
    with short_folder("tcp") as folder:
        folder.chmod(0o755)  # PostgreSQL runs as another user
        made = Composed(folder)
        subprocess.run(
            [sys.executable, ROOT / "deploy" / "make_secrets.py", "--folder", made.secrets],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        made.secrets.chmod(0o755)
        (folder / "static").mkdir()
        try:
            start_postgres(made)
            start_redis(made)
            made.migrate()
            yield made
        finally:
            for service in reversed(list(made.processes)):
                made.stop(service, 2 if service == "postgres" else 9)


def start_postgres(made: Composed) -> None:
    """Make a cluster as the image does, start it with the words of the compose file, run roles.sh."""
    programs, (rights, account) = postgres.binaries(), postgres.runner()
    place = made.folder / "pg"
    place.mkdir(mode=0o700)
    key = place / "key"
    shutil.copyfile(made.secrets / "postgres_certificate_key", key)
    key.chmod(0o600)
    if account is not None:
        for path in (place, key):
            os.chown(path, *account)
        if not postgres.reachable(programs, rights):
            programs = postgres.copied(programs, made.folder / "programs")
    options: dict[str, Any] = {"cwd": place, "env": quiet_environment({"LC_ALL": "C"}), **rights}
    if rights:
        options["extra_groups"] = []
    asked = SERVICES["postgres"]["environment"]["POSTGRES_INITDB_ARGS"].split()
    subprocess.run(
        [programs / "initdb", "-D", place / "data", "-U", "postgres", "-A", "trust", "--no-sync", *asked],
        check=True, stdout=subprocess.DEVNULL, **options,
    )  # fmt: skip
    made.ports["postgres"] = free_port()
    words = re.findall(r"-c (\S+)", SERVICES["postgres"]["command"][-1].partition("exec ")[2])
    places = {
        "/etc/tock/pg_hba.conf": ROOT / "deploy" / "postgres" / "pg_hba.conf",
        "/tmp/key": key,
        "/run/secrets/postgres_certificate": made.secrets / "postgres_certificate",
    }
    settings = [
        name + "=" + str(places.get(value, value)) for name, _, value in (word.partition("=") for word in words)
    ]
    ours = [f"port={made.ports['postgres']}", f"unix_socket_directories={place}", "listen_addresses=127.0.0.1"]
    ours += ["fsync=off", "log_min_messages=fatal"]
    if account is not None:  # the repository may be closed to that user
        shutil.copyfile(places["/etc/tock/pg_hba.conf"], place / "hba")
        os.chown(place / "hba", *account)
        settings = [word for word in settings if not word.startswith("hba_file")] + [f"hba_file={place / 'hba'}"]
    flags = [flag for word in settings + ours for flag in ("-c", word)]
    made.start("postgres", programs / "postgres", "-D", place / "data", *flags, **options)
    until = time.monotonic() + 30
    while True:
        try:
            where = {"host": str(place), "port": made.ports["postgres"], "user": "postgres"}
            psycopg.connect(**where, dbname="postgres").close()  # type: ignore[arg-type]
            break
        except psycopg.OperationalError:
            assert time.monotonic() < until, made.log("postgres")
            time.sleep(0.05)
    run_roles(made)


def run_roles(made: Composed) -> None:
    """Run deploy/postgres/roles.sh, as the image does once."""
    ours = {"SECRETS_DIR": str(made.secrets), "PGHOST": str(made.folder / "pg"), "PGPORT": str(made.ports["postgres"])}
    script = [str(ROOT / "deploy" / "postgres" / "roles.sh")]
    done = subprocess.run(script, env=quiet_environment(ours), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def start_redis(made: Composed) -> None:
    """Start Redis with the words of the compose file."""
    made.ports["redis"] = port = free_port()
    words = [word.replace("/run/secrets", str(made.secrets)) for word in SERVICES["redis"]["command"][1:]]
    words[words.index("--tls-port") + 1] = str(port)
    made.start("redis", redis_program(), *words, "--dir", made.folder, "--bind", "127.0.0.1")
    until = time.monotonic() + 15
    while True:
        try:
            made.redis().ping()
            return
        except redis.ConnectionError:
            assert time.monotonic() < until, made.log("redis")
            time.sleep(0.05)


def start_proxy(made: Composed, *webs: str) -> None:
    """Start Caddy with the real Caddyfile in front of these web services. Raises NotHere."""
    program = find("caddy")
    if program is None:
        raise NotHere("no caddy on PATH")
    ports = {"HTTPS_PORT": free_port(), "HTTP_PORT": free_port()}
    made.ports["https"], made.ports["http"] = ports["HTTPS_PORT"], ports["HTTP_PORT"]
    made.file["WEB"] = " ".join(f"https://127.0.0.1:{made.ports[web]}" for web in webs)
    own = made.environment("proxy") | {name: str(port) for name, port in ports.items()}
    own |= {"ISSUER": "internal", "ADMIN": f"localhost:{free_port()}", "CA": str(made.secrets / "ca_certificate")}
    own |= {"XDG_DATA_HOME": str(made.folder / "caddy"), "XDG_CONFIG_HOME": str(made.folder / "caddy")}
    words = ("run", "--config", ROOT / "deploy" / "caddy" / "Caddyfile", "--adapter", "caddyfile")
    made.start("proxy", program, *words, env=own)
