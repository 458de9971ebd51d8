"""`python -m tests.simulation --seeds 1..10000 [--jobs 2]`, `--seed 7 [--log]`, `--faults`."""

import os
import sys
import tempfile
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")


def run() -> int:
    """Run the command with a folder for its databases, in memory if the machine has such a folder."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.simulation.settings"
    os.environ.pop("TOCK_TEST_DATABASE_URL", None)
    where = SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="tock-simulation-", dir=where) as folder:
        os.environ["TOCK_SIMULATION"] = folder
        import django

        django.setup()
        from tests.simulation.command import main

        return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(run())
