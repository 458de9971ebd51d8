"""A format is one file: its name stands in no other file of the product."""

import re

import pytest

from tock_league.competitions.core import registry

from .source import ROOT

# Content that is made in particular formats, and rows as they were.
ELSEWHERE = (
    "tock_league/demo/tournaments.py",
    "tock_league/demo/trios.py",
    "tock_league/demo/programme.py",
    "tock_league/competitions/migrations/",
)
OWN = "tock_league/competitions/core/pairings/"
# `PHASES`: the key of a bracket's best-of in stored plans is older than this rule.
PHASES = ('GROUP, BRACKET, FINAL = PHASES = ("group", "knockout", "final")', "tock_league/competitions/core/kind.py")
SUFFIXES = (".py", ".html", ".css", ".js")


def names() -> set[str]:
    return {key.partition("/")[0] for key in registry.formats()} | set(registry.kinds())


def lines() -> list[tuple[str, str]]:
    """Return each line of code with its file; texts for people and comments may speak of the Swiss system."""
    found = []
    for folder in ("tock_league", "games", "ratings", "templates", "static"):
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in SUFFIXES and not name.startswith((OWN, *ELSEWHERE)):
                found += [(line.strip(), name) for line in path.read_text(encoding="utf-8").splitlines()]
    return found


@pytest.mark.parametrize("name", sorted(names()))
def test_the_name_of_a_format_stands_in_its_own_file_alone(name: str) -> None:
    key = re.compile(rf"""[\"'=]{name}(/\d+)?/?[\"'\]]""")
    assert [place for place in lines() if key.search(place[0]) and place != PHASES] == []


def test_the_formats_are_those_that_the_tests_look_for() -> None:
    assert {"knockout", "round_robin", "swiss", "groups_knockout"} <= names()
