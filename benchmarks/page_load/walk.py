"""Request every page as visitor, player, organiser and referee; count queries, take CPU and wall time."""

import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client

from tock_league.accounts.models import User
from tock_league.common import clock
from tock_league.demo import load
from tock_league.embedded.process import migrate

from .addresses import pages
from .grow import grow

ROLES = {
    "visitor": "",
    "player": "martine@demo.tock",
    "organiser": "lise@demo.tock",
    "referee": "ginette@demo.tock",
}


def prepared() -> None:
    """Change the settings for in-process requests, and load the demo."""
    settings.MFA_REQUIRED_ROLES = []  # nobody in this benchmark has a second factor
    settings.ALLOWED_HOSTS = ["*"]
    # No files are collected for production: the plain storage names them without a manifest.
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
    migrate(lambda line: None)
    load.prepare(clock.now())


def both_sizes(times: int, repeats: int) -> list[dict[str, Any]]:
    """Return a row for each page and role: `name`, `path`, `role`; for both sizes status, queries, CPU and wall ms."""
    prepared()
    found = [(name, path) for name, path in pages()]
    small = everything(found, repeats)
    grow(times)
    cache.clear()
    large = everything(found, repeats)
    return [
        {"name": name, "path": path, "role": role, "small": small[path, role], "large": large[path, role]}
        for name, path in found
        for role in ROLES
    ]


def everything(found: list[tuple[str, str]], repeats: int) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the figures of each address by role."""
    told = {}
    for role, email in ROLES.items():
        client = Client(raise_request_exception=False)
        if email:
            client.force_login(User.objects.get(email=email), backend=settings.AUTHENTICATION_BACKENDS[-1])
        for _, path in found:
            told[path, role] = figures(client, path, repeats)
    return told


class Counted:
    """Counts the statements that pass through a connection."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.count += 1
        return execute(sql, params, many, context)


def figures(client: Client, path: str, repeats: int) -> dict[str, Any]:
    """Return status, queries of the first and of a later request, and the minimum of CPU and wall milliseconds."""
    counts, cpus, walls, status = [], [], [], 0
    for _ in range(repeats):
        queries = Counted()
        with connection.execute_wrapper(queries):
            wall, cpu = time.perf_counter(), time.thread_time()
            answer = client.get(path, secure=True)
            for _chunk in answer.streaming_content if answer.streaming else ():
                pass
            walls.append(1000 * (time.perf_counter() - wall))
            cpus.append(1000 * (time.thread_time() - cpu))
        counts.append(queries.count)
        status = answer.status_code
        if status != 200:
            break
    return {"status": status, "first": counts[0], "queries": counts[-1], "cpu": min(cpus), "wall": min(walls)}
