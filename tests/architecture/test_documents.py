"""The documents are consistent with the code: links have targets, settings exist, codes are explained, rules pages have
all languages."""

import re
from functools import cache
from pathlib import Path

from django.urls import Resolver404, resolve

from tock_league.pages.rules import parts_of

from .source import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)[^)]*\)")
SETTING = re.compile(
    r"""(?:env\.\w+\(|environ\.get\(|environ\[|\benv\()\s*["']([A-Z][A-Z0-9_]+)["']"""
    r"""|["']([A-Z][A-Z0-9_]+)["'] in env"""
)
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


@cache
def headings(path: Path) -> set[str]:
    """Return the anchors of a Markdown file, in the form of the usual renderers."""
    lines = CODE.sub(lambda found: found[0].replace("#", "") if "\n" in found[0] else found[0], path.read_text("utf-8"))
    titles = re.findall(r"^#+ +(.+?) *#*$", lines, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_first_documents_are_there() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "docs/architecture.md"):
        assert (ROOT / name).is_file(), name


def broken_links(path: Path) -> list[str]:
    """Return the links of a document that lead nowhere."""
    broken = []
    for target in LINK.findall(CODE.sub("", path.read_text(encoding="utf-8"))):
        place, _, anchor = target.partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        if place.startswith("/") and path.parent.name == "public":
            try:
                resolve(place.split("?")[0])  # the site shows these documents itself
            except Resolver404:
                broken.append(target)
            continue
        file = (path.parent / place).resolve() if place else path
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in headings(file)):
            broken.append(target)
    return broken


def test_every_link_of_a_document_leads_somewhere() -> None:
    assert len(DOCUMENTS) > 100
    assert [f"{path.relative_to(ROOT)}: {target}" for path in DOCUMENTS for target in broken_links(path)] == []


def test_every_command_a_document_names_exists() -> None:
    from django.core.management import get_commands

    named = {
        (str(path.relative_to(ROOT)), name)
        for path in DOCUMENTS
        for name in re.findall(r"manage\.py ([a-z_]+)", path.read_text(encoding="utf-8"))
    }
    assert [(path, name) for path, name in sorted(named) if name not in get_commands()] == []


def test_every_setting_of_the_environment_is_explained() -> None:
    read = {
        name
        for path in (ROOT / "tock_league" / "settings").glob("*.py")
        if path.stem != "test"
        for pair in SETTING.findall(path.read_text(encoding="utf-8"))
        for name in pair
        if name
    }
    told = "\n".join(path.read_text(encoding="utf-8") for path in [*DOCUMENTS, ROOT / ".env.example"])
    assert read
    assert sorted(name for name in read if name not in told) == []


def test_every_invariant_the_code_cites_has_its_line_in_the_invariants_page() -> None:
    explained = re.findall(r"^\| (I\d+) \|", (ROOT / "docs" / "invariants.md").read_text("utf-8"), re.MULTILINE)
    cited = {
        code
        for folder in ("tock_league", "games", "ratings", "tests")
        for path in (ROOT / folder).rglob("*.py")
        for code in re.findall(r"(?<![A-Za-z0-9_])I(?:0[1-9]|[1-9][0-9]?)(?![0-9A-Za-z])", path.read_text("utf-8"))
    }
    assert "I07" in cited
    assert sorted(cited - set(explained)) == []
    assert len(explained) == len(set(explained)) + 3, "only I10, I11 and I12 are in both lists"


def test_a_rules_page_speaks_french_english_and_spanish() -> None:
    pages = sorted((ROOT / "docs" / "rules").glob("*.md"))
    assert pages
    for path in pages:
        assert list(parts_of(path.read_text(encoding="utf-8"))) == ["fr", "en", "es"], path
