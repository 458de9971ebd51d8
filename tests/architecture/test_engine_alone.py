"""The engine imports only a few pure modules of the standard library."""

import json
import subprocess
import sys

from .source import ROOT, Module, imports, modules, parse

ALLOWED = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "enum", "functools", "hashlib", "heapq", "hmac",
    "importlib", "itertools", "json", "math", "operator", "pkgutil", "re", "struct", "types", "typing",
}  # fmt: skip
LOOP_ONLY = {"games.engine.__main__": {"sys"}}


def foreign(module: Module) -> list[str]:
    """Return the places where `module` imports something that the engine must not use."""
    allowed = ALLOWED | LOOP_ONLY.get(module.name, set())
    return [
        f"{module.at(node)} imports {name}"
        for node, name in imports(module)
        if not name.startswith("games.engine") and name.split(".")[0] not in allowed
    ]


def engine() -> list[Module]:
    found = [module for module in modules() if module.name.startswith("games.engine")]
    assert len(found) > 10
    return found


def test_the_engine_imports_only_from_the_allow_list() -> None:
    assert [fault for module in engine() for fault in foreign(module)] == []


def test_an_import_of_the_clock_is_found() -> None:
    assert foreign(parse("from time import monotonic", "games.engine.tock.turns")) != []
    assert foreign(parse("from ..models import Game", "games.engine.tock.turns")) == []  # relative: games.engine.models
    assert foreign(parse("from ...models import Game", "games.engine.tock.turns")) != []


def test_the_engine_answers_without_any_installed_package() -> None:
    request = {"op": "new", "rules": "shawinigan/1", "seats": 4, "teams": 2, "dealer": 3}
    answered = subprocess.run(
        [sys.executable, "-S", "-m", "games.engine"],
        input=f"this is no JSON\n{json.dumps(request)}\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={},
        timeout=60,
    )
    lines = answered.stdout.splitlines()
    assert len(lines) == 2, answered.stderr
    assert "error" in json.loads(lines[0])
    assert isinstance(json.loads(lines[1]), dict)
