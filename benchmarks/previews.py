"""What a preview costs: `python benchmarks/previews.py [--database ..] [sizes ...]`.

Makes Swiss tournaments of these sizes on paper, plays two rounds, and measures a ruling that turns a result of the first
round: its preview (the service, run and rolled back, with two readings of the competition and the replay of the
ratings), its signature (the service and two readings), and the service alone. Prints the table of results.md: CPU
seconds, the ratio of the preview to the service alone, and the ratio to the target of 3 s (a ratio below 1 meets it).
"""

import argparse
import json
import platform
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

SIZES = (16, 64, 128)  # a tournament has 128 places at most
TARGET = 3.0  # seconds, without ratings
INSIDE = "--inside"


def measured(size: int) -> dict[str, Any]:
    """Return the CPU seconds of preview, signature and service for a tournament of `size`."""
    from tests.competitions.world import a_plan, a_tournament, play_on
    from tock_league.common.transactions import rolled_back, writing
    from tock_league.competitions.core.effective import EffectPlan
    from tock_league.competitions.services.changes.previews import as_seen, preview_of
    from tock_league.competitions.services.results import rulings

    cup = a_tournament(size, plan=a_plan("swiss", rounds=4))
    play_on(cup, matches=size)  # two rounds
    match = cup.matches.order_by("pk").first()
    assert match is not None
    effects = [EffectPlan("result", match.pk, 1, position) for position in (0, 1)]

    def sign(ref: str = "TL-2026-000001/1") -> object:
        return rulings.apply(competition=cup, ruling=ref, effects=effects[1:])

    def seconds(work: Any) -> float:
        best = float("inf")
        for _ in range(3):
            with writing(), rolled_back():
                begin = time.process_time()
                work()
                best = min(best, time.process_time() - begin)
        return best

    shown = preview_of(cup, sign)
    return {
        "entries": size,
        "preview": seconds(lambda: preview_of(cup, sign)),
        "signature": seconds(lambda: as_seen(cup, shown.digest, sign)),
        "service": seconds(sign),
    }


def inside(sizes: list[int]) -> None:
    """Measure in a process with Django set up and an empty database of its own."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    print(json.dumps([measured(size) for size in sizes]))


def main() -> None:
    from benchmarks.table_load.places import place

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("sizes", type=int, nargs="*", default=list(SIZES))
    given = parser.parse_args()
    with place(given.database) as made:
        told = json.loads(made.run("benchmarks.previews", INSIDE, *map(str, given.sizes)).splitlines()[-1])
    print(f"{given.database}, Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}, CPU time.\n")
    print("| entries | preview | signature | the service alone | preview / service | preview / 3 s |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in told:
        ratio = row["preview"] / row["service"]
        cells = [f"{row[name]:.2f} s" for name in ("preview", "signature", "service")]
        print(f"| {row['entries']} | {' | '.join(cells)} | {ratio:.1f} | {row['preview'] / TARGET:.2f} |")


if __name__ == "__main__":
    if INSIDE in sys.argv:
        inside([int(word) for word in sys.argv[1:] if word.isdecimal()])
    else:
        main()
