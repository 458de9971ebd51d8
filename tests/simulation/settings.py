"""The tests' settings on a database of the simulation's own, one for each process that plays games."""

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
# What is logged as an error is a fault of the game and stands in its history.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"nothing": {"class": "logging.NullHandler"}},
    "root": {"handlers": ["nothing"], "level": "WARNING"},
}
