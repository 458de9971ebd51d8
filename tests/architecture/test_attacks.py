"""docs/attacks.md names a test for each attack, and each named test exists."""

import ast
import re

import pytest

from .source import ROOT

ROW = re.compile(r"^\| (?!attack|---)(.+?) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
ROWS = ROW.findall((ROOT / "docs" / "attacks.md").read_text(encoding="utf-8"))


def functions(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize(("attack", "tests"), ROWS, ids=[attack[:40] for attack, _ in ROWS])
def test_an_attack_has_tests_that_exist(attack: str, tests: str) -> None:
    named = TEST.findall(tests)
    assert named or tests == "the same"
    for path, name in named:
        assert (ROOT / path).is_file(), path
        assert not name or name in functions(path), name


def test_the_page_has_every_part() -> None:
    assert len(ROWS) > 50
    assert not TEST.findall("| x | `tests/none.txt::test_x` |")
