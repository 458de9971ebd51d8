"""A database that is down is distinguished from a fault of the code, and is answered with 503 wherever the error
occurs."""

import json
import logging
import sqlite3
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from tests.servers.pooled import Pooled
from tests.servers.postgres import Cluster
from tock_league.common.away import is_away, is_unreachable
from tock_league.common.http import QuietOutage
from tock_league.common.postgresql.base import DatabaseWrapper
from tock_league.common.postgresql.pool import Unreachable


def locked(folder: Path) -> OperationalError:
    """Return Django's error for a SQLite file to which another connection writes."""
    with closing(sqlite3.connect(folder / "file", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        return refused_by(folder / "file", "BEGIN IMMEDIATE")


def refused_by(file: Path | str, statement: str) -> OperationalError:
    """Return Django's error for a statement that SQLite refuses."""
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as other:
        with pytest.raises(sqlite3.OperationalError) as refused:
            other.execute(statement)
        return caused_by(refused.value)


def caused_by(cause: Exception) -> OperationalError:
    """Return the error that Django makes of the database driver's error."""
    error = OperationalError(*cause.args)
    error.__cause__ = cause
    return error


def test_a_locked_file_counts_as_down_and_a_missing_table_as_a_fault(tmp_path: Path) -> None:
    assert is_away(locked(tmp_path))
    assert not is_away(refused_by(":memory:", "SELECT * FROM nothing"))
    assert not is_away(ZeroDivisionError())
    assert not is_away(None)


@pytest.fixture
def wrapper(postgres_cluster: Cluster, django_db_blocker: Any) -> Iterator[DatabaseWrapper]:
    """Give a wrapper on a real PostgreSQL."""
    pooled = Pooled(postgres_cluster, uuid.uuid4().hex, size=1, patience=0.1)
    with django_db_blocker.unblock():
        made = pooled.wrapper()
        yield made
        made.close()
        pooled.close()


def test_a_statement_that_timed_out_counts_as_down_although_the_database_is_reachable(wrapper: DatabaseWrapper) -> None:
    with wrapper.cursor() as cursor:
        cursor.execute("SET statement_timeout = 20")
        with pytest.raises(OperationalError) as given_up:
            cursor.execute("SELECT pg_sleep(5)")
    assert (is_away(given_up.value), is_unreachable(given_up.value)) == (True, False)
    unreachable = caused_by(Unreachable("away"))
    assert (is_away(unreachable), is_unreachable(unreachable)) == (True, True)


def fails(request: HttpRequest) -> HttpResponse:
    raise caused_by(Unreachable("away"))


class Failing:
    """A middleware whose own query fails."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "early" in request.path:
            raise caused_by(Unreachable("away"))
        answer: HttpResponse = self.get_response(request)
        return answer


urlpatterns = [path("late", fails), path("early", fails), path("api/late", fails)]
handler500 = "tock_league.common.failures.broken"


@pytest.mark.parametrize("where", ["/late", "/early"])
@pytest.mark.parametrize(("language", "title"), [("fr", "fr-ca"), ("en", "en")])
def test_a_page_without_the_database_says_so_in_the_visitors_language(
    settings: Any, where: str, language: str, title: str
) -> None:
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = [f"{__name__}.Failing", "tock_league.common.http.RefusedMiddleware"]
    client = Client(raise_request_exception=False, headers={"accept-language": language})
    answer = client.get(where)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert f'<html lang="{title}">' in answer.content.decode()
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_program_gets_the_code_busy(settings: Any) -> None:
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = ["tock_league.common.http.RefusedMiddleware"]
    answer = Client().get("/api/late")
    assert (answer.status_code, json.loads(answer.content)["error"]["code"]) == (503, "busy")


def record_of(error: Exception, **more: Any) -> logging.LogRecord:
    try:
        raise error
    except Exception:
        return logging.makeLogRecord({"name": "games", "msg": "it failed", "exc_info": sys.exc_info(), **more})


def test_an_outage_does_not_log_a_traceback_for_each_request() -> None:
    quiet = QuietOutage()
    assert not quiet.filter(record_of(caused_by(Unreachable("away"))))
    assert not quiet.filter(logging.makeLogRecord({"name": "django.request", "status_code": 503}))
    fault = record_of(ZeroDivisionError())
    assert quiet.filter(fault)
    assert fault.exc_info


def test_a_locked_file_is_one_line(tmp_path: Path) -> None:
    record = record_of(locked(tmp_path))
    assert QuietOutage().filter(record)
    assert (record.getMessage(), record.exc_info) == ("it failed: database is locked", None)
