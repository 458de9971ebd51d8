"""The two ways in which the site is started for the fuzz."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .house import House, bare_environment, folder, set_clock, start, wait_until_up

STEP_FILE = "TOCK_TEST_STEP_FILE"
WITH_FACTOR = "administrator"  # MFA_REQUIRED_ROLES of the embedded site; production requires it of all roles


def _set_up(environment: dict[str, str]) -> None:
    """Let this process use the database of the site."""
    for name in (set(os.environ) - set(environment)) | {"TOCK_TEST_DATABASE_URL"}:
        os.environ.pop(name, None)
    os.environ |= environment
    import django

    django.setup()


def _cast(step: Path) -> Any:
    """Build the world in the database, and let the processes begin on its evening."""
    from django.db import connections

    from tests.competitions.world import FIRST_ROUND

    from . import cast

    made = cast.build()
    connections.close_all()
    set_clock(step, FIRST_ROUND.timestamp())
    return made


@contextlib.contextmanager
def embedded() -> Iterator[tuple[House, Any]]:
    """Give `serve` on SQLite, and its people."""
    with folder() as where:
        step, data = where / "step", where / "data"
        environment = bare_environment() | {
            "DJANGO_SETTINGS_MODULE": "tock_league.settings.embedded",
            "TOCK_DATA": str(data),
            "MFA_REQUIRED_ROLES": WITH_FACTOR,
            "NIGHTLY_BACKUP": "no",
            STEP_FILE: str(step),
        }
        _set_up(environment)
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        people = _cast(step)
        from tests.plant.production import free_port

        port = free_port()
        words = ["manage", "serve", "--no-demo", "--data", str(data), "--port", str(port)]
        log = where / "web.log"
        house = House(
            port,
            f"127.0.0.1:{port}",
            f"http://127.0.0.1:{port}",
            {},
            {"web": start(words, environment, log)},
            {"web": log},
        )
        yield from _running(house, people)


@contextlib.contextmanager
def on_servers() -> Iterator[tuple[House, Any]]:
    """Give production on PostgreSQL and Redis, and its people. Raises NotHere."""
    from tests.plant.production import HOST, commands, environment, free_port
    from tests.servers import postgres, redis

    with contextlib.ExitStack() as stack:
        where = stack.enter_context(folder())
        database = stack.enter_context(postgres.cluster())
        server = stack.enter_context(redis.own_server())
        step, port = where / "step", free_port()
        known = environment(database.url, server.url, where) | {STEP_FILE: str(step), "ADMIN_PATH": "staff/admin/"}
        _set_up(known)
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0,
                     ignore_patterns=["*sidecar*", "rest_framework"])  # fmt: skip
        people = _cast(step)
        words, processes, logs = commands(), {}, {}
        swapped = {"0.0.0.0": "127.0.0.1", "8000": str(port), "2": "1"}
        for name in ("web", "worker", "beat"):
            asked = [swapped.get(word, word) for word in words[name][2:]] if name == "web" else words[name]
            logs[name] = where / f"{name}.log"
            processes[name] = start(asked, known, logs[name])
        house = House(port, HOST, f"https://{HOST}", {"X-Forwarded-Proto": "https"}, processes, logs)
        yield from _running(house, people)


def _running(house: House, people: Any) -> Iterator[tuple[House, Any]]:
    try:
        wait_until_up(house.port, house.headers, house.host)
        yield house, people
    finally:
        house.stop()
        print("\n".join(house.new_lines()[-3:]))
