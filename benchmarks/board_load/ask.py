"""Request the boards as a visitor, in this process; time the whole request and what the database takes of it."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import override_settings

from ratings.models import Ladder, Rating
from tock_league.clubs.models import Club

FOUND = 200


def addresses() -> dict[str, list[str]]:
    """Return the addresses of each kind of page."""
    ladders = list(Ladder.objects.order_by("pk"))
    second = ladders[min(1, len(ladders) - 1)]
    base = f"/leaderboards/{second.family}/{second.teams}/"
    clubs = Club.objects.count()
    made: dict[str, list[str]] = {"overview": ["/leaderboards/"]}
    for kind, path in (("team", ""), ("player", "players/")):
        rows = Rating.objects.filter(generation=second.generation, kind=kind, on_global=True)
        ordered = list(rows.order_by("-score_milli", "subject_id").values_list("score_milli", "subject_id"))
        steps = [ordered[len(ordered) * n // 10] for n in range(1, 10)]
        made[f"board of {kind}s, first page"] = [base + path]
        made[f"board of {kind}s, deep"] = [f"{base}{path}?after={score}.{subject}" for score, subject in steps]
        made[f"search {kind}s"] = [f"{base}{path}?name={name}" for name in ("tremi", "gaubel", "né", "zozozo", "ba")]
        made[f"{kind}: rank and history"] = [f"{base}{subject}/" for _score, subject in steps]
        made[f"{kind}s without a rank"] = [f"{base}{path}?unranked=first"]
        # The first ladder has games of this week, and so climbers.
        made[f"board of {kind}s with climbers"] = [f"/leaderboards/{ladders[0].family}/{ladders[0].teams}/{path}"]
    made["clubs compared"] = [f"{base}clubs/"]
    key = f"{second.family}%3A{second.teams}"
    made["board of a club of 180"] = [
        f"/clubs/club-{50 * n + 1}/leaderboard/?ladder={key}" for n in range(5) if 50 * n + 1 <= clubs
    ]
    made["board of a club"] = [
        f"/clubs/club-{50 * n + 2}/leaderboard/?ladder={key}" for n in range(5) if 50 * n + 2 <= clubs
    ]
    return made


class Watch:
    """Counts statements and the time that the database takes for them."""

    def __init__(self) -> None:
        self.count, self.seconds = 0, 0.0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        begin = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.count += 1
            self.seconds += time.perf_counter() - begin


def ask(repeats: int, patience: float) -> list[dict[str, Any]]:
    """Return for each kind of page its statements, times in ms and bytes; a page slower than `patience` seconds is asked once."""
    told = []
    client = Client(SERVER_NAME="localhost")
    plain = settings.STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    with override_settings(ALLOWED_HOSTS=["*"], SECURE_SSL_REDIRECT=False, STORAGES=plain):
        for kind, paths in addresses().items():
            rows = []
            for path in paths:
                for turn in range(repeats + 1):
                    watch = Watch()
                    begin, cpu = time.perf_counter(), time.process_time()
                    with connection.execute_wrapper(watch):
                        answer = client.get(path)
                    spent = time.perf_counter() - begin
                    if answer.status_code != FOUND:
                        raise SystemExit(f"{path}: {answer.status_code}")
                    if turn or spent > patience:  # the first request is not counted: it compiles templates
                        rows.append((watch.count, watch.seconds, time.process_time() - cpu, spent, len(answer.content)))
                    if spent > patience:
                        break
            told.append({"page": kind, **_figures(rows)})
            print(told[-1], flush=True)
    return told


def _figures(rows: Sequence[tuple[int, float, float, float, int]]) -> dict[str, float]:
    def at(share: float, place: int) -> float:
        ordered = sorted(row[place] for row in rows)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    return {
        "statements": max(row[0] for row in rows),
        "database": 1000 * at(0.95, 1),
        "cpu": 1000 * at(0.95, 2),
        "wall": 1000 * at(0.95, 3),
        "kB": max(row[4] for row in rows) / 1000,
    }
