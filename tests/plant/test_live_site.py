"""The site inside the test process is complete: pages, worker, beat."""

import socket
import urllib.request

import pytest
from django.core.cache import cache

from tests.servers.site import LiveSite, eventually
from tock_league.common import outbox, tasks
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import writing


def test_a_page_answers(live_site: LiveSite) -> None:
    with urllib.request.urlopen(live_site.url + "/health/ready", timeout=10) as answer:
        assert answer.status == 200


def test_a_task_is_done_by_the_worker_thread(live_site: LiveSite) -> None:
    cache.delete("pulse:worker")
    tasks.worker_pulse.delay()
    assert eventually(lambda: cache.get("pulse:worker"))


def test_an_outbox_row_whose_task_failed_is_kept_for_the_sweep(live_site: LiveSite) -> None:
    with writing():
        outbox.enqueue("tock_league.common.tasks.no_such_task", "test")
    row = eventually(lambda: OutboxRow.objects.filter(attempts=1).first())
    assert row.done_at is None


def test_the_port_stays_when_the_web_server_restarts(live_site: LiveSite) -> None:
    before = live_site.url
    live_site.stop_web()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(before + "/health/live", timeout=2)
    live_site.start_web()
    assert live_site.url == before
    with urllib.request.urlopen(before + "/health/live", timeout=10) as answer:
        assert answer.status == 200


def test_one_test_leaves_no_rows_for_the_next(live_site: LiveSite) -> None:
    assert OutboxRow.objects.count() == 0


def test_the_network_beyond_this_machine_is_closed() -> None:
    with socket.socket() as reaching, pytest.raises(RuntimeError, match="reached for the network"):
        reaching.connect(("192.0.2.1", 80))
