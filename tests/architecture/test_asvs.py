"""docs/asvs.csv has a row for each requirement of ASVS 5.0, levels 1 and 2; its evidence exists, and its share is as told."""

import csv
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from .source import ROOT

ROWS = list(csv.DictReader((ROOT / "docs" / "asvs.csv").read_text(encoding="utf-8").splitlines()))
# How many requirements of level 1 and of level 2 each chapter has (version 5.0.0).
CHAPTERS = {
    1: (8, 19), 2: (4, 7), 3: (8, 11), 4: (2, 8), 5: (4, 5), 6: (13, 22), 7: (6, 12), 8: (4, 3), 9: (4, 3), 10: (5, 24),
    11: (3, 11), 12: (3, 6), 13: (1, 12), 14: (2, 7), 15: (3, 10), 16: (0, 16), 17: (0, 7),
}  # fmt: skip
STATES = ("met", "not met", "not applicable")
DOCUMENTS = ("docs/security.md", "docs/threat-model.md")


def exists(evidence: str) -> bool:
    """Return whether the file is there, and holds the test or the words after `::`."""
    name, _, words = evidence.partition("::")
    path = ROOT / name
    if not path.is_file():
        return False
    text = path.read_text(encoding="utf-8")
    return f"def {words}(" in text if words.startswith("test_") else words in text


def test_every_requirement_has_one_row() -> None:
    ids = [row["requirement"] for row in ROWS]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"V\d+\.\d+\.\d+", name) for name in ids)
    counted = Counter((int(row["requirement"][1:].split(".")[0]), row["level"]) for row in ROWS)
    assert {chapter: (counted[chapter, "1"], counted[chapter, "2"]) for chapter in CHAPTERS} == CHAPTERS
    assert sum(counted.values()) == sum(map(sum, CHAPTERS.values())) == 253


def faults(row: dict[str, str]) -> Iterator[str]:
    """Yield what is wrong with a row."""
    if row["status"] not in STATES:
        yield f"no state: {row['status']}"
    if not exists(row["evidence"]):
        yield f"no such evidence: {row['evidence']}"
    if row["status"] != "met" and not row["note"]:
        yield "say why it is not met, or why it does not apply"


def test_a_row_has_a_state_and_evidence_that_exists() -> None:
    assert [f"{row['requirement']}: {fault}" for row in ROWS for fault in faults(row)] == []
    spoilt = ROWS[0] | {"status": "perhaps", "evidence": "tests/nowhere.py", "note": ""}
    assert len(list(faults(spoilt))) == 3


def test_the_document_tells_the_share_that_is_met() -> None:
    counts = Counter(row["status"] for row in ROWS)
    apply = counts["met"] + counts["not met"]
    told = f"{apply} apply, and {counts['met']} of these are met ({100 * counts['met'] // apply} %)"
    assert told in (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_that_the_documents_name_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|tock_league|docs)/[\w/.]+)`", text) + [
        f"docs/{path}" for path in re.findall(r"\]\(([\w/.-]+\.(?:md|csv))\)", text)
    ]
    assert len(named) > 5
    assert [path for path in named if not (ROOT / path).exists()] == []
