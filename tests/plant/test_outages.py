"""Production under load and without its servers: one web process, a PostgreSQL and a Redis that the tests stop and
freeze."""

import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.conftest import absent
from tests.servers.programs import NotHere
from tests.servers.site import eventually

from .crowd import Answer, Guest, all_at_once, ask, page, slowest
from .outage import Site, one_web_process, refused_in_order, without_database
from .production import Client

pytestmark = pytest.mark.redis


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Give a production of one web process, with its own servers."""
    try:
        with one_web_process(tmp_path_factory.mktemp("outages")) as running:
            yield running
    except NotHere as reason:
        absent("postgresql", reason)


def test_fifty_snaps_and_forty_long_polls_at_once_do_not_stop_another_table(site: Site) -> None:
    martine = site.signed_in()
    crowded, other = Guest.sits_down(site.port), Guest.sits_down(site.port)
    eventually(
        lambda: crowded.view()["ready"] == [False, True, True, True], seconds=20
    )  # the bots get ready one after the other
    seq = ask(Client(site.port), "GET", crowded.path("snap")).json()["seq"]
    poll = crowded.path(f"events?epoch=0&since={seq}&wait=25")
    with ThreadPoolExecutor(40) as polls, other.socket() as table:
        waiting = [polls.submit(ask, Client(site.port), "GET", poll) for _ in range(40)]
        snaps: list[Answer] = []
        crowd = threading.Thread(
            target=lambda: snaps.extend(all_at_once(50, lambda: ask(martine, "GET", crowded.path("snap"))))
        )
        crowd.start()
        acknowledged = [table.command("phrase", "0.1", code="thanks") for _ in range(10)]
        crowd.join()
        pages = all_at_once(20, lambda: page(martine))
        sent_away = [each.result() for each in waiting if each.done()]
        still = [each for each in waiting if not each.done()]
        assert crowded.command("ready", "0.1").status == 200
        polled = [each.result() for each in still]
    assert {answer["t"] for answer, _ in acknowledged} == {"ack"}
    assert max(seconds for _, seconds in acknowledged) < 2.0
    assert [answer for answer in [*snaps, *pages] if answer.status != 200 and not refused_in_order(answer)] == []
    assert len([answer for answer in snaps if answer.status == 200]) >= 8  # all fifty on an idle machine
    assert slowest([*snaps, *pages]) < 10.0
    assert [answer for answer in sent_away if not refused_in_order(answer)] == []
    assert len(polled) >= 20
    assert {answer.json()["t"] for answer in polled} == {"ev"}


def test_without_postgresql_requests_fail_at_once_and_play_goes_on_when_it_is_back(
    site: Site,
) -> None:
    report = without_database(site, seconds=10.0)
    assert report.slowest_refusal < 2.0
    assert report.resumed_after < 10.0
    assert report.page_after < 10.0


@pytest.mark.parametrize("how", ["frozen", "killed"])
def test_without_redis_people_sign_in_and_play_and_the_site_says_that_it_is_ready(site: Site, how: str) -> None:
    talks, plays = Guest.sits_down(site.port), Guest.sits_down(site.port)
    assert plays.command("ready", "0.1").status == 200
    eventually(lambda: plays.view()["phase"] != "seating", seconds=20)
    turn = plays.view()["decision"]
    with talks.socket() as table:
        begun = time.monotonic()
        if how == "frozen":
            site.redis.freeze()
        else:
            site.redis.stop(signal.SIGKILL)
        try:
            said = [table.command("phrase", "0.1", code="thanks") for _ in range(5)]
            sits_down = Guest.sits_down(site.port)
            played = [sits_down.command("ready", "0.1"), plays.command("resign", turn)]
            welcome = page(site.signed_in())
            ready = ask(Client(site.port), "GET", "/health/ready")
        finally:
            site.redis.thaw() if how == "frozen" else site.redis.start()
    assert [answer for answer, seconds in said if answer["t"] != "ack" or seconds > 1.0] == []
    assert [answer for answer in played if answer.json()["t"] != "ack" or answer.seconds > 1.0] == []
    assert "Martine" in welcome.body
    assert (ready.status, ready.json()["degraded"], ready.json()["redis"]) == (200, ["redis"], False)
    assert ready.seconds < 2.0
    assert time.monotonic() - begun < 20.0
    eventually(lambda: ask(Client(site.port), "GET", "/health/ready").json()["redis"], seconds=10)
