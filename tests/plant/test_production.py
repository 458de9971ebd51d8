"""The production settings, run as docker-compose.yml runs them, without Docker."""

import contextlib
import json
import re
import signal
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.servers.postgres import Cluster
from tests.servers.redis import Redis
from tests.servers.site import eventually

from .production import HOST, ROOT, Client, Production, environment, production

PASSWORD = "une longue phrase pour un essai"
ACCOUNT = f"""
from tock_league.accounts import services
user = services.create_user(email="martine@tock.test", password="{PASSWORD}")
services.create_player(display_name="Martine", user=user)
"""


def commands() -> dict[str, list[str]]:
    """Return what the image and the compose file start: service -> command line."""
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    image = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    default = json.loads(re.findall(r"^CMD (\[.*\])", image, re.MULTILINE)[-1])
    return {name: compose[name].get("command", default) for name in ("web", "worker", "beat", "migrate")}


@pytest.fixture(scope="module")
def site(
    postgres_cluster: Cluster, redis_server: Redis, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Production]:
    """Give a running production: web, worker and beat."""
    name = f"production_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(host=str(postgres_cluster.folder), user="tock", dbname="postgres", autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}"')
    url = postgres_cluster.url.rsplit("/", 1)[0] + f"/{name}"
    words = commands()
    with production(url, redis_server.url, tmp_path_factory.mktemp("production")) as made:
        web = [{"0.0.0.0": "127.0.0.1", "8000": str(made.port)}.get(word, word) for word in words["web"][2:]]
        made.start("web", *web)
        made.start("worker", *words["worker"])
        made.start("beat", *words["beat"])
        client = Client(made.port)
        eventually(lambda: answers(client), seconds=60)
        yield made


def answers(client: Client) -> bool:
    try:
        return client.request("GET", "/health/live")[0] == 200
    except OSError:
        return False


@pytest.mark.redis
def test_the_site_is_ready_and_sees_its_worker(site: Production) -> None:
    client = Client(site.port)

    def pulse() -> dict[str, object] | None:
        status, _, body = client.request("GET", "/health/ready", scheme="http")  # the load balancer asks without TLS
        assert status == 200, body
        parts = json.loads(body)
        return parts if parts["worker_pulse_s"] is not None else None

    parts = eventually(pulse, seconds=60)  # beat sends its first pulse after twenty seconds
    assert parts["database"] is True
    assert parts["migrations"] is True


@pytest.mark.redis
def test_a_person_signs_in(site: Production) -> None:
    site.manage("shell", "-c", ACCOUNT)
    client = Client(site.port)
    status, _, page = client.request("GET", "/accounts/login/")
    assert status == 200
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token
    form = {"csrfmiddlewaretoken": token[1], "login": "martine@tock.test", "password": PASSWORD}
    status, headers, body = client.request("POST", "/accounts/login/", form)
    assert status == 302, body
    assert headers["location"] == "/"
    assert client.cookies.keys() >= {"__Host-session"}
    assert "Martine" in client.request("GET", "/")[2]


@pytest.mark.redis
def test_plain_http_is_sent_to_https_and_strangers_are_refused(site: Production) -> None:
    status, headers, _ = Client(site.port).request("GET", "/", scheme="http")
    assert (status, headers["location"]) == (301, f"https://{HOST}/")
    client = Client(site.port)
    status, headers, _ = client.request("GET", "/")
    assert status == 200
    assert "max-age=31536000" in headers["strict-transport-security"]
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]


@pytest.mark.redis
def test_static_files_carry_their_hash_and_may_be_kept_for_ever(site: Production) -> None:
    client = Client(site.port)
    page = client.request("GET", "/")[2]
    hashed = re.search(r'href="(/static/look/site\.[0-9a-f]{12}\.css)"', page)
    assert hashed, "the page names no hashed style sheet"
    status, headers, _ = client.request("GET", hashed[1])
    assert status == 200
    assert "immutable" in headers["cache-control"]


@pytest.mark.redis
def test_y_a_stop_tells_the_tables_and_closes_them_with_1012(site: Production) -> None:
    """The last but one in the file: it stops both web processes."""
    client = Client(site.port)
    status, headers, _ = client.practise()
    assert status == 302, headers
    table = headers["location"].split("/")[2]
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(client.at_table(table)) for _ in range(6)]
        for socket in sockets:
            told(socket, "snap")
        site.processes["web"].send_signal(signal.SIGTERM)
        for socket in sockets:
            assert told(socket, "note")["code"] == "deploy"
            with pytest.raises(ConnectionClosed) as closed:
                told(socket, "nothing more")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
    assert site.processes["web"].wait(15) == 0


def told(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next frame of that kind."""
    while True:
        frame: dict[str, Any] = json.loads(socket.recv(timeout=10))
        if frame["t"] == kind and frame.get("code") != "other_tab":
            return frame


@pytest.mark.redis
def test_z_every_process_ends_cleanly_and_logged_no_error(site: Production) -> None:
    """Last in the file: it stops the site. By now the sweeps of beat and worker have run several times."""
    since = time.monotonic()
    codes = {name: site.stop(name) for name in ("beat", "worker", "web")}
    logs = {name: path.read_text() for name, path in site.logs.items()}
    assert codes == {"beat": 0, "worker": 0, "web": 0}, logs
    assert time.monotonic() - since < 15
    assert {name: log for name, log in logs.items() if "Traceback" in log or " ERROR" in log} == {}


def test_without_a_secret_nothing_starts(tmp_path: Path) -> None:
    import subprocess
    import sys

    full = environment("postgres://nobody@127.0.0.1:9/nothing", "redis://127.0.0.1:9/0", tmp_path)
    for name in ("SECRET_KEY", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DATABASE_URL", "REDIS_URL"):
        without = {key: value for key, value in full.items() if key != name}
        command = [sys.executable, "-c", "from tock_league.settings import production"]
        done = subprocess.run(command, cwd=ROOT, env=without, capture_output=True, text=True, timeout=60)
        assert done.returncode != 0
        assert name in done.stderr
