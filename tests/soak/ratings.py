"""Many histories of a ladder: `python -m tests.soak.ratings [--runs 500] [--from 0] [--database both]`.

See tests/ratings/machine.py. Besides, a recomputation is killed at 100 points.
"""

import argparse
import os
import subprocess
import sys

from tests.runs import ROOT

DATABASES = {"both": ["sqlite", "postgresql"], "sqlite": ["sqlite"], "postgresql": ["postgresql"]}
FILES = ["tests/ratings/test_machine.py", "tests/ratings/test_killed.py"]


def main() -> int:
    """Run the histories on each database; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed")
    parser.add_argument("--database", choices=list(DATABASES), default="both")
    given = parser.parse_args()
    own = {
        "TOCK_RATINGS_FROM": str(given.first), "TOCK_RATINGS_SEEDS": str(given.first + given.runs), "TOCK_KILLS": "100"
    }  # fmt: skip
    failed = 0
    for database in DATABASES[given.database]:
        words = [sys.executable, "manage.py", "test", "--db", database, "-q", *FILES]
        failed |= subprocess.run(words, cwd=ROOT, env=os.environ | own, check=False).returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
