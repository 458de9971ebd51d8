"""`python -m tests.secrecy`: search the first seed that finds each leak, for `leaks.ALL`."""

import os
import sys
import tempfile
import time
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")


def main() -> int:
    """Print for each leak the seed that finds it within WITHIN."""
    where = SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="tock-leaks-", dir=where) as folder:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "tests.simulation.settings", "TOCK_SIMULATION": folder}
        os.environ.pop("TOCK_TEST_DATABASE_URL", None)
        import django

        django.setup()
        from tests.secrecy import leaks, pairs, stage

        stage.set_up_database()
        missed, kept = 0, {}
        with stage.ready(TOCK_DRAW_MS=600) as on_stage:
            for leak in leaks.ALL:
                begin, found = time.process_time(), 0
                for seed in range(1, 1 + leaks.WITHIN):
                    with leak.planted():
                        outcome = pairs.compare(on_stage, seed, pairs=1, kind=leak.kind, kept=kept)
                    if outcome.faults:
                        found = seed
                        break
                missed += not found
                print(
                    f"{leak.name}: seed {found}, {time.process_time() - begin:.1f} s {outcome.faults[:1]}", flush=True
                )
        return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
