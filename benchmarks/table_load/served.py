"""The real server in its own process: `python -m benchmarks.table_load.served PORT`.

With embedded settings it runs what `serve` runs after its migrations: worker, beat, scheduler, uvicorn. With production
settings it runs the image's command with one worker. There are two changes: rate limits are raised, because one driver
plays at many tables, and the data requested by BENCHMARK_PROFILE and BENCHMARK_TRACE is written when the process ends.
"""

import json
import os
import re
import sys

import django

from .places import ROOT
from .watching import Profiler, Tracer


def lift_limits() -> None:
    """Raise the rate limits of frames and commands, as `no_limits` does for the tests of the live table, and the limits
    for one address and one person: all screens belong to the driver. A server with a profiler also gets more time for
    the first frame of each socket."""
    from django.conf import settings

    from games.live import doors, limits

    for name in ("LIVE_SOCKETS", "LIVE_SOCKETS_PER_ADDRESS", "LIVE_SOCKETS_PER_PERSON"):
        setattr(settings, name, 100_000)

    for name in ("frames", "commands"):
        setattr(limits, name, lambda: limits.Rate(100_000, 1.0))
    doors.JOIN_S = 60.0


def words_of_the_image(port: int) -> list[str]:
    """Return the command of the Dockerfile for one process on this machine."""
    image = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    words = json.loads(re.findall(r"^CMD (\[.*\])", image, re.MULTILINE)[-1])
    here = {"0.0.0.0": "127.0.0.1", "8000": str(port)}
    return [here.get(word, word) for word in (*words, "--workers", "1")]


def main(port: int) -> None:
    """Serve until a signal."""
    profiler = Profiler(os.environ["BENCHMARK_PROFILE"]) if "BENCHMARK_PROFILE" in os.environ else None
    tracer = Tracer(os.environ["BENCHMARK_TRACE"]) if "BENCHMARK_TRACE" in os.environ else None
    if tracer is not None:
        tracer.start()
    django.setup()
    lift_limits()
    if profiler is not None:
        profiler.start()
    if os.environ["DJANGO_SETTINGS_MODULE"].endswith("embedded"):
        from tock_league.embedded.process import run
        from tock_league.embedded.server import bound_socket

        run(bound_socket("127.0.0.1", port), lambda: None, lambda line: None)
    else:
        from tock_league.embedded.web import main as serve

        serve(words_of_the_image(port)[3:])  # behind `python -m tock_league.embedded.web`


if __name__ == "__main__":
    main(int(sys.argv[1]))
