"""`python3 manage.py check_all [--fast] [--audit]`: runs all checks, on every system."""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from tock_league.common import clock
from tock_league.management import javascript

# Placeholder values for the production settings, so that Django can check the other ones.
DUMMY_PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "tock_league.settings.production",
    "SECRET_KEY": "x0Z4-a dummy of more than fifty characters, only so that the settings load",
    "SITE_URL": "https://tock.invalid",
    "ALLOWED_HOSTS": "tock.invalid",
    "CSRF_TRUSTED_ORIGINS": "https://tock.invalid",
    "DATABASE_URL": "postgres://nobody@127.0.0.1:9/nothing",
    "REDIS_URL": "redis://127.0.0.1:9/0",
    "PRIVACY_OFFICER": "nobody",
    "PRIVACY_CONTACT": "nobody@tock.invalid",
    "SECURITY_CONTACT": "mailto:nobody@tock.invalid",
}
TESTS = {"DJANGO_SETTINGS_MODULE": "tock_league.settings.test"}
MANAGE = (sys.executable, "manage.py")
LINT_IMPORTS = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"


@dataclass(frozen=True)
class Check:
    """A check: a command that judges something by its exit code or its output."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    # exit code 0, unless a check judges the output
    verdict: Callable[[subprocess.CompletedProcess[str]], bool] = lambda done: done.returncode == 0
    lacking: Callable[[], str] = lambda: ""  # what the command needs and this machine does not have; "" when it can run


def python(module: str, *words: str) -> tuple[str, ...]:
    """Return the command that runs `module` with this very Python."""
    return (sys.executable, "-m", module, *words)


def audited_something(done: subprocess.CompletedProcess[str]) -> bool:
    """Return whether the audit ran and found nothing; its exit code is 0 even without its advisory service."""
    if done.returncode != 0:
        return False
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return False
    return bool(packages) and not any("skip_reason" in package for package in packages)


TEMPLATES = tuple(str(path) for path in sorted((settings.ROOT / "templates").rglob("*.html")))

FAST = (
    Check("format", python("ruff", "format", "--check", ".")),
    Check("format of templates", (str(Path(sys.executable).parent / "djade"), "--check", *TEMPLATES)),
    Check("lint", python("ruff", "check", ".")),
    Check("types", python("mypy", "tock_league", "games", "ratings")),
    Check("import contracts", (sys.executable, "-c", LINT_IMPORTS)),
    Check("migrations", (*MANAGE, "makemigrations", "--check", "--dry-run"), TESTS),
    Check("production settings", (*MANAGE, "check", "--deploy", "--fail-level", "WARNING"), DUMMY_PRODUCTION),
    # Who may use mark_safe (B308, B703) is a house rule with a list of its own.
    Check("security lint", python("bandit", "-q", "-ll", "-s", "B308,B703", "-r", "tock_league", "games", "ratings")),
    Check("secret scan", python("tock_league.management.secret_scan")),
    Check("JavaScript", javascript.COMMAND, lacking=javascript.lacking),
    Check("house rules, locks, documents, languages", python("pytest", "-q", "tests/architecture"), TESTS),
)
AUDIT = Check(
    "dependency audit",
    python("pip_audit", "--disable-pip", "--require-hashes", "-f", "json", "-r", "requirements/test.lock"),
    verdict=audited_something,
)


class Command(BaseCommand):
    help = "Check format, lint, types, import contracts, migrations, settings, documents; then run the tests."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--fast", action="store_true", help="stop before the tests")
        parser.add_argument("--audit", action="store_true", help="also ask the advisory service about the dependencies")

    def handle(self, *args: Any, **options: Any) -> None:
        checks = [*FAST, *([AUDIT] if options["audit"] else [])]
        failed = [check.name for check in checks if not self.passes(check)]
        print(f"{len(checks) - len(failed)} checks fine, {len(failed)} not" + "".join(f"; {name}" for name in failed))
        sys.stdout.flush()
        tests = 0 if options["fast"] else subprocess.call([*MANAGE, "test"], cwd=settings.ROOT, env=surroundings())
        if failed or tests:
            sys.exit(1)

    def passes(self, check: Check) -> bool:
        """Run `check` and return whether it succeeds; print its output when it fails.

        A check that cannot run here is skipped with the reason; where CI is "true" it fails instead.
        """
        if reason := check.lacking():
            needed = os.environ.get("CI") == "true"
            print(f"{'FAILED' if needed else 'skipped'}  {check.name}: {reason}", flush=True)
            return not needed
        since = clock.monotonic()
        done = subprocess.run(
            check.command,
            cwd=settings.ROOT,
            env=surroundings() | dict(check.environment),
            capture_output=True,
            text=True,
        )
        fine = check.verdict(done)
        print(f"{'ok    ' if fine else 'FAILED'}  {check.name} ({clock.monotonic() - since:.1f} s)", flush=True)
        if not fine:
            print(done.stdout + done.stderr, flush=True)
        return fine


def surroundings() -> dict[str, str]:
    """Return our environment without variables that point to a real database or other settings."""
    steering = ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "TOCK_DATA")
    return {name: value for name, value in os.environ.items() if name not in steering}
