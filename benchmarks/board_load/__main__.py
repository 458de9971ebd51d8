"""`python -m benchmarks.board_load RATINGS CLUBS LADDERS GAMES REPEATS`: run with Django set up; the last line is JSON."""

import gc
import json
import resource
import sys
import time

import django

PATIENCE = 5.0


def main() -> None:
    """Fill, recompute the first ladder, request the pages."""
    ratings, clubs, ladders, games, repeats = map(int, sys.argv[1:6])
    from django.core.management import call_command

    from benchmarks.board_load.ask import ask
    from benchmarks.board_load.fill import fill
    from ratings import services
    from ratings.models import Ladder, Rating, RatingChange

    call_command("migrate", verbosity=0)
    begin = time.perf_counter()
    fill(ratings=ratings, clubs=clubs, ladders=ladders, games=games)
    print(f"filled in {time.perf_counter() - begin:.0f} s", flush=True)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin, cpu = time.perf_counter(), time.process_time()
    services.rebuild(ladder_key=Ladder.objects.order_by("pk")[0].key, cause="benchmark")
    told = {
        "rebuild": {
            "games": games,
            "wall": time.perf_counter() - begin,
            "cpu": time.process_time() - cpu,
            "MB": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
        },
        "ratings": Rating.objects.count(),
        "changes": RatingChange.objects.count(),
    }
    print(told, flush=True)
    # What filling has made is none of a web process's: a search for cycles among it took 200 ms of one request.
    gc.collect()
    gc.freeze()
    print(json.dumps({**told, "pages": ask(repeats, PATIENCE)}))


if __name__ == "__main__":
    django.setup()
    main()
