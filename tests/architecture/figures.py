"""`python -m tests.architecture.figures [FOLDER]`: how readable the sources are, in figures.

FOLDER is a checkout of another commit to compare with; without it, this one is measured. A figure is a function of the
folder that returns its words; FIGURES lists them.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from .layout import WIDTH
from .source import ROOT


def long_template_lines(root: Path) -> str:
    """Return the share of the templates' bytes that stand in lines of more than WIDTH characters, and their number."""
    return _long_lines(sorted((root / "templates").rglob("*.html")))


def _long_lines(paths: list[Path]) -> str:
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    sizes = [len(line.encode()) for line in lines]
    wide = [size for line, size in zip(lines, sizes, strict=True) if len(line) > WIDTH]
    whole = max(sum(sizes), 1)
    mean = whole / max(len(lines), 1)
    return f"{100 * sum(wide) / whole:.1f} % of {whole:,} bytes, {len(wide)} of {len(lines):,} lines, {mean:.0f} bytes a line"


FIGURES: dict[str, Callable[[Path], str]] = {
    f"templates, lines over {WIDTH} characters": long_template_lines,
}


def main(folder: str = "") -> None:
    root = Path(folder) if folder else ROOT
    for name, figure in FIGURES.items():
        print(f"{name}: {figure(root)}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
