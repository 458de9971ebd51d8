"""The rules pages as the tests read them: which sentence is on the page of which rule set.

A sentence has a mark, `<!-- #out-is-fresh -->`. Its test is `test_out_is_fresh`, run for each rule set whose page has
the sentence.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tock_league.pages.rules import parts_of

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
MARK = re.compile(r"<!-- #([a-z0-9-]+) -->")


@cache
def pages() -> dict[str, dict[str, str]]:
    """Return the text of each page by rule set (`toc/1`) and language."""
    return {
        "/".join(path.stem.rsplit("-", 1)): parts_of(path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob("*.md"))
    }


def marks(text: str) -> list[str]:
    """Return the marks of a page's part, in order."""
    return MARK.findall(text)


def name_of(mark: str) -> str:
    """Return the name of the test for a mark."""
    return "test_" + mark.replace("-", "_")


def sets_with(test: str) -> list[str]:
    """Return the rule sets whose page has the sentence of the test with this name, sorted."""
    return [rules for rules, parts in pages().items() if test in map(name_of, marks(parts["en"]))]


def sentence(test: Callable[..., Any]) -> Callable[..., Any]:
    """Run a test for each rule set (`rules`) whose page has the sentence after which the test is named."""
    found = sets_with(test.__name__)
    assert found, f"no rules page has the sentence of {test.__name__}"
    return pytest.mark.parametrize("rules", found)(test)
