"""Bots search in processes of their own, which always end with their parent and may be killed at any time."""

import json
import logging
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.test import override_settings

from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from games.services import search_pool
from games.services.search_pool import NoProcess, SearchFailed, SearchLost, SearchPool, cores, wanted
from tests.boards import at

ROOT = Path(__file__).resolve().parent.parent.parent
LONG = 60.0


def question(p: Position, **more: Any) -> dict[str, Any]:
    legal = [play.text for play in GAME.legal_plays(p)]
    return {"view": GAME.view(p, p.turn), "legal": legal, "level": "master", "seat": p.turn, "seen": []} | more


def win_in_one() -> dict[str, Any]:
    return question(at(marbles="0: h2 h3 h4 t69 / 2: h1 h2 h3 h4 / 1: t71", hands="0: 2H 9C KS"))


def endless() -> dict[str, Any]:
    """Two plays of equal value: only time ends the search."""
    p = at(marbles="0: t12 / 1: t20 / 3: t50", hands="0: 9C 9S / 1: 2H 3H / 2: 5S 5D / 3: 4S KD")
    return question(p)


def gone(pid: int) -> bool:
    """Return whether a child process has ended and was reaped."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture(scope="module")
def pool() -> Iterator[SearchPool]:
    """One pool for the tests of this module; each test leaves it usable."""
    with override_settings(TOCK_BOT_PROCESSES=1):
        pool = SearchPool()
        yield pool
        pids = pool.pids()
        pool.close()
        assert all(map(gone, pids))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Is set when a process has been asked and has not answered yet."""
    event, hear = threading.Event(), search_pool._Process.hear

    def listen(process: Any, patience: float) -> dict[str, Any]:
        if patience > LONG:
            event.set()
        return hear(process, patience)

    monkeypatch.setattr(search_pool._Process, "hear", listen)
    return event


@pytest.fixture
def aside() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as threads:
        yield threads


class TestAPool:
    def test_a_search_runs_in_another_process_which_stays(self, pool: SearchPool) -> None:
        assert pool.search(win_in_one(), 5.0) == "2H t69-h1"
        (pid,) = pool.pids()
        assert pid != os.getpid()
        assert pool.search(win_in_one(), 5.0) == "2H t69-h1"
        assert pool.pids() == [pid]

    def test_a_process_runs_at_a_lower_priority_and_without_our_environment(
        self, pool: SearchPool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pool.close()
        monkeypatch.setenv("DATABASE_URL", "sqlite:///secret")
        pool.search(win_in_one(), 5.0)
        (pid,) = pool.pids()
        assert os.getpriority(os.PRIO_PROCESS, pid) == os.getpriority(os.PRIO_PROCESS, 0) + 10
        environment = Path(f"/proc/{pid}/environ")
        if environment.exists():
            assert b"DATABASE_URL" not in environment.read_bytes()

    def test_a_process_loads_neither_django_nor_a_database_driver(self) -> None:
        words = "import games.services.search_process as p, sys; p.registry.entries(); print(*sys.modules)"
        done = subprocess.run([sys.executable, "-S", "-c", words], cwd=ROOT, capture_output=True, text=True, check=True)
        assert not {"django", "psycopg", "sqlite3", "multiprocessing", "asyncio"} & set(done.stdout.split())

    def test_the_time_limit_ends_a_search(self, pool: SearchPool) -> None:
        pool.search(win_in_one(), 5.0)
        began = time.monotonic()
        assert pool.search(endless(), 0.3) in endless()["legal"]
        assert 0.3 <= time.monotonic() - began < 0.3 + search_pool.GRACE_S

    def test_a_search_that_does_not_end_in_time_is_lost_with_its_process(
        self, pool: SearchPool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pool.search(win_in_one(), 5.0)
        (pid,) = pool.pids()
        os.kill(pid, signal.SIGSTOP)
        monkeypatch.setattr(search_pool, "GRACE_S", 0.2)
        with pytest.raises(SearchLost):
            pool.search(win_in_one(), 0.1)
        assert gone(pid)

    def test_a_killed_process_costs_the_search_that_ran_and_no_other(
        self, pool: SearchPool, asked: threading.Event, aside: ThreadPoolExecutor
    ) -> None:
        pool.search(win_in_one(), 5.0)
        (pid,) = pool.pids()
        lost = aside.submit(pool.search, endless(), LONG)
        assert asked.wait(10)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(SearchLost):
            lost.result(10)
        assert gone(pid)
        assert pool.search(win_in_one(), 5.0) == "2H t69-h1"

    def test_a_process_killed_between_two_searches_costs_no_search(self, pool: SearchPool) -> None:
        pool.search(win_in_one(), 5.0)
        (pid,) = pool.pids()
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert pool.search(win_in_one(), 5.0) == "2H t69-h1"
        assert gone(pid)

    def test_an_error_of_the_bot_is_reported_and_the_process_stays(self, pool: SearchPool) -> None:
        pool.search(win_in_one(), 5.0)
        before = pool.pids()
        with pytest.raises(SearchFailed, match="no level 'genius'"):
            pool.search(win_in_one() | {"level": "genius"}, 5.0)
        assert pool.search(win_in_one(), 5.0) == "2H t69-h1"
        assert pool.pids() == before

    def test_a_stop_lets_a_search_return_the_best_play_so_far(
        self, pool: SearchPool, asked: threading.Event, aside: ThreadPoolExecutor
    ) -> None:
        running = aside.submit(pool.search, endless(), LONG)
        assert asked.wait(20)
        (pid,) = pool.pids()
        pool.hurry()
        with pytest.raises(NoProcess):
            pool.search(win_in_one(), 5.0)
        assert running.result(10) in endless()["legal"]
        pool.close()
        assert pool.pids() == []
        assert gone(pid)

    def test_a_stop_while_a_process_starts_ends_it_too(self, pool: SearchPool, monkeypatch: pytest.MonkeyPatch) -> None:
        pool.close()
        hear, pids = search_pool._Process.hear, []

        def stop(process: Any, patience: float) -> dict[str, Any]:
            pids.append(process.pid)
            pool.hurry()
            return hear(process, patience)

        monkeypatch.setattr(search_pool._Process, "hear", stop)
        with pytest.raises(NoProcess):
            pool.search(win_in_one(), LONG)
        pool.close()
        assert gone(pids[0])

    def test_each_thread_that_searches_has_a_process(
        self, pool: SearchPool, asked: threading.Event, aside: ThreadPoolExecutor
    ) -> None:
        first = aside.submit(pool.search, endless(), LONG)
        assert asked.wait(20)
        assert pool.search(win_in_one(), 5.0) == "2H t69-h1"
        assert len(pool.pids()) == 2
        pool.close()
        assert first.result(10)


class TestWhereNoneStarts:
    @pytest.mark.parametrize("program", ["/no/such/program", shutil.which("false")])
    def test_the_failure_is_logged_once_and_tried_again_later(
        self, program: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, settings: Any
    ) -> None:
        settings.TOCK_BOT_PROCESSES = 1
        pool = SearchPool()
        with monkeypatch.context() as patch, caplog.at_level(logging.WARNING, search_pool.__name__):
            patch.setattr(sys, "executable", program)
            for _ in range(2):
                with pytest.raises(NoProcess):
                    pool.search(win_in_one(), 5.0)
            assert len(caplog.records) == 1
        with pytest.raises(NoProcess):
            pool.search(win_in_one(), 5.0)
        monkeypatch.setattr(pool, "_again_at", 0.0)
        assert pool.search(win_in_one(), 5.0) == "2H t69-h1"
        pool.close()


def test_if_no_thread_can_be_started_no_process_is_left(pool: SearchPool, monkeypatch: pytest.MonkeyPatch) -> None:
    pool.search(win_in_one(), LONG)

    def start(self: threading.Timer) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Timer, "start", start)
    monkeypatch.setattr(search_pool, "AGAIN_S", 0.0)
    for _ in range(3):
        with pytest.raises(NoProcess):
            pool.search(win_in_one(), LONG)
    assert pool.pids() == []
    monkeypatch.undo()
    assert pool.search(win_in_one(), LONG) == "2H t69-h1"


def test_the_number_of_processes_follows_the_setting_or_the_cores(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.TOCK_BOT_PROCESSES = None
    for count, expected in ((1, 1), (2, 1), (4, 3), (64, 4)):
        monkeypatch.setattr(search_pool, "cores", lambda count=count: count)
        assert wanted() == expected
    settings.TOCK_BOT_PROCESSES = 0
    assert wanted() == 0
    with pytest.raises(NoProcess):
        SearchPool().search(win_in_one(), 1.0)
    limit, all_of_them = tmp_path / "cpu.max", cores(tmp_path / "none")
    assert all_of_them >= 1
    for text, count in (("max 100000", all_of_them), ("50000 100000", 1), ("what", all_of_them)):
        limit.write_text(text, encoding="ascii")
        assert cores(limit) == count


PARENT = """
import json, sys
from django.conf import settings
settings.configure(TOCK_BOT_PROCESSES=1)
from games.services import search_pool
hear = search_pool._Process.hear
def listen(process, patience):
    if patience > 60:
        print(process.pid, flush=True)
    return hear(process, patience)
search_pool._Process.hear = listen
search_pool.SearchPool().search(json.loads(sys.argv[1]), 60.0)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_death_of_the_parent_ends_a_search_and_its_process(number: signal.Signals) -> None:
    words = [sys.executable, "-c", PARENT, json.dumps(endless())]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        os.kill(pid, 0)
        parent.send_signal(number)
        # The search has the stderr of its parent: the pipe closes when both have ended.
        assert "Traceback" not in parent.communicate(timeout=10)[1]


def search_in_a_daemon(answers: Any) -> None:
    site.TOCK_BOT_PROCESSES = 1
    pool = SearchPool()
    answers.put(pool.search(win_in_one(), 5.0))
    pool.close()


def test_a_daemonic_process_like_those_of_celery_can_search() -> None:
    context = multiprocessing.get_context("spawn")
    answers = context.SimpleQueue()
    child = context.Process(target=search_in_a_daemon, args=(answers,), daemon=True)
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert answers.get() == "2H t69-h1"
