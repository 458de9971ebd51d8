"""A laptop in a hall that is killed: `python -m tests.soak.hall_kills [--kills 20] [--seed 1]`.

Each run certifies results on paper over http at a `serve` of its own, with copies at their real pace, kills its process in the
middle with `kill -9`, and starts another one from the newest copy in an empty folder. The former folder must hold everything
that was acknowledged, the copy everything that was acknowledged more than a minute before, and the other one must answer within
60 seconds. About two minutes a run. Prints a line for each run.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.plant.hall import Hall

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.embedded")
AGE_S = 60.0  # of what may be missing in the copy
UP_S = 60.0


def built(folder: Path) -> "Hall":
    """Return the hall in the empty folder, with its database."""
    from django.core.management import call_command

    from tests.plant.hall import a_hall
    from tock_league.upkeep import databases

    with databases.as_default(databases.opened(databases.here(NAME=folder / "tock.sqlite3"))):
        call_command("migrate", verbosity=0)
    return a_hall(folder, teams=128)


def run(seed: int, hall: "Hall", place: Path) -> str:
    """Kill one laptop; return what became of it. Raises AssertionError when something is lost."""
    from tests.plant.hall import certified_in, kill_in_the_middle
    from tests.plant.serving import serving

    dice, stick = random.Random(seed), place / "stick"
    stick.mkdir()
    waits = dice.uniform(35, 75)
    with serving(hall.data, "--no-demo", "--copy-to", str(stick)) as served:
        since = time.monotonic()
        for match in hall.waiting[:40]:  # a result every few seconds
            if time.monotonic() - since > waits:
                break
            hall.certify(served.url, match)
            time.sleep(dice.uniform(1, 4))
        killed = kill_in_the_middle(hall, served, seed)
    assert set(hall.certified) <= certified_in(hall.data / "tock.sqlite3"), f"seed {seed}: lost in the folder"
    since = time.monotonic()
    with serving(place / "another", "--from-copy", str(stick), seconds=UP_S):
        up = time.monotonic() - since
        kept = certified_in(place / "another" / "tock.sqlite3")
    old = {match for match, at in hall.certified.items() if at < killed - AGE_S}
    assert old <= kept, f"seed {seed}: lost in the copy: {old - kept}"
    missing = [killed - at for match, at in hall.certified.items() if match not in kept]
    oldest = f"{max(missing):.0f} s" if missing else "nothing"
    return (
        f"{len(hall.certified)} certified, {len(kept)} in the copy, the oldest one missing: {oldest}; up in {up:.0f} s"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.hall_kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tock-hall-soak-") as folder:
        data = Path(folder) / "club"
        os.environ["TOCK_DATA"] = str(data)
        data.mkdir()
        import django

        django.setup()
        hall = built(data)
        for seed in range(given.seed, given.seed + given.kills):
            place = Path(folder) / str(seed)
            place.mkdir()
            again = shutil.copytree(data, place / "club")
            print(f"seed {seed}: {run(seed, type(hall)(again, hall.session, hall.waiting), place)}", flush=True)
            shutil.rmtree(place)
    return 0


if __name__ == "__main__":
    sys.exit(main())
