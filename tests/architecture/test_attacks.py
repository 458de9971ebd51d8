"""docs/attacks.md names a test for each attack, and each named test exists."""

import ast
import re
from functools import cache

from .source import ROOT

ROW = re.compile(r"^\| (?!attack|---)(.+?) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
ROWS = ROW.findall((ROOT / "docs" / "attacks.md").read_text(encoding="utf-8"))


@cache
def functions(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_an_attack_has_tests_that_exist() -> None:
    named = {attack: TEST.findall(tests) for attack, tests in ROWS if tests != "the same"}
    assert [attack for attack, tests in named.items() if not tests] == []
    every = {test for tests in named.values() for test in tests}
    assert [path for path, _ in every if not (ROOT / path).is_file()] == []
    assert [f"{path}::{name}" for path, name in every if name and name not in functions(path)] == []


def test_the_page_has_every_part() -> None:
    assert len(ROWS) > 50
    assert not TEST.findall("| x | `tests/none.txt::test_x` |")
