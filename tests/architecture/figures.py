"""`python -m tests.architecture.figures [FOLDER]`: print figures on how readable the sources are.

FOLDER is a checkout of another commit to compare with; by default this one is measured. Each figure is a function that
takes the folder and returns a text; FIGURES lists them.
"""

import ast
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from .cycles import cycles
from .layout import WIDTH
from .source import ROOT, modules


def long_template_lines(root: Path) -> str:
    """Return the share of the templates' bytes in lines of more than WIDTH characters, and the number of these
    lines."""
    return _long_lines(sorted((root / "templates").rglob("*.html")))


def long_style_lines(root: Path) -> str:
    """Return the same for the style sheets."""
    return _long_lines(sorted((root / "static").rglob("*.css")))


def short_class_names(root: Path) -> str:
    """Return how many class names of the style sheets have one or two letters, and which."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in (root / "static").rglob("*.css"))
    selectors = re.sub(r"/\*.*?\*/|\{[^{}]*\}|url\([^)]*\)|@import[^;]*;", " ", text, flags=re.DOTALL)
    names = sorted({name for name in re.findall(r"\.(-?[A-Za-z_][\w-]*)", selectors) if len(name) <= 2})
    return f"{len(names)}: {' '.join(names)}"


def docstrings_that_answer(root: Path) -> str:
    """Return how many docstrings begin with "Answer" where others write "Return"."""
    found = [doc for doc in _docstrings(root) if doc.startswith("Answer")]
    return f"{len(found)} of {len(_docstrings(root)):,}"


def modules_in_cycles(root: Path) -> str:
    """Return how many modules are in an import cycle, and how many there are."""
    return f"{sum(map(len, cycles(modules(root))))} of {len(modules(root)):,}"


@cache
def _docstrings(root: Path) -> list[str]:
    files = (
        path
        for name in ("tock_league", "games", "ratings", "tests", "benchmarks")
        for path in (root / name).rglob("*.py")
    )
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for path in files for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return [doc for node in nodes if isinstance(node, kinds) and (doc := ast.get_docstring(node))]


def _long_lines(paths: list[Path]) -> str:
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    sizes = [len(line.encode()) for line in lines]
    wide = [size for line, size in zip(lines, sizes, strict=True) if len(line) > WIDTH]
    whole = max(sum(sizes), 1)
    mean = whole / max(len(lines), 1)
    return f"{100 * sum(wide) / whole:.1f} % of {whole:,} bytes, {len(wide)} of {len(lines):,} lines, {mean:.0f} bytes a line"


FIGURES: dict[str, Callable[[Path], str]] = {
    f"templates, lines over {WIDTH} characters": long_template_lines,
    f"style sheets, lines over {WIDTH} characters": long_style_lines,
    "class names of one or two letters": short_class_names,
    'docstrings that begin with "Answer"': docstrings_that_answer,
    "modules that import each other in a circle": modules_in_cycles,
}


def main(folder: str = "") -> None:
    root = Path(folder) if folder else ROOT
    for name, figure in FIGURES.items():
        print(f"{name}: {figure(root)}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
