"""The tests' settings. SQLite in a file (threads share it), or the cluster named by TOCK_TEST_DATABASE_URL."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import environ

from .base import *  # noqa: F403

SECRET_KEY = "for tests only, never served to anybody"
ALLOWED_HOSTS = ["*"]
DATA = Path(tempfile.gettempdir()) / f"tock-test-{os.getpid()}"
DATA.mkdir(parents=True, exist_ok=True)
atexit.register(shutil.rmtree, DATA, ignore_errors=True)

if url := os.environ.get("TOCK_TEST_DATABASE_URL"):
    DATABASES = {"default": environ.Env.db_url_config(url)}
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    DATABASES["default"]["OPTIONS"] = DATABASES["default"].get("OPTIONS", {}) | {"prepare_threshold": 1}
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": DATA / "tock.sqlite3",
            # A file, not memory: the live server's threads and the worker open it beside the test.
            "TEST": {"NAME": str(DATA / "test.sqlite3")},
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA foreign_keys=ON;",
            },
        }
    }
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # The standings and brackets of competitions (decision 0056), apart, so that they take no place from the limits of rates.
    "kept": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "kept",
        "OPTIONS": {"MAX_ENTRIES": 200},
    },
}
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
CELERY_BROKER_URL = "memory://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.05}
CELERY_TASK_ALWAYS_EAGER = False
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
PREPARED_ROOT = DATA / "prepared"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
BEACON = None  # tests of it set it
TOCK_BOT_PACE_MS = 0
TOCK_BOT_PAD_MS = 0  # tests of the pad set it
TOCK_DRAW_MS = 0
TOCK_BOT_PROCESSES = 0  # tests that need one set it
AXES_ENABLED = True
ADMIN_PATH = "staff/admin/"
ACCOUNT_RATE_LIMITS = False
API_MINUTE_WITHOUT_LOGIN = API_MINUTE_PER_PERSON = API_MINUTE_WRITES = 100_000  # tests of the throttle set their own
SECURE_CROSS_ORIGIN_OPENER_POLICY = None
