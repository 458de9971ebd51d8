"""One process on SQLite: what `serve` uses. Data, mail and the generated secret key lie in TOCK_DATA (default var/demo)."""

import os
from pathlib import Path

from tock_league.embedded import folder

from .base import *  # noqa: F403
from .base import BACKUP_DIR, ROOT, origin

DATA = Path(os.environ.get("TOCK_DATA", ROOT / "var" / "demo"))
try:
    folder.prepare(DATA)
    SECRET_KEY = folder.secret_key(DATA)
    PUSH_KEY = os.environ.get("PUSH_KEY") or folder.push_key(DATA)
except folder.Unusable as reason:
    raise SystemExit(str(reason)) from None
SECRET_KEY_FALLBACKS = [key.strip() for key in os.environ.get("SECRET_KEY_FALLBACKS", "").split(",") if key.strip()]
SITE_URL = origin(url, secure=False) if (url := os.environ.get("SITE_URL", "")) else ""
ALLOWED_HOSTS = os.environ.get("ALLOWED_HOSTS", "*").split(",")
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA / "tock.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
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
CELERY_DB_REUSE_MAX = 100  # tasks that use a connection: to open one, and to read its pages, costs more than most tasks
CELERY_TASK_REJECT_ON_WORKER_LOST = False  # threads are not lost one by one
PREPARED_ROOT = DATA / "prepared"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
ADMIN_PATH = os.environ.get("ADMIN_PATH", "staff/admin/")
MFA_REQUIRED_ROLES = [name for name in os.environ.get("MFA_REQUIRED_ROLES", "").split(",") if name]
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = DATA / "mail"
BACKUP_DIR = BACKUP_DIR or DATA / "backups"
NIGHTLY_BACKUP = os.environ.get("NIGHTLY_BACKUP", "yes") != "no"
WEEKLY_DRILL = os.environ.get("WEEKLY_DRILL", "yes") != "no"
# Plain http on a club's network: browsers drop Secure cookies there.
SESSION_COOKIE_SECURE = False
CSRF_COOKIE_SECURE = False
SECURE_CROSS_ORIGIN_OPENER_POLICY = None  # browsers ignore it on plain http and say so in the console

if url := os.environ.get("EMAIL_URL"):
    import environ

    if not SITE_URL:
        # Links in mails begin with it: the requested host is no base, because a client chooses it.
        raise SystemExit("EMAIL_URL needs SITE_URL: the address of this site, such as https://tock.example.org.")

    _mail = environ.Env.email_url_config(url)
    globals().update(_mail)
    ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    ACCOUNT_EMAIL_NOTIFICATIONS = True
