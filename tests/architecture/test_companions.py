"""A rule set needs companion files: rules page, golden playthrough, perft counts."""

import json
import re
from pathlib import Path

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


def test_a_rule_set_has_its_companion() -> None:
    for folder, rules in WANTED:
        found = companions(ROOT / folder, rules)
        assert found, f"{folder} has nothing for {rules}"
        assert all(path.stat().st_size > 200 for path in found), (folder, rules)


def offered(folder: str, rules: str) -> set[tuple[int, int, bool]]:
    """Return (seats, teams, whether every rank is played for) of each file, which its first line names."""
    found = set()
    for path in companions(ROOT / folder, rules):
        with path.open(encoding="utf-8") as lines:
            first = json.loads(next(lines))
        position = first.get("position", first)
        assert position["rules"] == rules, path
        found.add((position["seats"], position["teams"], position.get("full_ranking", False)))
    return found


def test_every_table_of_a_rule_set_has_its_golden_game_and_its_counts() -> None:
    """There are files for each number of seats and teams, and for individual play with full ranking."""
    for folder, rules in WANTED:
        if folder == "docs/rules":
            continue
        tables = [(seats, teams) for seats, numbers in registry.rules(rules).teams.items() for teams in numbers]
        wanted = {(seats, teams, False) for seats, teams in tables}
        wanted |= {(seats, teams, True) for seats, teams in tables if teams == seats}
        assert wanted - offered(folder, rules) == set(), (folder, rules)
