"""`python -m tests.live.fuzz 10000 [seed] [--unguided]`: send this many hostile frames; print figures and faults."""

import os
import sys

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.simulation.settings"
os.environ.pop("TOCK_TEST_DATABASE_URL", None)

import django

django.setup()

from tests.live.fuzz.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
