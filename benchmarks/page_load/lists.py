"""`python -m benchmarks.page_load.lists TIMES REPEATS`: prints the figures of the API's lists as JSON."""

import gc
import json
import sys
import time
from collections.abc import Iterator
from typing import Any

import django

MOST = 100
ROLES = {"visitor": "", "organiser": "lise@demo.tock"}


def figures(times: int, repeats: int) -> list[dict[str, Any]]:
    """Return a row for each list and role: rows and queries of a short and a long page, CPU ms of the long one."""
    from django.conf import settings
    from django.core.cache import cache
    from django.test import Client

    from tock_league.accounts.models import User
    from tock_league.embedded.server import COLLECT_AFTER

    from .grow import grow
    from .walk import prepared

    prepared()
    grow(times)
    gc.freeze()  # as the server does after its start
    gc.set_threshold(*COLLECT_AFTER)
    settings.API_MINUTE_WITHOUT_LOGIN = settings.API_MINUTE_PER_PERSON = 10**9
    told = []
    for role, email in ROLES.items():
        client = Client(raise_request_exception=False)
        if email:
            client.force_login(User.objects.get(email=email), backend=settings.AUTHENTICATION_BACKENDS[-1])
        for path, pages in lists():
            cache.clear()
            told.append({"path": path, "role": role} | _of(client, path, pages, repeats))
    return told


def lists() -> Iterator[tuple[str, bool]]:
    """Yield the address of each list of the API without further parameters, and whether it has a limit."""
    from django.apps import apps

    from tock_league.api.schema import made, resolved

    found = apps.get_model("competitions.Competition").objects.order_by("pk").first()
    club = apps.get_model("clubs.Club").objects.order_by("pk").first()
    filled = {"/api/v1/competitions/{slug}": found.slug, "/api/v1/clubs/{slug}": club.slug}
    document = made()
    for path, operations in sorted(document["paths"].items()):
        parameters = {resolved(document, one)["name"] for one in operations.get("get", {}).get("parameters", [])}
        answer = operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        schema = str(answer.get("application/json", {}).get("schema", {}))
        if "results" not in schema and "Paginated" not in schema:
            continue
        for head, slug in filled.items():
            if path.startswith(head):
                path = path.replace("{slug}", slug)
        if "{" not in path:
            yield path, "limit" in parameters


def _of(client: Any, path: str, pages: bool, repeats: int) -> dict[str, Any]:
    short, few, few_queries, _cpu = _asked(client, path, {"limit": 10} if pages else {})
    row = {"status": short, "few": few, "few_queries": few_queries}
    many, many_queries, spent = few, few_queries, []
    for _ in range(repeats):
        _status, many, many_queries, cpu = _asked(client, path, {"limit": MOST} if pages else {})
        spent.append(cpu)
    spent.sort()
    late = spent[min(len(spent) - 1, int(0.95 * len(spent)))]
    return row | {"many": many, "many_queries": many_queries, "median": spent[len(spent) // 2], "p95": late}


def _asked(client: Any, path: str, query: dict[str, int]) -> tuple[int, int, int, float]:
    """Return status, rows, queries and CPU ms of a request."""
    from django.db import connection

    from .walk import Counted

    counted = Counted()
    with connection.execute_wrapper(counted):
        began = time.thread_time()
        answer = client.get(path, query, secure=True)
        spent = 1000 * (time.thread_time() - began)
    rows = len(answer.json().get("results", ())) if answer.status_code == 200 else 0
    return answer.status_code, rows, counted.count, spent


if __name__ == "__main__":
    django.setup()
    print(json.dumps(figures(int(sys.argv[1]), int(sys.argv[2]))))
