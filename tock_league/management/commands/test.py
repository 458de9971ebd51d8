"""`python3 manage.py test [pytest arguments]`: the whole suite, on both databases and in browsers, with one last line.

Each part is a pytest of its own process: Playwright's loop and the asyncio tests never share one, and the settings and
warnings of the tests hold from the first line.
"""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from tests.runs import whole_or_named

HELP = """usage: manage.py test [--db sqlite|postgresql] [pytest arguments]

Without paths: the whole suite in parts (SQLite; PostgreSQL; browsers, on both); other pytest arguments go to each part.
With paths (tests/games, tests/games/test_play.py::test_name): these once, on SQLite or the database --db names.
TOCK_REQUIRE=browser,postgresql,redis turns the absence of these from skips into failures. CHROMIUM names a browser."""


class Command(BaseCommand):
    help = "Run the tests."

    def run_from_argv(self, argv: list[str]) -> None:
        """Take the arguments as they are, for they are pytest's; exit with the runner's code."""
        words = argv[2:]
        if {"-h", "--help"} & set(words):
            print(HELP)
            return
        sys.exit(whole_or_named(words))

    def handle(self, *args: Any, **options: Any) -> None:
        """Run as part of another command (`check_all`)."""
        code = whole_or_named(list(args))
        if code:
            sys.exit(code)
