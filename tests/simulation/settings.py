"""The test settings with a separate database for each process that plays games."""

import os
from pathlib import Path

from tock_league.settings.test import *  # noqa: F403
from tock_league.settings.test import DATA

FOLDER = Path(os.environ.get("TOCK_SIMULATION", DATA))
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(FOLDER / f"{os.getpid()}.sqlite3"),
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 1,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA foreign_keys=ON;",
        },
    }
}
# Logged errors are reported as faults in the history of the game.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"nothing": {"class": "logging.NullHandler"}},
    "root": {"handlers": ["nothing"], "level": "WARNING"},
}
