"""Settings shared by all environments. Secrets and addresses come from embedded, production or test."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from .beacon import beacon

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
    "tock_league.feed",
    "tock_league.webhooks",
    "tock_league.incidents",
    "tock_league.integrity",
    "tock_league.api",
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

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "tock_league.common.passwords.NamesValidator"},
    {"NAME": "tock_league.common.passwords.GuessesValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "tock_league.accounts.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_FORMS = {
    "signup": "tock_league.accounts.forms.SignupForm",
    "reset_password": "tock_league.accounts.forms.ResetPasswordForm",
}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Tock League] "
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_USER_MODEL_USERNAME_FIELD = "username"
ACCOUNT_USER_DISPLAY = "tock_league.accounts.selectors.shown_name"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # before an e-mail address is added or removed: it can set a new password
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300  # seconds for which a sign-in counts as fresh
ACCOUNT_RATE_LIMITS = {
    # Passwords, see decision 0023. Strange: from a device on which the login has never signed in. Each has a limit for all
    # tries, for the work that they make, and one for wrong passwords. axes locks a login at an address after five.
    "login": None,
    "login_strange": "60/m/ip",
    "login_wrong": "20/m/ip,100/h/key",
    "login_known": "30/m/key",
    "login_known_wrong": "10/15m/key",
    # Codes of the second factor, which are asked for after the right password.
    "login_failed": "5/15m/key",
    "signup": "5/h/ip",
    "reset_password": "20/h/ip,3/h/key",
}
MFA_RATE_LIMITS = {"webauthn_login": "60/m/ip"}  # nothing can be guessed there
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Tock League"
MFA_RECOVERY_CODES_SHOW_ONCE = True
# Where mail is not sent, addresses cannot be confirmed; where it is, nobody signs in before the address is.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "authenticate": "tock_league.accounts.codes.AuthenticateForm",
    "reauthenticate": "tock_league.accounts.codes.ReauthenticateForm",
    "add_webauthn": "tock_league.accounts.forms.AddWebAuthnForm",
    "authenticate_webauthn": "tock_league.accounts.forms.AuthenticateWebAuthnForm",
    "login_webauthn": "tock_league.accounts.forms.LoginWebAuthnForm",
    "reauthenticate_webauthn": "tock_league.accounts.forms.ReauthenticateWebAuthnForm",
}
USERSESSIONS_ADAPTER = "tock_league.accounts.adapters.SessionsAdapter"
MFA_ADAPTER = "tock_league.accounts.adapters.FactorAdapter"
# Roles that give no right before their holder has a second factor; accounts.permissions.ROLES lists the names.
MFA_REQUIRED_ROLES: list[str] = []
# The path of Django's admin, such as "desk-58c1/"; empty: there is none.
ADMIN_PATH = ""
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "tock_league.accounts.devices.tried_name"
AXES_CLIENT_IP_CALLABLE = "tock_league.accounts.devices.address_of"
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False
AXES_LOCKOUT_TEMPLATE = "account/locked.html"

MESSAGE_STORAGE = "tock_league.common.messages.Storage"
LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# The row of a session says when it ends (accounts.sessions); the cookie lasts for the absolute limit.
SESSION_ENGINE = "tock_league.accounts.sessions"
SESSION_IDLE_S = int(os.environ.get("SESSION_IDLE_S", 14 * 24 * 3600))
SESSION_IDLE_STAFF_S = int(os.environ.get("SESSION_IDLE_STAFF_S", 30 * 60))
SESSION_ABSOLUTE_S = int(os.environ.get("SESSION_ABSOLUTE_S", 30 * 24 * 3600))
# A guest's session, by which a practice game is found again, from the last table that the guest opened.
GUEST_SESSION_S = min(30 * 24 * 3600, SESSION_ABSOLUTE_S)
SESSION_COOKIE_AGE = SESSION_ABSOLUTE_S
SESSION_SAVE_EVERY_REQUEST = False
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

# The API below /api/v1/ (docs/api.md). Whatever a view does not say itself is refused.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tock_league.api.authentication.TokenAuthentication",  # first: it says how to answer a 401
        "tock_league.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["tock_league.api.authentication.Scoped"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tock_league.api.parsing.Json"],
    "DEFAULT_THROTTLE_CLASSES": ["tock_league.api.throttling.Throttle"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "tock_league.api.paging.Pages",
    "DEFAULT_SCHEMA_CLASS": "tock_league.api.schema.Schema",
    "EXCEPTION_HANDLER": "tock_league.api.problems.handler",
    "URL_FORMAT_OVERRIDE": None,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tock League",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": ["tock_league.api.schema.finished"],
}
# Pages of other sites may read what everybody may read: without cookies, and without a token, which is no page's business.
CORS_URLS_REGEX = r"^/api/v1(/|$)"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_METHODS = ["GET", "HEAD", "OPTIONS"]
CORS_ALLOW_HEADERS = ["accept", "accept-language", "if-none-match"]
CORS_EXPOSE_HEADERS = ["ETag", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After"]

CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 30
CELERY_TIMEZONE = "America/Toronto"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_DEFAULT_QUEUE = "results"
CELERY_TASK_ROUTES = {"ratings.tasks.rebuild*": {"queue": "recompute"}}
CELERY_BEAT_SCHEDULE = {
    "sweep-outbox": {"task": "tock_league.common.tasks.sweep_outbox", "schedule": 5.0},
    "forget-outbox": {"task": "tock_league.common.tasks.forget_outbox", "schedule": 86400.0},
    "forget-sessions": {"task": "tock_league.accounts.tasks.forget_sessions", "schedule": 86400.0},
    "worker-pulse": {"task": "tock_league.common.tasks.worker_pulse", "schedule": 20.0},
    "keep-tournaments": {"task": "tock_league.competitions.tasks.keep_tournaments", "schedule": 20.0},
    "remind-of-matches": {"task": "tock_league.competitions.tasks.remind", "schedule": 60.0},
    "open-due-tables": {"task": "tock_league.competitions.tasks.open_due_tables", "schedule": 20.0},
    "rate-waiting": {"task": "ratings.tasks.rate_waiting", "schedule": 5.0},
    "expire-boards": {"task": "ratings.tasks.expire_boards", "schedule": 3600.0},
    "close-abandoned-tables": {"task": "games.tasks.close_abandoned", "schedule": 60.0},
    "sweep-deadlines": {"task": "games.tasks.sweep_deadlines", "schedule": 30.0},
    "call-away": {"task": "games.tasks.call_away", "schedule": 10.0},
    "keep-months-ready": {"task": "games.tasks.keep_months_ready", "schedule": 86400.0},
    "sweep-cases": {"task": "tock_league.arbitration.tasks.sweep_deadlines", "schedule": 20.0},
    "remind-of-cases": {"task": "tock_league.arbitration.tasks.remind", "schedule": 60.0},
    "digests-of-the-week": {"task": "tock_league.notices.tasks.send_digests", "schedule": 300.0},
    "forget-people": {"task": "tock_league.people.tasks.forget", "schedule": 3600.0},
    "watch-results": {"task": "tock_league.integrity.tasks.watch", "schedule": 300.0},
    "nightly-backup": {"task": "tock_league.upkeep.tasks.nightly_backup", "schedule": 600.0},
    "weekly-drill": {"task": "tock_league.upkeep.tasks.weekly_drill", "schedule": 900.0},
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


def _bound(name: str, default: int) -> int:
    return int(os.environ.get(name, default))


# What a person, an address and a process may hold open, ask for in ten seconds, or send: docs/hosting.md, "Bounds".
LIVE_SOCKETS = _bound("LIVE_SOCKETS", 3000)
LIVE_SOCKETS_PER_ADDRESS = _bound("LIVE_SOCKETS_PER_ADDRESS", 400)
LIVE_SOCKETS_PER_PERSON = _bound("LIVE_SOCKETS_PER_PERSON", 12)
LIVE_STREAMS = _bound("LIVE_STREAMS", 1000)  # of the live feed
LIVE_STREAMS_PER_ADDRESS = _bound("LIVE_STREAMS_PER_ADDRESS", 50)
LIVE_POLLS_PER_ADDRESS = _bound("LIVE_POLLS_PER_ADDRESS", 120)
LIVE_POLLS_WITHOUT_LOGIN = _bound("LIVE_POLLS_WITHOUT_LOGIN", 40)
LIVE_POLLS_PER_PERSON = _bound("LIVE_POLLS_PER_PERSON", 6)
API_CALLS_PER_ADDRESS = _bound("API_CALLS_PER_ADDRESS", 600)
API_CALLS_WITHOUT_LOGIN = _bound("API_CALLS_WITHOUT_LOGIN", 200)
API_CALLS_PER_PERSON = _bound("API_CALLS_PER_PERSON", 120)
# Calls of the API below /api/v1/ in a minute: by an address without login, by a person, and of a person those that write.
API_MINUTE_WITHOUT_LOGIN = _bound("API_MINUTE_WITHOUT_LOGIN", 120)
API_MINUTE_PER_PERSON = _bound("API_MINUTE_PER_PERSON", 600)
API_MINUTE_WRITES = _bound("API_MINUTE_WRITES", 60)
CLUBS_PER_DAY = _bound("CLUBS_PER_DAY", 3)
TEAMS_PER_DAY = _bound("TEAMS_PER_DAY", 10)
TEAMS_FORMED_PER_DAY = _bound("TEAMS_FORMED_PER_DAY", 100)
JOINS_PER_DAY = _bound("JOINS_PER_DAY", 20)
NEWS_PER_DAY = _bound("NEWS_PER_DAY", 3)  # of a club
BODY_BYTES = _bound("BODY_BYTES", 1024 * 1024)
TABLE_BODY_BYTES = _bound("TABLE_BODY_BYTES", 64 * 1024)

# Pages made at the same time in a process; who waits longer than this for a turn, or for a connection, is told 503.
PAGES_AT_ONCE = 8
PATIENCE_S = 1.5
METRICS_TOKEN = ""
# Copies of the database: where, whether one is made every night, and how many of these are kept. See docs/backup.md.
BACKUP_DIR: str | Path | None = os.environ.get("BACKUP_DIR") or None
NIGHTLY_BACKUP = BACKUP_DIR is not None
WEEKLY_DRILL = NIGHTLY_BACKUP and os.environ.get("WEEKLY_DRILL", "yes") != "no"  # whether a copy is restored each week
BACKUPS_KEPT = max(1, _bound("BACKUPS_KEPT", 14))
# How long what is held about people is kept, in days; see docs/people.md.
ERASE_AFTER_DAYS = _bound("ERASE_AFTER_DAYS", 7)  # to change one's mind
KEEP_EXPORTS_DAYS = max(1, _bound("KEEP_EXPORTS_DAYS", 7))
KEEP_UNCONFIRMED_DAYS = _bound("KEEP_UNCONFIRMED_DAYS", 7)
KEEP_ADDRESSES_DAYS = _bound("KEEP_ADDRESSES_DAYS", 30)  # IP addresses
KEEP_STATEMENTS_DAYS = _bound("KEEP_STATEMENTS_DAYS", 730)
KEEP_NOTICES_DAYS = max(1, _bound("KEEP_NOTICES_DAYS", 90))
KEEP_FEED_DAYS = max(2, _bound("KEEP_FEED_DAYS", 30))  # public facts, for webhooks and the live feed
KEEP_DELIVERIES_DAYS = max(2, _bound("KEEP_DELIVERIES_DAYS", 30))  # the log of webhooks
WEBHOOKS_INSIDE = False  # whether webhooks may be http and lead into the own network: for tests
KEEP_LETTERS_DAYS = _bound("KEEP_LETTERS_DAYS", 30)  # mails of a site that only writes them to a folder
IDLE_AFTER_DAYS = _bound("IDLE_AFTER_DAYS", 1095)
IDLE_ANSWER_DAYS = _bound("IDLE_ANSWER_DAYS", 30)
TOCK_SLOW_COMMAND_MS = _bound("TOCK_SLOW_COMMAND_MS", 250)  # a command that took longer has a line in the log
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

# Of our own packages. Libraries stay at WARNING: at DEBUG some write frames, statements and their parameters.
LOG_LEVEL = os.environ.get("TOCK_LOG_LEVEL", "WARNING").upper()
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "quiet_outage": {"()": "tock_league.common.http.QuietOutage"},
        "malformed": {"()": "tock_league.common.refusals.Malformed"},
    },
    "formatters": {"lines": {"()": "tock_league.common.logs.formatter", "json": False}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "lines",
            "filters": ["quiet_outage", "malformed"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django.request": {"level": "ERROR"},
        # Its warning has the path, which may be the secret link of an invitation; common.refusals writes the page's name.
        "django.security.csrf": {"level": "ERROR"},
        "axes": {"level": "ERROR"},
        # Its receiver writes a traceback each second while Redis is away; games.live.hints says so in one line.
        "channels_redis.pubsub": {"level": "CRITICAL"},
        "tock_league.common.signins": {"level": "INFO"},  # every sign-in is a line, whatever TOCK_LOG_LEVEL says
        "games": {"level": LOG_LEVEL},
        "ratings": {"level": LOG_LEVEL},
        "tock_league": {"level": LOG_LEVEL},
    },
}
