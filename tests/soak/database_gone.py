"""PostgreSQL stopped for a minute under production settings: `python -m tests.soak.database_gone [SECONDS]` (70).

Prints how fast requests were refused meanwhile, and how soon after the restart a play was acknowledged and a page
shown. Fails if a refusal takes two seconds, or if play does not continue within ten.
"""

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.test")

from tests.plant.outage import one_web_process, without_database

SLOWEST_REFUSAL_S, RESUMED_S = 2.0, 10.0


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 70.0
    with tempfile.TemporaryDirectory(prefix="tock-soak-") as folder, one_web_process(Path(folder)) as site:
        report = without_database(site, seconds=seconds)
    print(f"PostgreSQL away for {report.away:.0f} s, {len(report.refusals)} questions refused meanwhile")
    print(f"slowest refusal {report.slowest_refusal:.3f} s")
    print(
        f"first play acknowledged {report.resumed_after:.2f} s after its return, first page after {report.page_after:.2f} s"
    )
    fine = report.slowest_refusal < SLOWEST_REFUSAL_S and max(report.resumed_after, report.page_after) < RESUMED_S
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
