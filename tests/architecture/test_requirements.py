"""Every direct requirement is used: some file imports it, or this file names its user."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from .source import ROOT

IMPORTED = re.compile(r"^\s*(?:import|from) (\w+)", re.MULTILINE)
QUOTED = re.compile(r"""["'](\w+)(?:\.\w+)*["']""")
NOT_IMPORTED = {
    "djade": "check_all runs it by its command",
    "django-stubs": "mypy reads it",
    "djangorestframework-stubs": "mypy reads it",
    "httptools": "uvicorn parses HTTP with it",
    "import-linter": "check_all runs it by its command",
    "pytest-asyncio": "a plugin of pytest",
    "pytest-cov": "a plugin of pytest: CONTRIBUTING.md says how coverage is measured",
    "pytest-django": "a plugin of pytest",
    "pytest-timeout": "a plugin of pytest",
    "pytest-xdist": "a plugin of pytest",
    "setuptools": "builds trueskill, which comes as source",
    "tzdata": "zoneinfo reads it where the system has no list of time zones",
}


def normal(name: str) -> str:
    """Return the name of a distribution as PEP 503 spells it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def requirements() -> tuple[str, ...]:
    """Return the names of the direct requirements."""
    lines = (line for path in (ROOT / "requirements").glob("*.in") for line in path.read_text("utf-8").splitlines())
    return tuple(sorted(normal(re.split(r"[=\[; ]", line)[0]) for line in lines if line and line[0] not in "#-"))


@cache
def imported() -> frozenset[str]:
    """Return the names of the distributions that some Python file imports or names in a string."""
    owners = packages_distributions()
    return frozenset(normal(owner) for name in names() for owner in owners.get(name, []))


def names() -> Iterator[str]:
    """Yield the top-level name of every import and of every dotted string (settings name classes so)."""
    for folder in ("tock_league", "games", "ratings", "tests", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            if path != Path(__file__):  # its own list of exceptions does not count as use
                text = path.read_text(encoding="utf-8")
                yield from IMPORTED.findall(text)
                yield from QUOTED.findall(text)


def test_a_requirement_is_used() -> None:
    assert set(requirements()) - imported() - set(NOT_IMPORTED) == set()


def test_only_requirements_are_excused_and_only_those_that_nothing_imports() -> None:
    assert set(NOT_IMPORTED) <= set(requirements()) - imported()
