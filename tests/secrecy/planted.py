"""Leaks for the search for names: a card in a log line, a metric, the cache, a task, a file, a row, a frame, a page."""

import logging
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any
from unittest import mock

from django.core.cache import cache

from games.families.tock.table import Tock
from games.selectors import tables as table_reader
from games.services import results
from tock_league.common import outbox
from tock_league.common.metrics import PLAYS
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import writing

from .leaks import TOCK, TRACTOR
from .play import Kind
from .tracker import hands


def _at_each_write(work: Callable[[str], object]) -> Callable[[], AbstractContextManager[Any]]:
    """Return a leak that does `work` with a card of seat 2 whenever rows are written."""

    @contextmanager
    def leak() -> Iterator[None]:
        real = results.write

        def write(draft: Any) -> None:
            real(draft)
            held = hands(draft.state.position)[2] if draft.state.position is not None else []
            if held:
                work(held[0])

        with mock.patch.object(results, "write", write):
            yield

    return leak


def _to_a_file(card: str) -> None:
    with tempfile.NamedTemporaryFile("w", delete=False) as file:
        file.write(card)


def _in_a_task(card: str) -> None:
    outbox.enqueue("tests.nothing", card, body=card)


@contextmanager
def _task() -> Iterator[None]:
    with _at_each_write(_in_a_task)():
        yield
    with writing():
        OutboxRow.objects.filter(task="tests.nothing").delete()


@contextmanager
def _metric() -> Iterator[None]:
    found: list[str] = []
    with _at_each_write(lambda card: found.append(card) or PLAYS.labels(card).inc())():
        yield
    for card in set(found):
        PLAYS.remove(card)


@contextmanager
def _page() -> Iterator[None]:
    """The page of a table has the hands in its data."""
    from games import store

    real = table_reader.boot

    def boot(table: Any, game: Any, viewer: Any, seats: Any) -> dict[str, Any]:
        position = store.current(game).position
        return real(table, game, viewer, seats) | {"n": hands(position) if position is not None else []}

    with mock.patch.object(table_reader, "boot", boot):
        yield


@contextmanager
def _frame() -> Iterator[None]:
    with mock.patch.object(Tock, "line", lambda family, row, viewer, setup: row.body["play"]):
        yield


def clean(folder: Path) -> None:
    """Remove what a leak has left behind."""
    cache.clear()
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def _everywhere() -> Iterator[None]:
    """A card is written to the log, a metric, the cache, a task and a temporary file."""
    told = logging.getLogger("games.live")
    with (
        _at_each_write(lambda card: told.debug("seat 2 holds %s", card))(),
        _at_each_write(lambda card: cache.set("hand", card))(),
        _at_each_write(_to_a_file)(),
        _metric(),
        _task(),
    ):
        yield


# Name, table, rows to be played, where it must be found, and the leak.
ALL: tuple[tuple[str, Kind, int, tuple[str, ...], Callable[[], AbstractContextManager[Any]]], ...] = (
    ("nothing", TOCK, 40, (), nullcontext),
    ("nothing", TRACTOR, 50, (), nullcontext),
    (
        "everywhere",
        TOCK,
        16,
        ("the log", "metrics", "the cache", "tasks", "the file", "table common_outboxrow"),
        _everywhere,
    ),
    ("a frame", TOCK, 16, ("socket",), _frame),
    ("a page", TRACTOR, 80, ("/tables/",), _page),
)
