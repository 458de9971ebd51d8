"""A rule set does not come alone: page, golden playthrough, perft counts."""

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
    """Answer the files of `folder` that belong to the rule set `rules`: "shawinigan/1" -> shawinigan-1*."""
    return sorted(folder.glob(rules.replace("/", "-") + "[!0-9]*"))


def test_the_registry_finds_every_file() -> None:
    assert IDS
    for rules in IDS:
        assert registry.rules(rules).id == rules


@pytest.mark.parametrize("rules", IDS)
@pytest.mark.parametrize("folder", ["docs/rules", "tests/golden/playthroughs", "tests/golden/perft"])
def test_a_rule_set_has_its_companion(folder: str, rules: str) -> None:
    found = companions(ROOT / folder, rules)
    assert found, f"{folder} has nothing for {rules}"
    assert all(path.stat().st_size > 200 for path in found)
