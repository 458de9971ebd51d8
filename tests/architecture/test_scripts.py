"""The form of the scripts that allows the site to serve them without comments."""

import re
from pathlib import Path

import pytest

from .source import ROOT

SCRIPTS = sorted((ROOT / "static").rglob("*.js"))


def open_literals(script: str) -> list[int]:
    """Return the numbers of the lines on which a template literal begins or ends without its other end."""
    return [number for number, line in enumerate(script.splitlines(), 1) if len(re.findall(r"(?<!\\)`", line)) % 2]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT / "static")))
def test_no_template_literal_spans_lines(path: Path) -> None:
    code = "\n".join(
        line for line in path.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("*")
    )
    assert open_literals(code) == []


def test_a_literal_over_two_lines_is_found() -> None:
    assert open_literals("let a = `one`;\nlet b = `two\n// lines`;") == [2, 3]
