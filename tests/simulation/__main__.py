"""`python -m tests.simulation --seeds 1..10000 [--jobs 2]`, `--seed 7 [--log]`, `--faults`."""

import os
import sys

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.simulation.settings"
os.environ.pop("TOCK_TEST_DATABASE_URL", None)

import django

django.setup()

from tests.simulation.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
