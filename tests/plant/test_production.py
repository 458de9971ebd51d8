"""The production settings, run as docker-compose.yml runs them, without Docker."""

import contextlib
import http.client
import json
import re
import signal
import ssl
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import psycopg
import pytest
import redis
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.conftest import absent
from tests.servers.programs import NotHere
from tests.servers.site import eventually

from .composed import Composed, composed, run_roles, start_proxy
from .production import HOST, ROOT, Client, environment

PASSWORD = "une longue phrase pour un essai"
ACCOUNT = f"""
from tock_league.accounts import services
user = services.create_user(email="martine@tock.test", password="{PASSWORD}")
services.create_player(display_name="Martine", user=user, birth_year=1980)
"""


@pytest.fixture(scope="module")
def site() -> Iterator[Composed]:
    """Give the running services of docker-compose.yml; the proxy too where Caddy is installed."""
    try:
        with composed() as made:
            # Most files belong to other packages' pages, and compressing them takes twenty seconds.
            left_out = [word for name in ("admin", "*sidecar*", "rest_framework") for word in ("--ignore", name)]
            made.manage("migrate", "collectstatic", "--noinput", "--verbosity", "0", *left_out)
            for service in ("web", "worker", "beat"):
                made.start_site(service)
            eventually(lambda: answers(made.web), seconds=90)
            yield made
    except NotHere as reason:
        absent("postgresql", reason)


@pytest.fixture(scope="module")
def proxied(site: Composed) -> Composed:
    """Give the site with the proxy in front of it."""
    try:
        start_proxy(site, "web")
    except NotHere as reason:
        absent("caddy", reason)
    eventually(lambda: answers(site.visitor), seconds=20)
    return site


def answers(client: Callable[[], Client]) -> bool:
    try:
        return client().request("GET", "/health/live")[0] == 200
    except OSError:
        return False


@pytest.mark.redis
def test_the_site_is_ready_and_sees_its_worker(site: Composed) -> None:
    client = site.web()

    def pulse() -> dict[str, object] | None:
        status, _, body = client.request("GET", "/health/ready", scheme="http")  # the load balancer asks without TLS
        assert status == 200, body
        parts = json.loads(body)
        return parts if None not in (parts["worker_pulse_s"], parts["beat_pulse_s"]) else None

    parts = eventually(pulse, seconds=60)  # beat sends its first pulse after twenty seconds
    assert parts["database"] is True
    assert parts["migrations"] is True


@pytest.mark.redis
def test_a_person_signs_in(site: Composed) -> None:
    site.manage("web", "shell", "-c", ACCOUNT)
    client = site.web()
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
def test_plain_http_is_sent_to_https_and_strangers_are_refused(site: Composed) -> None:
    status, headers, _ = site.web().request("GET", "/", scheme="http")
    assert (status, headers["location"]) == (301, f"https://{HOST}/")
    client = site.web()
    status, headers, _ = client.request("GET", "/")
    assert status == 200
    assert "max-age=31536000" in headers["strict-transport-security"]
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]


@pytest.mark.redis
def test_static_files_carry_their_hash_and_may_be_kept_for_ever(site: Composed) -> None:
    client = site.web()
    page = client.request("GET", "/")[2]
    hashed = re.search(r'href="(/static/look/site\.[0-9a-f]{12}\.css)"', page)
    assert hashed, "the page names no hashed style sheet"
    status, headers, _ = client.request("GET", hashed[1])
    assert status == 200
    assert "immutable" in headers["cache-control"]


def sampled(page: str, name: str) -> float:
    """Return the value of a sample of a metrics page."""
    return float(re.findall(rf"^{re.escape(name)} (\S+)$", page, re.MULTILINE)[0])


@pytest.mark.redis
def test_a_scrape_of_any_web_process_has_the_sums_of_all(site: Composed) -> None:
    token = (site.secrets / "metrics_token").read_text()

    def scraped() -> str:
        status, _, page = site.web().request("GET", "/metrics", Host="10.1.2.3:8000", Authorization=f"Bearer {token}")
        assert status == 200
        return page

    failed = 'tock_sign_ins_total{outcome="failed"}'
    before = sampled(scraped(), failed) if failed in scraped() else 0.0
    for number in range(6):  # new connections, which both processes take
        fail_to_sign_in(site.web(), f"stranger{number}@tock.test")
    pages = [scraped() for _ in range(6)]
    assert [sampled(page, failed) for page in pages] == [before + 6] * 6
    assert sampled(pages[0], "tock_socket_limit") == 2 * 3000
    for part in ("database", "disk", "migrations", "proxies", "redis"):
        assert sampled(pages[0], f'tock_part_ok{{part="{part}"}}') == 1
    assert sampled(pages[0], 'tock_pulse_age_seconds{part="beat"}') < 60
    assert site.web().request("GET", "/metrics")[0] == 404


@pytest.mark.redis
def test_the_worker_counts_its_tasks(site: Composed) -> None:
    context = ssl.create_default_context(cafile=site.secrets / "ca_certificate")
    with urlopen(f"https://localhost:{site.ports['worker']}/metrics", context=context, timeout=10) as answer:
        page = answer.read().decode()
    assert sampled(page, 'tock_tasks_total{outcome="done"}') > 0
    assert sampled(page, "tock_task_lag_seconds_count") > 0


def fail_to_sign_in(client: Client, login: str, **headers: str) -> dict[str, str]:
    """Try a wrong password; return the headers of the answer."""
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', client.request("GET", "/accounts/login/")[2])
    assert token
    form = {"csrfmiddlewaretoken": token[1], "login": login, "password": "not the right one"}
    status, answered, _ = client.request("POST", "/accounts/login/", form, **headers)
    assert status == 200
    return answered


@pytest.mark.redis
class TestServers:
    def test_postgresql_takes_no_superuser_and_no_plain_connection(self, site: Composed) -> None:
        url = site.environment("web")["DATABASE_URL_FILE"]
        text = Path(url).read_text()
        with psycopg.connect(text) as connection:
            assert connection.pgconn.ssl_in_use
        for wrong in (
            text.replace("verify-full", "disable"),
            text.replace("tock_app", "postgres"),
            re.sub(r"tock_app:[^@]+@", "tock_app:guess@", text),
            text.replace("/tock?", "/postgres?").replace("tock_app", "nobody"),
        ):
            with pytest.raises(psycopg.OperationalError):
                psycopg.connect(wrong, connect_timeout=5)

    def test_the_role_of_the_site_cannot_rewrite_the_past(self, site: Composed) -> None:
        text = Path(site.environment("worker")["DATABASE_URL_FILE"]).read_text()
        with psycopg.connect(text, autocommit=True) as connection:
            for statement in (
                "DROP TRIGGER journal_journalentry_no_update ON journal_journalentry",
                "ALTER TABLE journal_journalentry DISABLE TRIGGER ALL",
                "TRUNCATE journal_journalentry",
                "DELETE FROM games_gameevent",
                "CREATE TABLE mine (one int)",
                "SET ROLE tock_owner",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement)  # type: ignore[arg-type]

    def test_redis_takes_no_stranger_and_no_command_on_the_whole_server(self, site: Composed) -> None:
        known = site.redis()
        assert known.set("of this test", "1", ex=5)
        for command in ("FLUSHALL", "FLUSHDB", "KEYS *", "CONFIG GET dir", "ACL LIST", "SHUTDOWN"):
            with pytest.raises(redis.exceptions.NoPermissionError):
                known.execute_command(*command.split())
        options = {"port": site.ports["redis"], "retry": None, "ssl_ca_certs": str(site.secrets / "ca_certificate")}
        with pytest.raises(redis.exceptions.AuthenticationError):
            redis.Redis(ssl=True, **options).ping()  # type: ignore[arg-type]
        with pytest.raises(redis.exceptions.ConnectionError):
            redis.Redis(port=site.ports["redis"], retry=None).ping()

    def test_roles_can_be_made_again(self, site: Composed) -> None:
        run_roles(site)
        assert answers(site.web)


@pytest.mark.redis
class TestProxy:
    def test_pages_come_by_https_and_http_leads_there(self, proxied: Composed) -> None:
        client = proxied.visitor()
        status, headers, _ = client.request("GET", "/")
        assert status == 200
        assert headers["strict-transport-security"].startswith("max-age=31536000")
        assert "server" not in headers
        plain = Client(proxied.ports["http"])
        status, headers, _ = plain.request("GET", "/competitions/?x=1")
        assert (status, headers["location"]) == (308, f"https://{HOST}/competitions/?x=1")

    def test_an_old_tls_and_the_name_of_a_stranger_are_refused(self, proxied: Composed) -> None:
        old = proxied.visitor()
        assert old.context is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            old.context.minimum_version = ssl.TLSVersion.TLSv1
            old.context.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises(ssl.SSLError):
            old.request("GET", "/")
        for wrong in (replace(proxied.visitor(), name="evil.example"), Client(proxied.ports["http"])):
            with pytest.raises((ssl.SSLError, http.client.HTTPException, OSError)):
                wrong.request("GET", "/", Host="evil.example")
        with pytest.raises((http.client.HTTPException, OSError)):
            proxied.visitor().request("GET", "/", Host="evil.example")

    def test_the_limits_are_those_of_the_site(self, proxied: Composed) -> None:
        client = proxied.visitor()
        assert client.request("POST", "/accounts/login/", {"login": "x" * 1_100_000})[0] == 413
        assert client.request("POST", "/api/tables/none/commands", {"login": "x" * 70_000})[0] == 413
        assert client.request("POST", "/accounts/login/", {"login": "x" * 70_000})[0] == 403  # without a token
        assert client.request("GET", "/metrics")[0] == 404

    def test_a_visitor_can_claim_neither_an_address_nor_a_request_id(self, proxied: Composed) -> None:
        claimed = {"X_Forwarded_For": "203.0.113.7", "X_Request_ID": "chosen-by-a-visitor"}
        answered = fail_to_sign_in(proxied.visitor(), "liar@tock.test", **claimed)
        with proxied.superuser() as connection:
            found = connection.execute(
                "SELECT DISTINCT host(ip_address) FROM axes_accessattempt WHERE username LIKE 'liar%'"
            ).fetchall()
        assert found == [("127.0.0.1",)]
        number = answered["x-request-id"]
        assert number != "chosen-by-a-visitor"
        lines = [json.loads(line) for line in proxied.log("web").splitlines()]
        assert [line["event"] for line in lines if line.get("request") == number] == ["sign-in failed"]
        mine = [line for line in proxied.log("proxy").splitlines() if number in line]
        assert [json.loads(line)["request"]["uri"] for line in mine] == ["/accounts/login/"]

    def test_the_log_of_the_proxy_holds_no_secret(self, proxied: Composed) -> None:
        client = proxied.visitor()
        client.cookies["__Host-session"] = "a-session-key-of-this-test"
        for path in ("/accounts/password/reset/key/1-secretlink/", "/teams/invitations/secretlink/", "/?q=secretlink"):
            client.request("GET", path, Referer=f"https://{HOST}/teams/invitations/secretlink/")
        log = eventually(lambda: (text := proxied.log("proxy")).count("/invitations/...") and text, seconds=5)
        assert "secretlink" not in log
        assert "a-session-key-of-this-test" not in log
        assert all(json.loads(line)["level"] for line in log.splitlines())


@pytest.mark.redis
def test_y_a_stop_tells_the_tables_and_closes_them_with_1012(site: Composed) -> None:
    """The last but one in the file: it stops both web processes. Through the proxy, where there is one."""
    client = site.visitor() if "proxy" in site.processes else site.web()
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
        if frame["t"] == kind and frame.get("code") not in ("other_tab", "verify"):
            return frame


@pytest.mark.redis
def test_z_every_process_ends_cleanly_and_logged_no_error(site: Composed) -> None:
    """Last in the file: it stops the site. By now the sweeps of beat and worker have run several times."""
    since = time.monotonic()
    codes = {name: site.stop(name) for name in ("beat", "worker", "web")}
    logs = {name: site.log(name) for name in codes}
    assert codes == {"beat": 0, "worker": 0, "web": 0}, logs
    assert time.monotonic() - since < 15
    for name, log in logs.items():
        lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
        bad = [line for line in lines if line["level"] in ("error", "critical") or "exception" in line]
        assert bad == [], f"{name}: {bad}"
        others = {line for line in log.splitlines() if line.strip() and not line.startswith("{")}
        assert others <= {"worker: Warm shutdown (MainProcess)"}, name


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
