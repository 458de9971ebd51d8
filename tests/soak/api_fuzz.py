"""Fuzz the API in this process, by its own document: `python -m tests.soak.api_fuzz [--cases 40] [--seed 1] [--minutes 30]`.

schemathesis makes requests for each operation of docs/api/openapi.json, half of them with something that the document
forbids. They are sent for a visitor, a player, an organiser and a referee of a small world; most name things that exist. Each
request is rolled back. An answer is a fault if it is a 5xx, or if its status, content type, headers or body are not
documented. `--only TEXT` takes the operations whose name contains it, such as `--only "POST /api/v1/cases"`.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

ROLES = {"visitor": None, "player": "captain", "organiser": "club_organiser", "referee": "case_referee"}
REAL = 0.85  # of the requests name things that exist
# Fields of bodies that hold names, each with the names of the world that fit it.
FITTING = {
    "club": ("club",), "team": ("team",), "player": ("captain", "player", "partner"), "leaves": ("captain",),
    "comes": ("player",), "offender": ("captain",), "other": ("match",), "code": ("step",),
    "players": ("captain", "player"), "substitutes": ("player",), "order": ("entry",),
}  # fmt: skip
# Parameters of paths, by what stands before them.
PLACES = {
    "competitions": ("event", "empty", "drawn", "league"), "entries": ("entry", "playing"), "matches": ("match",),
    "clubs": ("club",), "teams": ("team",), "players": ("captain", "stranger"), "cases": ("case",), "games": ("game",),
    "invitations": ("invitation",), "notices": ("notice",), "journal": ("stream",), "ladders": ("ladder",),
    "rule-sets": ("page",), "corrections": ("one",),
}  # fmt: skip


@dataclass
class Outcome:
    """What was sent for one role, and what was wrong."""

    operations: set[str] = field(default_factory=set)
    statuses: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    @property
    def cases(self) -> int:
        return self.statuses.total()


@contextmanager
def stage() -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Build a small world in a database of this process; yield its names, and the token of each role."""
    from django.conf import settings
    from django.core.signals import request_finished, request_started
    from django.db import close_old_connections, connection, transaction
    from django.test.utils import setup_test_environment, teardown_test_environment

    from tests import migrated
    from tests.api.calling import a_token
    from tests.api.test_matrix import things_of_deeds
    from tests.competitions.world import FIRST_ROUND
    from tests.permissions.world import build
    from tock_league.common import clock

    setup_test_environment()
    for signal in (request_started, request_finished):  # every request is in the one transaction of this process
        signal.disconnect(close_old_connections)
    connection.creation.create_test_db(verbosity=0, autoclobber=True, keepdb=migrated.provide())
    settings.API_MINUTE_WITHOUT_LOGIN = settings.API_MINUTE_PER_PERSON = settings.API_MINUTE_WRITES = 10**9
    try:
        with clock.frozen(FIRST_ROUND), transaction.atomic():
            world = build()
            names = things_of_deeds(world) | {
                "stream": "open", "ladder": "shawinigan:2", "page": "shawinigan-1", "one": "1", "step": "close",
            }  # fmt: skip
            yield names, {role: a_token(world.player(who)).secret for role, who in ROLES.items() if who}
            transaction.set_rollback(True)
    finally:
        connection.creation.destroy_test_db("", verbosity=0, keepdb=True)
        teardown_test_environment()


def place(path: str, parameters: Mapping[str, Any], names: Mapping[str, str], roll: Random) -> dict[str, Any]:
    """Return the parameters of a path, most of them naming things that exist."""
    parts, found = path.split("/"), dict(parameters)
    for at, part in enumerate(parts):
        name = part[1:-1] if part.startswith("{") else ""
        if name in found and parts[at - 1] in PLACES and roll.random() < REAL:
            found[name] = names[roll.choice(PLACES[parts[at - 1]])]
    return found


def fit(body: Any, names: Mapping[str, str], roll: Random) -> Any:
    """Return a body in which most of the names are those of things that exist."""
    if not isinstance(body, dict):
        return body
    made = dict(body)
    for key, kinds in FITTING.items():
        if key in made and roll.random() < REAL:
            real = names[roll.choice(kinds)]
            made[key] = [real] if isinstance(made[key], list) else real if isinstance(made[key], str) else made[key]
    return made


def run(cases: int, seed: int, minutes: float, only: str) -> int:
    """Fuzz every operation for every role; print figures and faults; return 0 if there was no fault."""
    import schemathesis
    from django.core.wsgi import get_wsgi_application

    began, outcomes = time.monotonic(), {role: Outcome() for role in ROLES}
    with stage() as (names, tokens):
        document = schemathesis.openapi.from_wsgi("/api/v1/schema", get_wsgi_application())
        operations: list[Any] = [found.ok() for found in document.get_all_operations()]  # type: ignore[union-attr]
        wanted = [one for one in operations if only in one.label]
        for done, operation in enumerate(wanted):
            if (time.monotonic() - began) / 60 > minutes:
                print(f"out of time: {done} of {len(wanted)} operations were tried")
                break
            for role, outcome in outcomes.items():
                for mode in schemathesis.GenerationMode:
                    attack(operation, mode, outcome, names, tokens.get(role, ""), count=cases // 2, seed=seed)
            if done % 20 == 19:
                print(f"{done + 1} operations after {time.monotonic() - began:.0f} s", flush=True)
    return told(outcomes, time.monotonic() - began)


def attack(
    operation: Any, mode: Any, outcome: Outcome, names: Mapping[str, str], token: str, *, count: int, seed: int
) -> None:
    """Send `count` requests of the operation and judge the answers."""
    import hypothesis
    from django.core.cache import cache
    from django.db import transaction
    from hypothesis import strategies
    from hypothesis.errors import HypothesisException
    from schemathesis import checks
    from schemathesis.checks import load_all_checks

    load_all_checks()
    judges = [checks.CHECKS.get_one(name) for name in CHECKED]

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=max(count, 1),
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(operation.as_strategy(mode), strategies.randoms(use_true_random=False))
    def send(case: Any, roll: Random) -> None:
        case.path_parameters = place(operation.path, case.path_parameters or {}, names, roll)
        case.body = fit(case.body, names, roll)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if operation.method != "get" and roll.random() < REAL:
            headers["Idempotency-Key"] = f"{roll.getrandbits(64):016x}"
        cache.clear()
        before = transaction.savepoint()
        try:
            answer = case.call(headers=headers)
        finally:
            transaction.savepoint_rollback(before)
        outcome.operations.add(operation.label)
        outcome.statuses[answer.status_code] += 1
        # `fields` leaves out fields that the whole answer must have.
        fitting = judges[:-1] if "fields" in (case.query or {}) else judges
        try:
            case.validate_response(answer, checks=fitting)
        except BaseExceptionGroup as found:
            for fault in found.exceptions:
                name = f"{operation.label}: {getattr(fault, 'title', type(fault).__name__)}"
                outcome.faults[name] += 1
                outcome.examples.setdefault(name, f"{answer.status_code} {answer.content[:300]!r}\n{str(fault)[:600]}")

    try:
        send()
    except HypothesisException as error:  # nothing can be wrong with a request that has neither parameters nor a body
        if "Unable to satisfy" not in str(error):
            raise


CHECKED = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)


def told(outcomes: Mapping[str, Outcome], seconds: float) -> int:
    """Print the figures of each role, and every fault with an example; return 0 if there was none."""
    for role, outcome in outcomes.items():
        statuses = ", ".join(f"{count} × {status}" for status, count in sorted(outcome.statuses.items()))
        broken = sum(count for status, count in outcome.statuses.items() if status >= 500)
        print(
            f"{role}: {len(outcome.operations)} operations, {outcome.cases} cases, {broken} answers of 5xx, "
            f"{outcome.faults.total()} faults ({statuses})"
        )
    found: dict[str, str] = {}
    for outcome in outcomes.values():
        found |= outcome.examples
    for name, example in sorted(found.items()):
        print(f"FAULT {name}\n  {example}".replace("\n", "\n  "))
    print(f"{len(found)} kinds of fault, {seconds:.0f} s")
    return int(bool(found))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=40, help="requests for each operation and role")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--only", default="", help="operations whose name contains this")
    asked = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tock_league.settings.test"
    os.environ.pop("TOCK_TEST_DATABASE_URL", None)
    import django

    django.setup()
    import logging

    logging.disable(logging.CRITICAL)
    return run(asked.cases, asked.seed, asked.minutes, asked.only)


if __name__ == "__main__":
    sys.exit(main())
