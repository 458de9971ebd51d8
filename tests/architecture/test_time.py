"""Only common/clock.py reads the time, so that a test can freeze the time of the whole site."""

import ast

import pytest

from .source import Module, dotted, imports, modules, parse

# The bootstrap runs before the project can be imported; clock is the only reader.
EXEMPT = {"tock_league.common.clock", "tock_league.bootstrap"}
READERS = {
    "time.time", "time.time_ns", "time.monotonic", "time.perf_counter", "time.sleep", "time.localtime", "time.gmtime",
    "datetime.now", "datetime.utcnow", "datetime.today", "date.today", "datetime.datetime.now", "datetime.date.today",
    "timezone.now", "timezone.localdate", "timezone.localtime", "django.utils.timezone.now",
    "django.db.models.functions.Now",
}  # fmt: skip
WITH_ARGUMENT = {"timezone.localtime", "timezone.localdate"}  # they convert a given time


def readings(module: Module) -> list[str]:
    """Return the places where `module` reads the time itself."""
    found = [f"{module.at(node)} imports {name}" for node, name in imports(module) if name in READERS]
    converting = {
        id(node.func) for node in ast.walk(module.tree) if isinstance(node, ast.Call) and (node.args or node.keywords)
    }
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Attribute) or dotted(node) not in READERS:
            continue
        if dotted(node) in WITH_ARGUMENT and id(node) in converting:
            continue
        found.append(f"{module.at(node)} reads {dotted(node)}")
    return found


def test_only_the_clock_reads_the_time() -> None:
    assert [fault for module in modules() if module.name not in EXEMPT for fault in readings(module)] == []


@pytest.mark.parametrize(
    "text",
    [
        "from time import monotonic\n",
        "from time import sleep\n",
        "import time\nsince = time.time()\n",
        "from django.utils import timezone\nfield(default=timezone.now)\n",
        "from datetime import datetime, UTC\nnow = datetime.now(UTC)\n",
        "from django.utils import timezone\nnow = timezone.localtime()\n",
    ],
)
def test_each_way_of_reading_the_time_is_seen(text: str) -> None:
    assert readings(parse(text)) != []


def test_converting_an_instant_is_no_reading() -> None:
    assert readings(parse("from django.utils import timezone\nlocal = timezone.localtime(instant)\n")) == []
