"""Settings shared by all environments. Secrets and addresses come from embedded, production or test.

Larger subjects have files of their own: signing_in, api, tasks, limits, logs.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from .api import *  # noqa: F403
from .beacon import beacon
from .limits import *  # noqa: F403
from .logs import *  # noqa: F403
from .signing_in import *  # noqa: F403
from .tasks import *  # noqa: F403

ROOT = Path(__file__).resolve().parent.parent.parent

DEBUG = False
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "tock_league.apps.StaffAdminConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "axes",
    "channels",
    "corsheaders",
    "csp",
    "django_filters",
    "drf_spectacular",
    "rest_framework",
    "django_celery_beat",
    "tock_league.common",
    "tock_league.journal",
    "tock_league.accounts",
    "tock_league.notices",
    "tock_league.clubs",
    "games",
    "ratings",
    "tock_league.competitions",
    "tock_league.arbitration",
    "tock_league.pages",
    "tock_league.demo",
    "tock_league.upkeep",
    "tock_league.people",
    "tock_league.calendars",
    "tock_league.exports",
    "tock_league.imports",
    "tock_league.newcomers",
    "tock_league.feed",
    "tock_league.hall",
    "tock_league.webhooks",
    "tock_league.incidents",
    "tock_league.integrity",
    "tock_league.api",
    "tock_league.oauth",
    "tock_league.apps.TockLeagueConfig",
]
MIDDLEWARE = [
    "tock_league.common.metrics.MetricsMiddleware",
    # Early, so that what a later one refuses or redirects has the headers of every answer.
    "csp.middleware.CSPMiddleware",
    "tock_league.common.headers.GuardsMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "tock_league.common.static.StaticFilesMiddleware",
    "tock_league.common.headers.HeadersMiddleware",
    "tock_league.common.failures.ApiErrorsMiddleware",
    "tock_league.common.refusals.RefusalsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "tock_league.accounts.middleware.SessionMiddleware",
    "tock_league.accounts.middleware.PlayerMiddleware",
    "tock_league.accounts.middleware.ResetDeviceMiddleware",
    "tock_league.common.http.RefusedMiddleware",
    "tock_league.accounts.middleware.SecondFactorMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "tock_league.urls"
WSGI_APPLICATION = "tock_league.wsgi.application"
ASGI_APPLICATION = "tock_league.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["tock_league.common.templates.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "tock_league.pages.running.in_the_header",
                "tock_league.notices.views.in_the_header",
            ],
        },
    },
]
STATICFILES_DIRS = [ROOT / "static"]
STATICFILES_FINDERS = [
    "tock_league.common.sheets.JoinedSheetsFinder",
    "tock_league.common.scripts.BareScriptsFinder",
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
PREPARED_ROOT = ROOT / "var" / "prepared"  # where joined style sheets and bare scripts are written
STATIC_URL = "/static/"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "fr-ca"
# A language is offered when its catalogues are complete (tests/architecture says so).
LANGUAGES = [("fr-ca", _("French")), ("en", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [ROOT / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "America/Toronto"

# The path of Django's admin, such as "desk-58c1/"; empty: there is none.
ADMIN_PATH = ""

MESSAGE_STORAGE = "tock_league.common.messages.Storage"
LANGUAGE_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "tock_league.common.failures.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],  # 'self' covers the table's socket of the same host and port
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        # No script writes HTML: texts become nodes. One policy may be made, once: it names the service worker's address
        # and nothing else (static/site.js).
        "require-trusted-types-for": ["'script'"],
        "trusted-types": ["offline-page"],
    },
}

# The table: thinking time of a built-in bot, in milliseconds, and the threads that may hold a database connection.
TOCK_BOT_PACE_MS = 900
# A bot's play is sent so long after the bot began to choose, or after the time of its search: longer than a choice takes,
# so that the time of a play tells nothing about the hand. 0: at once.
TOCK_BOT_PAD_MS = 40
# Between two draws of Tractor, in which each seat gets one card; 0: all are drawn at once. A deck waits ten times as long.
TOCK_DRAW_MS = 600
LIVE_DB_THREADS = 8
# The public beacon in the deals of matches; None: there is none. See docs/deal.md, step 3.
BEACON = beacon(os.environ)
# Processes in which the bots that search do so; 0: threads of the process itself, None: by the cores there are.
TOCK_BOT_PROCESSES = int(os.environ["TOCK_BOT_PROCESSES"]) if os.environ.get("TOCK_BOT_PROCESSES") else None


def origin(text: str, *, secure: bool) -> str:
    """Return the address of a site as SITE_URL gives it, without a slash at its end; stop the start where it is wrong."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise SystemExit(f"SITE_URL must be the address of the site, such as https://tock.example.org, not {text!r}.")
    if secure and parts.scheme != "https":
        raise SystemExit(f"SITE_URL must begin with https://, because http is redirected to it: {text!r}.")
    return f"{parts.scheme}://{parts.netloc}"


METRICS_TOKEN = ""
WEBHOOKS_INSIDE = False  # whether webhooks may be http and lead into the own network: for tests
# Copies of the database: where, whether one is made every night, and how many of these are kept. See docs/backup.md.
BACKUP_DIR: str | Path | None = os.environ.get("BACKUP_DIR") or None
NIGHTLY_BACKUP = BACKUP_DIR is not None
WEEKLY_DRILL = NIGHTLY_BACKUP and os.environ.get("WEEKLY_DRILL", "yes") != "no"  # whether a copy is restored each week
BACKUPS_KEPT = max(1, int(os.environ.get("BACKUPS_KEPT", 14)))
SITE_URL = ""  # common.address
# Shown on the privacy page; where vulnerabilities are reported (security page and security.txt): mailto: or https:.
PRIVACY_OFFICER = os.environ.get("PRIVACY_OFFICER", "")
PRIVACY_CONTACT = os.environ.get("PRIVACY_CONTACT", "")
SECURITY_CONTACT = os.environ.get("SECURITY_CONTACT", "")
ERROR_SERVICE = False  # whether reports of errors leave the server: the privacy page says so
# Web push: the private key (P-256, 32 bytes in base64url; empty: no pushes), and an address of whoever runs the site, which the
# browsers' push services get.
PUSH_KEY = ""
PUSH_CONTACT = os.environ.get("PUSH_CONTACT", "")
DEFAULT_FROM_EMAIL = "Tock League <tock@localhost>"
