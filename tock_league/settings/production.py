"""Several machines, PostgreSQL and Redis. Everything comes from the environment; a missing secret stops the start."""

import logging
import secrets

from . import sources
from .base import *  # noqa: F403

env = sources.env()

# Beat signs nothing, so its container does not get the key of the site.
SECRET_KEY = secrets.token_urlsafe(50) if env.bool("SIGNS_NOTHING", False) else env.str("SECRET_KEY")
SITE_URL = origin(env.str("SITE_URL"), secure=env.bool("SECURE_SSL_REDIRECT", True))  # noqa: F405
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS")
PAGES_AT_ONCE = env.int("DB_POOL_SIZE", 8)
LIVE_DB_THREADS = env.int("LIVE_DB_THREADS", 8)
# What the server does with a connection of ours. A statement that takes long is given up. A host that vanishes in the middle
# of a transaction must not keep its rows locked: the server notices within six seconds that nobody is there (its own default is
# two hours), and gives up a transaction whose process stands still. See docs/several-hosts.md.
DATABASE_SESSION = " ".join(
    f"-c {name}={value}"
    for name, value in {
        "statement_timeout": 2000,
        "idle_in_transaction_session_timeout": 10_000,
        "tcp_user_timeout": 5000,
        "tcp_keepalives_idle": 3,
        "tcp_keepalives_interval": 1,
        "tcp_keepalives_count": 3,
    }.items()
)
# Each thread of the live room keeps a connection, each page at work takes one, and a few are for what else a process does:
# deadlines, bots that think, sockets that arrive, readiness. So no thread waits for one; docs/hosting.md lists the numbers.
OTHER_CONNECTIONS = 8
DATABASES = {"default": env.database("DATABASE_URL")}
REDIS_URL = env.redis("REDIS_URL")
if env.bool("REQUIRE_TLS", False):
    sources.require_tls(DATABASES["default"], REDIS_URL)
DATABASES["default"].update(
    ENGINE="tock_league.common.postgresql",
    CONN_MAX_AGE=0,
    OPTIONS=DATABASES["default"].get("OPTIONS", {})  # of the address: sslmode and the like
    | {
        "size": PAGES_AT_ONCE + LIVE_DB_THREADS + OTHER_CONNECTIONS,
        "patience": PATIENCE_S,  # noqa: F405
        "options": DATABASE_SESSION,
        # A statement of a play that a connection has run so often is prepared (common.statements); the ORM's are not.
        "prepare_threshold": 3,
        # A host that vanishes silently is detected: while connecting, while sending, and while waiting for an answer.
        "connect_timeout": 2,
        "tcp_user_timeout": 5000,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
    },
)
CACHES = {
    "default": {"BACKEND": "tock_league.common.cache.SharedCache", "LOCATION": REDIS_URL},
    # The standings and brackets of competitions (decision 0056)
    "kept": {"BACKEND": "tock_league.common.cache.SharedCache", "LOCATION": REDIS_URL, "KEY_PREFIX": "kept"},
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        # Hints may be lost, and must not block.
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": 0.5, "socket_connect_timeout": 0.5}]},
    }
}
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)  # the two clients spell the scheme differently
# A broker whose host vanishes without a word is given up in the end; a commit never waits for it (common.broker).
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 120, "socket_timeout": 10, "socket_connect_timeout": 2}
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
STATIC_ROOT = env.path("STATIC_ROOT", str(ROOT / "staticfiles"))()  # noqa: F405

SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", True)
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^api/", r"^oauth/(token|revoke)$"]  # programs are refused: common.headers
SECURE_HSTS_SECONDS = 31536000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
SESSION_COOKIE_NAME = "__Host-session"
CSRF_COOKIE_NAME = "__Host-csrf"
LANGUAGE_COOKIE_NAME = "__Host-language"
LANGUAGE_COOKIE_SECURE = True
if env.bool("BEHIND_PROXY", True):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

METRICS_TOKEN = env.str("METRICS_TOKEN", "")
MFA_REQUIRED_ROLES = env.list(
    "MFA_REQUIRED_ROLES", default=["administrator", "organiser", "referee", "head_referee", "club_officer", "panel"]
)
ADMIN_PATH = env.str("ADMIN_PATH", "")
PUSH_KEY = sources.push_key(env.str("PUSH_KEY", ""))
if "EMAIL_URL" in env:
    globals().update(env.email_url("EMAIL_URL"))
    ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    ACCOUNT_EMAIL_NOTIFICATIONS = True
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = env.str("MAIL_DIR", "/data/mail")

LOGGING["formatters"]["lines"]["json"] = True  # noqa: F405  # for whatever gathers the lines
logging.captureWarnings(True)  # of Python: lines as all others

if dsn := env.str("SENTRY_DSN", ""):
    import sentry_sdk

    ERROR_SERVICE = True

    # No bodies: passwords, and codes and tokens of applications, are in them.
    sentry_sdk.init(dsn=dsn, send_default_pii=False, include_local_variables=False, max_request_body_size="never")
