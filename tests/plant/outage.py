"""What clients see while PostgreSQL is down, and how soon play goes on; for the tests and for
`tests.soak.database_gone`."""

import re
import signal
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests import migrated
from tests.servers import postgres, redis
from tests.servers.postgres import Cluster
from tests.servers.redis import Redis
from tests.servers.site import eventually

from .crowd import Answer, Guest, ask, page
from .production import Client, Production, commands, production
from .test_production import ACCOUNT, PASSWORD, answers


@dataclass
class Site:
    """A running production of one web process, and its two servers."""

    production: Production
    database: Cluster
    redis: Redis

    @property
    def port(self) -> int:
        return self.production.port

    @property
    def words(self) -> list[str]:
        """What starts the web process."""
        words = {"0.0.0.0": "127.0.0.1", "8000": str(self.port), "2": "1"}
        return [words.get(word, word) for word in commands()["web"][2:]]

    def signed_in(self) -> Client:
        """Return a client that has signed in with the form."""
        client = Client(self.port)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', client.request("GET", "/accounts/login/")[2])
        assert token
        form = {"csrfmiddlewaretoken": token[1], "login": "martine@tock.test", "password": PASSWORD}
        status, _, body = client.request("POST", "/accounts/login/", form)
        assert status == 302, body
        return client


@contextmanager
def one_web_process(folder: Path) -> Iterator[Site]:
    """Give a running production with its own servers, which can be stopped and frozen. Raises NotHere."""
    with ExitStack() as stack:
        # Acknowledged plays must survive a crash of the server.
        database = stack.enter_context(postgres.cluster(synchronous_commit="on"))
        own_redis = stack.enter_context(redis.own_server())
        is_new = not migrated.restore(database.folder)
        made = stack.enter_context(production(database.url, own_redis.url, folder))
        if is_new:
            migrated.keep(database.folder)
        site = Site(made, database, own_redis)
        made.start("web", *site.words)
        eventually(lambda: answers(lambda: Client(made.port)), seconds=60)
        made.manage("shell", "-c", ACCOUNT)
        yield site


@dataclass
class Report:
    """Seconds: of the slowest refusal; from the return to the first acknowledged command and to the first page."""

    away: float
    refusals: list[float] = field(default_factory=list)
    resumed_after: float = 0.0
    page_after: float = 0.0

    @property
    def slowest_refusal(self) -> float:
        return max(self.refusals)


def refused_in_order(answer: Answer) -> bool:
    """Return whether an answer is the 503 of a busy site."""
    return answer.status == 503 and int(answer.headers["retry-after"]) > 0


def without_database(site: Site, *, seconds: float) -> Report:
    """Stop the database as a crash would, request everything for `seconds`, start it, wait until play goes on.

    Raises AssertionError when an answer is wrong, or when something acknowledged is lost.
    """
    guest, signed_in = Guest.sits_down(site.port), site.signed_in()
    report = Report(seconds)
    with guest.socket() as table:
        assert table.command("phrase", "0.1", code="thanks")[0]["t"] == "ack"
        known = ask(guest.client, "GET", guest.path("snap")).json()["seq"]
        site.database.stop(signal.SIGQUIT)
        until = time.monotonic() + seconds
        ready_id = str(uuid.uuid4())
        told = False
        while time.monotonic() < until:
            refused, took = table.command("ready", "0.1", id=ready_id)
            assert (refused["t"], refused["code"], refused["retry"]) == ("nak", "internal", True)
            report.refusals.append(took)
            _look_at_everything(guest, signed_in, report)
            told = told or any(frame["t"] == "note" and frame["code"] == "delay" for frame in table.frames)
            time.sleep(1.4)  # a seat may send twenty commands in ten seconds
        assert told, "no note tells of the delay"
        site.database.start()
        since = time.monotonic()

        def plays() -> bool:
            found: bool = table.command("ready", "0.1", id=ready_id)[0]["t"] == "ack"
            return found

        eventually(plays, seconds=60, every=0.6)
        report.resumed_after = time.monotonic() - since
        eventually(lambda: page(signed_in).status == 200, seconds=60, every=0.1)
        report.page_after = time.monotonic() - since
        again, _ = table.command("ready", "0.1", id=ready_id)
        assert (again["t"], again["dup"]) == ("ack", True)
        snap = ask(guest.client, "GET", guest.path("snap")).json()
        assert snap["seq"] > known
        eventually(lambda: ask(Client(site.port), "GET", "/health/ready").status == 200, seconds=10)
    return report


def _look_at_everything(guest: Guest, signed_in: Client, report: Report) -> None:
    """Request pages, the live room's addresses and the site's health; all are refused in the documented way."""
    visitor = Client(guest.client.port)
    refused = [page(visitor, "/clubs/"), page(signed_in), ask(guest.client, "GET", guest.path("snap"))]
    refused.append(guest.command("ready", "0.1"))
    assert [answer for answer in refused if not refused_in_order(answer)] == []
    assert "<h1>" in refused[0].body
    assert refused[2].json()["error"]["code"] == "busy"
    assert (refused[3].json()["code"], refused[3].json()["retry"]) == ("internal", True)
    ready = ask(visitor, "GET", "/health/ready")
    assert (ready.status, ready.json()["missing"]) == (503, ["database"])
    assert ask(visitor, "GET", "/health/live").status == 200
    report.refusals += [answer.seconds for answer in (*refused, ready)]
