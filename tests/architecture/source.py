"""The source as syntax trees, for rules that import contracts cannot express."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("tock_league", "games", "ratings")


@dataclass(frozen=True)
class Module:
    """One Python file: `name` with dots, `path` from the root, `tree`."""

    name: str
    path: Path
    tree: ast.Module

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the parts of the name, such as ("games", "live", "consumer")."""
        return tuple(self.name.split("."))

    def at(self, node: ast.AST) -> str:
        """Return `path:line`, the usual form in editors."""
        return f"{self.path}:{getattr(node, 'lineno', 0)}"


@cache
def modules(root: Path = ROOT) -> tuple[Module, ...]:
    """Return every module of the project's packages in the checkout `root`; migrations are data, not source."""
    paths = (path for package in PACKAGES for path in sorted((root / package).rglob("*.py")))
    return tuple(read(path, root) for path in paths if ours(path))


def ours(path: Path) -> bool:
    """Return whether `path` is source to which the rules apply."""
    return "migrations" not in path.parts


def read(path: Path, root: Path = ROOT) -> Module:
    """Return the module in the file `path` of the checkout `root`."""
    relative = path.relative_to(root)
    name = ".".join(relative.with_suffix("").parts).removesuffix(".__init__")
    return Module(name, relative, ast.parse(path.read_text(encoding="utf-8"), filename=str(relative)))


def parse(text: str, name: str = "games.views") -> Module:
    """Return a module from `text`, so that a test can try a rule on a deliberate mistake."""
    return Module(name, Path(name.replace(".", "/") + ".py"), ast.parse(text))


def imports(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield every absolute name that `module` imports, with relative ones resolved: "os.path", "games.engine.cards"."""
    package = module.parts if module.path.name == "__init__.py" else module.parts[:-1]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            origin = ".".join(filter(None, (base, node.module or "")))
            for alias in node.names:
                yield node, f"{origin}.{alias.name}"


def dotted(node: ast.AST) -> str:
    """Return an attribute chain as text: "a.b.c" for `a.b(...).c`; "" for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    if isinstance(node, ast.Call):
        return dotted(node.func)
    if isinstance(node, ast.Subscript):
        return dotted(node.value)
    return ""


def calls(module: Module) -> Iterator[tuple[ast.Call, str]]:
    """Yield every call with the name of the called function."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            yield node, dotted(node.func)
