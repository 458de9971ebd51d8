"""What is logged, and where to."""

import os
from typing import Any

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
