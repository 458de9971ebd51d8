"""Where settings of production come from: the environment, and files that it names, such as SECRET_KEY_FILE.

A file keeps a secret out of `docker inspect`, of /proc and of the environment of child processes.
"""

import os
import re
import warnings
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

SUFFIX = "_FILE"
# Only these are read from files: another variable that happens to end so stays what it is.
SECRETS = (
    "SECRET_KEY", "SECRET_KEY_FALLBACKS", "DATABASE_URL", "REDIS_URL", "EMAIL_URL", "SENTRY_DSN", "METRICS_TOKEN",
    "PUSH_KEY",
)  # fmt: skip


class Environment(environ.Env):
    """Settings of the environment; one that is missing, or has another form, stops the start with a sentence."""

    def get_value(self, var: str, *args: Any, **more: Any) -> Any:
        """Return the value of a variable. Raises SystemExit."""
        try:
            return super().get_value(var, *args, **more)
        except ImproperlyConfigured:
            file = (
                f", neither as a variable nor by {var}{SUFFIX} (an empty file does not count)" if var in SECRETS else ""
            )
            raise SystemExit(f"{var} is not set{file}; production needs it, see docs/hosting.md.") from None
        except ValueError:
            raise SystemExit(f"{var} has a value of another form than docs/hosting.md says.") from None

    def database(self, var: str) -> dict[str, Any]:
        """Return Django's settings for an address. Raises SystemExit unless it names a database of PostgreSQL."""
        parsed: dict[str, Any] = {}
        # The library's warning and errors would repeat parts of the address, and the log keeps the password then.
        with warnings.catch_warnings(action="ignore"), suppress(ValueError):
            parsed = self.db_url(var)
        if not str(parsed.get("ENGINE", "")).endswith("postgresql") or not parsed.get("NAME"):
            raise SystemExit(f"{var} must be postgres://user:password@host:5432/database.")
        return parsed

    def redis(self, var: str) -> str:
        """Return an address. Raises SystemExit unless it is one of Redis."""
        address = str(self.str(var))
        if urlsplit(address).scheme not in ("redis", "rediss", "unix"):
            raise SystemExit(f"{var} must be redis://user:password@host:6379/0, rediss://... with TLS, or unix://path.")
        return address


def env() -> Environment:
    """Return the settings of the environment. Stops the start with a sentence for a file that cannot be used."""
    found = Environment()
    found.ENVIRON = merged(os.environ)
    return found


def merged(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables, with each secret that a file holds. An empty file is a secret that is not set.

    Raises SystemExit when a secret is given twice, or its file cannot be read.
    """
    found = dict(variables)
    for name in SECRETS:
        path = found.pop(name + SUFFIX, "")
        if not path:
            continue
        if name in found:
            raise SystemExit(f"Set {name} or {name}{SUFFIX}, not both: which one counts could not be known.")
        try:
            with open(path, encoding="utf-8") as file:
                value = file.read().strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no text"
            raise SystemExit(f"{name}{SUFFIX} names {path}, which cannot be read: {reason}.") from None
        if value:
            found[name] = value
    return found


def push_key(text: str) -> str:
    """Return the private key of web push, "" for none. Raises SystemExit for one of another form."""
    if text and not re.fullmatch(r"[A-Za-z0-9_-]{43}", text):
        raise SystemExit("PUSH_KEY must be 32 bytes in base64url, 43 letters: see docs/notices.md.")
    return text


def require_tls(database: Mapping[str, Any], redis_url: str) -> None:
    """Raise SystemExit unless both servers are reached by TLS and their certificates are verified (REQUIRE_TLS)."""
    if database.get("OPTIONS", {}).get("sslmode") != "verify-full":
        raise SystemExit("REQUIRE_TLS is set, so DATABASE_URL must end with ?sslmode=verify-full&sslrootcert=FILE.")
    address = urlsplit(redis_url)
    if address.scheme != "rediss" or parse_qs(address.query).get("ssl_cert_reqs") != ["required"]:
        raise SystemExit(
            "REQUIRE_TLS is set, so REDIS_URL must be rediss://...?ssl_cert_reqs=required&ssl_ca_certs=FILE."
        )
