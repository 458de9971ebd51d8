"""Production under load and without its servers: one web process, a PostgreSQL and a Redis that the tests stop and
freeze."""

import asyncio
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.conftest import absent
from tests.servers.programs import NotHere
from tests.servers.site import eventually
from tests.soak.faults.house import House
from tests.soak.faults.kinds import possible
from tests.soak.faults.opening import guest_table
from tests.soak.faults.run import Run
from tests.soak.faults.witness import Witness

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


# The tests above freeze and kill Redis and stop PostgreSQL, the one below empties Redis; the soak has every kind in
# hundreds of runs (CONTRIBUTING.md).
KINDS = ("kill-web", "cut-off")
Rows = list[tuple[Any, ...]]


class Amended(Witness):
    """A witness that reads other rows of one game than those that are stored."""

    def __init__(self, folder: str, name: str, amend: Callable[[Rows], Rows]) -> None:
        super().__init__(folder, name)
        self.amend = amend

    def ask(self, sql: str, *params: Any) -> Rows:
        found = super().ask(sql, *params)
        return self.amend(found) if "FROM games_gameevent" in sql and "ORDER BY seq" in sql else found


@pytest.fixture
def house(site: Site) -> House:
    """Return the site as something that faults can hit."""
    return House(site.production, site.database, site.redis, {"web": site.port}, {"web": site.words})


def run_of(house: House, seed: int, kind: str = "") -> Run:
    """Play and judge the run of a seed at two practice tables."""
    witness = Witness(str(house.database.folder), house.name)
    run = Run(house, seed, [guest_table(house, witness) for _ in range(2)], witness, kind)
    asyncio.run(run.play())
    witness.close()
    return run


@pytest.mark.slow
def test_what_is_acknowledged_survives_real_faults_in_order_and_once(house: House) -> None:
    house.new_lines()  # of the tests before
    assert set(KINDS) < set(possible(house))
    runs = [run_of(house, seed, kind) for seed, kind in enumerate(KINDS)]
    assert {run.kinds[0]: run.faults for run in runs if run.faults} == {}
    assert {run.kinds[0]: run.counts for run in runs if run.counts["ack"] < 4 or run.counts["rows"] < 12} == {}


def test_the_checker_of_real_faults_finds_a_lost_a_doubled_and_a_late_row(house: House) -> None:
    run = run_of(house, 1, "flush")
    assert run.faults == []

    def faults(amend: Callable[[Rows], Rows]) -> str:
        run.witness, run.faults = Amended(str(house.database.folder), house.name, amend), []
        run.judge()
        run.witness.close()
        return "\n".join(run.faults)

    def acknowledged(rows: Rows) -> int:
        return next(place for place in reversed(range(len(rows))) if rows[place][7])

    def lost(rows: Rows) -> Rows:
        return [row for place, row in enumerate(rows) if place != acknowledged(rows)]

    def doubled(rows: Rows) -> Rows:
        last = rows[acknowledged(rows)]
        return [*rows, (len(rows) + 1, *last[1:])]

    def timed_out(rows: Rows) -> Rows:
        return [*rows, (len(rows) + 1, "play", "timeout", '{"seat": 0}', "system", rows[-1][5], 0, "", "", "")]

    assert re.search(r"was acknowledged as \[\d+\], the record has it at \[\]|cannot follow row", faults(lost))
    assert re.search(r"is in the record 2 times|cannot follow row", faults(doubled))
    assert faults(timed_out) != ""
    assert faults(lambda rows: rows) == ""
