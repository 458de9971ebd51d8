"""How many transactions PostgreSQL commits: one small row each, from one connection and from eight."""

import threading
import time

import psycopg

from .counters import ask
from .places import Place, processes_of
from .process import cpu_of

SECONDS = 4.0


def rate(place: Place, connections: int) -> dict[str, float]:
    """Return commits a second, and PostgreSQL's CPU milliseconds of one."""
    assert place.cluster is not None
    name = place.cluster.url.rsplit("/", 1)[1]
    ask(place, "CREATE TABLE IF NOT EXISTS benchmark_commit (id bigserial PRIMARY KEY, body text)")
    done = [0] * connections
    until = time.perf_counter() + SECONDS

    def work(number: int) -> None:
        with psycopg.connect(host=str(place.cluster.folder), user="tock", dbname=name, autocommit=True) as mine:  # type: ignore[union-attr]
            while time.perf_counter() < until:
                mine.execute("INSERT INTO benchmark_commit (body) VALUES (%s)", ["x" * 400], prepare=True)
                done[number] += 1
            spent[number] = cpu_of(mine.info.backend_pid)

    spent = [0.0] * connections
    threads = [threading.Thread(target=work, args=(number,)) for number in range(connections)]
    before = sum(cpu_of(pid) for pid in processes_of(place.cluster))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = sum(cpu_of(pid) for pid in processes_of(place.cluster))
    ask(place, "DROP TABLE benchmark_commit")
    return {"rate": sum(done) / SECONDS, "ms": 1000 * (after - before + sum(spent)) / sum(done)}
