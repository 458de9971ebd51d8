"""The second implementation (tests/engine/reference) is checked with the samples before it is compared with the engine."""

import ast
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.engine import reference
from tests.every import every

HERE = Path(__file__).parent
SAMPLES = [json.loads(line) for line in (HERE.parent / "golden/tock_samples.jsonl").read_text().splitlines()]
CASES = [sample for sample in SAMPLES if sample["kind"] == "case"]


def level(position: dict[str, Any]) -> dict[str, Any]:
    """Return the position with unordered lists sorted."""
    data = {key: sorted(value) if key in ("fresh", "thrown") else value for key, value in position.items()}
    return data | {key: [sorted(each) for each in position[key]] for key in ("hands", "marbles")}


def test_all_samples_are_here() -> None:
    assert Counter(sample["kind"] for sample in SAMPLES) == {"case": 105, "perft": 15, "request": 10}


@every("sample", CASES)
def test_the_reference_lists_applies_refuses_and_ranks_as_the_samples_say(sample: dict[str, Any]) -> None:
    position = sample["position"]
    assert reference.legal(position) == sample["plays"]
    for applied in sample["applied"]:
        assert reference.apply(position, applied["play"]) == level(applied["position"]), applied["play"]
    for play in sample["refused"]:
        with pytest.raises(reference.Refused):
            reference.apply(position, play)
    if "ranks" in sample:
        assert reference.result(position) == sample["ranks"]


@pytest.mark.parametrize(
    "sample", [s for s in SAMPLES if s["kind"] == "perft"], ids=lambda s: f"{s['id']} {s['config']}"
)
def test_the_reference_counts_as_the_samples_say(sample: dict[str, Any]) -> None:
    assert reference.perft(sample["position"], sample["depth"]) == sample["nodes"]


@pytest.mark.parametrize("sample", [s for s in SAMPLES if s["kind"] == "request"], ids=lambda s: s["why"])
def test_the_reference_refuses_the_wrong_requests_of_the_samples(sample: dict[str, Any]) -> None:
    assert list(reference.answer(sample.get("request") or json.loads(sample["line"]))) == ["error"]


@pytest.mark.parametrize("path", sorted((HERE / "reference").glob("*.py")), ids=lambda path: path.name)
def test_the_reference_imports_nothing_of_the_engine(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        modules += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        for module in modules:
            assert module.partition(".")[0] in ("__future__", "collections", "dataclasses", "json", "re", "typing")
