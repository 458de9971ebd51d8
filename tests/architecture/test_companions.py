"""A rule set needs companion files: rules page, golden playthrough, perft counts."""

import json
import re
from pathlib import Path

import pytest

from games.engine import registry

from .source import ROOT

FILES = sorted((ROOT / "games" / "engine").glob("*/rulesets/*.py"))
NAMED = re.compile(r"([a-z_]+)_(\d+)")
IDS = sorted(
    "{}/{}".format(*found.groups()).replace("_", "-") for path in FILES if (found := NAMED.fullmatch(path.stem))
)


def companions(folder: Path, rules: str) -> list[Path]:
    """Return the files of `folder` that belong to the rule set `rules`: "shawinigan/1" -> shawinigan-1*."""
    return sorted(folder.glob(rules.replace("/", "-") + "[!0-9]*"))


def test_the_registry_finds_every_file() -> None:
    assert IDS
    for rules in IDS:
        assert registry.rules(rules).id == rules


# Tractor's plays are validated, not enumerated, so there are no counts.
MISSING = {("tests/golden/perft", "tractor/1")}
WANTED = [
    (folder, rules)
    for folder in ("docs/rules", "tests/golden/playthroughs", "tests/golden/perft")
    for rules in IDS
    if (folder, rules) not in MISSING
]


@pytest.mark.parametrize(("folder", "rules"), WANTED)
def test_a_rule_set_has_its_companion(folder: str, rules: str) -> None:
    found = companions(ROOT / folder, rules)
    assert found, f"{folder} has nothing for {rules}"
    assert all(path.stat().st_size > 200 for path in found)


TABLES = [
    (folder, rules, seats, teams)
    for folder, rules in WANTED
    if folder != "docs/rules"
    for seats, numbers in sorted(registry.rules(rules).teams.items())
    for teams in numbers
]


@pytest.mark.parametrize(("folder", "rules", "seats", "teams"), TABLES, ids=lambda value: str(value))
def test_every_table_of_a_rule_set_has_its_golden_game_and_its_counts(
    folder: str, rules: str, seats: int, teams: int
) -> None:
    """There are files for each number of seats and teams, and for individual play with full ranking; their first lines
    name them."""
    offered = set()
    for path in companions(ROOT / folder, rules):
        with path.open(encoding="utf-8") as lines:
            first = json.loads(next(lines))
        position = first.get("position", first)
        assert position["rules"] == rules, path
        offered.add((position["seats"], position["teams"], position.get("full_ranking", False)))
    assert (seats, teams, False) in offered
    assert teams < seats or (seats, teams, True) in offered
