"""The form of the style sheets: rules for each file of static/look."""

import re
from collections import Counter
from typing import Any

import pytest
import tinycss2

from .sheets import LAYERS, LOOK, Declaration, bundles, components, declarations, is_colour, nodes, rules, within
from .source import PACKAGES, ROOT

LINE = 120
IMPORT = re.compile(r'@import "([\w/-]+\.css)" layer\((\w+)\);')
# The widths (and one height) at which pages change; tokens.css explains each. 761 and 1101 are the first widths above
# two of them.
BREAKPOINTS = {"480px", "560px", "640px", "760px", "761px", "900px", "980px", "1100px", "1101px", "1200px"}
BREAKPOINTS |= {"479px", "699px", "700px", "899px"}  # heights
WINDOW = ("vh", "vw", "dvh", "svh", "lvh")
# Classes that code composes from a prefix and a letter, number or word: `suit-s`, `seats-8`.
PUT_TOGETHER = re.compile(
    r"^((seat-colour|marble)-[a-h]|suit-[shdc]|trick-place-[nwes]|target-\w+|only-\w+|not-in-kind-\d"
    r"|(board-)?seats-[468]|medal-[1-3])$"
)

TEXTS = {str(path.relative_to(LOOK)): path.read_text(encoding="utf-8") for path in components()}


def lines_at_fault(sheet: str) -> list[str]:
    """Return the places with more than one selector, declaration or rule a line, a missing blank line, or a long
    line."""
    lines = sheet.splitlines()
    faults = [f"line {number} is long" for number, line in enumerate(lines, 1) if len(line) > LINE]
    found = Counter(each.line for each in declarations(sheet))
    faults += [f"line {line} holds {count} declarations" for line, count in found.items() if count > 1]
    for rule in rules(sheet):
        selectors = tinycss2.serialize(rule.prelude).strip()
        if re.search(r",(?!\n)[^()]*(?:\(|$)", selectors):
            faults.append(f"line {rule.source_line}: one selector a line, not {selectors}")
        opening = lines[rule.source_line - 1 + selectors.count("\n")]
        if not opening.endswith("{"):
            faults.append(f"line {rule.source_line}: nothing follows the bracket of {selectors}")
        before = lines[rule.source_line - 2].strip() if rule.source_line > 1 else ""
        if before and not before.endswith(("{", "*/")):
            faults.append(f"line {rule.source_line}: no blank line before {selectors}")
    return faults


def colours(declaration: Declaration) -> list[str]:
    """Return the literal colours in the declaration."""
    return [token.serialize() for token in within(declaration.tokens) if is_colour(token)]


def unnamed_numbers(declaration: Declaration) -> list[str]:
    """Return the numbers that need a name: 100 px and more, more than two significant digits, viewport units mixed with
    pixels.

    A custom property is such a name, so its definition may contain any number.
    """
    if declaration.name.startswith("--"):
        return []
    found = []
    for token in within(declaration.tokens):
        if token.type in ("dimension", "percentage"):
            digits = len(token.representation.lstrip("+-0").replace(".", "").strip("0"))
            pixels = token.type == "dimension" and token.unit == "px"
            if (pixels and abs(token.value) >= 100) or ((pixels or token.type == "percentage") and digits > 2):
                found.append(token.serialize())
        elif token.type == "function" and {"px"} < units(token) and units(token) & set(WINDOW):
            found.append(token.serialize())
    return found


def units(token: Any) -> set[str]:
    """Return the units inside a function."""
    return {each.unit for each in within([token]) if each.type == "dimension"}


def test_a_sheet_holds_one_thing_a_line() -> None:
    assert [f"{name}: {fault}" for name, text in TEXTS.items() for fault in lines_at_fault(text)] == []


def test_a_sheet_begins_by_saying_what_it_draws() -> None:
    """The file begins with a sentence: what the component draws, and where it is used."""
    first = {name: nodes(text)[0] for name, text in TEXTS.items()}
    assert [name for name, node in first.items() if node.type != "comment" or node.value.strip()[-1] != "."] == []


def test_colours_stand_in_the_tokens() -> None:
    others = {name: text for name, text in TEXTS.items() if name != "tokens.css"}
    found = [(name, each.line, colours(each)) for name, text in others.items() for each in declarations(text)]
    assert [fault for fault in found if fault[2]] == []


def test_numbers_have_names() -> None:
    found = [(name, each.line, unnamed_numbers(each)) for name, text in TEXTS.items() for each in declarations(text)]
    assert [fault for fault in found if fault[2]] == []


def test_pages_change_at_known_widths() -> None:
    queries = [query for text in TEXTS.values() for query in re.findall(r"@media ([^{]+) \{", text)]
    assert {width for query in queries for width in re.findall(r"[\d.]+px", query)} <= BREAKPOINTS


def test_addresses_stand_beside_the_bundles() -> None:
    """Joining does not rewrite addresses, so only a sheet in the bundles' own folder may contain one."""
    assert [name for name, text in TEXTS.items() if "url(" in text and "/" in name] == []


def test_every_component_is_imported_once_into_the_layer_of_its_folder() -> None:
    imported = []
    for bundle in bundles():
        text = re.sub(r"/\*.*?\*/", "", bundle.read_text(encoding="utf-8"), flags=re.DOTALL)
        for line in filter(None, text.splitlines()):
            if line.startswith("@layer"):
                assert (bundle.name, line) == ("site.css", f"@layer {', '.join(LAYERS)};")
                continue
            file, layer = IMPORT.fullmatch(line).groups()  # type: ignore[union-attr]
            assert layer == file.split("/")[0].removesuffix(".css"), f"{bundle.name}: {line}"
            imported.append(LOOK / file)
    assert sorted(imported) == components()


def test_no_sheet_stands_elsewhere() -> None:
    sheets = [path for folder in ("static", *PACKAGES) for path in (ROOT / folder).rglob("*.css")]
    assert [path for path in sheets if LOOK not in path.parents] == []


def test_every_class_of_a_sheet_is_used() -> None:
    """Every class name occurs in a template, a script or Python; the sheets have no rules for removed pages."""
    suffixes = {ROOT / "templates": ["html"], ROOT / "static": ["js"]} | {
        ROOT / name: ["py", "html"] for name in PACKAGES
    }
    sources = [path for folder, kinds in suffixes.items() for kind in kinds for path in folder.rglob(f"*.{kind}")]
    words = {word for path in sources for word in re.findall(r"[A-Za-z][\w-]*", path.read_text(encoding="utf-8"))}
    classes = {
        name
        for text in TEXTS.values()
        for rule in rules(text)
        for name in re.findall(r"\.([A-Za-z][\w-]*)", tinycss2.serialize(rule.prelude))
    }
    assert {name for name in classes - words if not PUT_TOGETHER.match(name)} == set()


@pytest.mark.parametrize(
    ("sheet", "fault"),
    [
        ("a { color: red; }", "nothing follows"),
        ("a {\n  top: 0; left: 0;\n}", "holds 2"),
        ("a, b {\n  top: 0;\n}", "one selector a line"),
        ("a {\n  top: 0;\n}\nb {\n  top: 0;\n}", "no blank line"),
        ("a {\n  font: " + "x" * 120 + ";\n}", "is long"),
    ],
)
def test_each_fault_of_form_is_found(sheet: str, fault: str) -> None:
    assert any(fault in found for found in lines_at_fault(sheet))


def test_a_list_of_selectors_and_functions_in_selectors_are_no_fault() -> None:
    assert (
        lines_at_fault("a:is(b, c) d,\ne:not(.f, .g) {\n  inset: 0;\n}\n\n@media print {\n  a {\n    top: 0;\n  }\n}")
        == []
    )


@pytest.mark.parametrize("value", ["#fff", "red", "1px solid rgb(0 0 0 / .2)", "color-mix(in srgb, var(--a), black)"])
def test_each_colour_is_seen(value: str) -> None:
    assert [found for each in declarations(f"a {{ border: {value}; }}") for found in colours(each)]


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        ("-5.95%", ["-5.95%"]),
        ("134px 1fr", ["134px"]),
        ("calc(100vh - 38px)", ["calc(100vh - 38px)"]),
        ("min(100%, max(var(--a), 100vh - var(--b)))", []),
        ("calc(100% + 12px) 1.5px 50% var(--c) .5em", []),
    ],
)
def test_each_number_without_a_name_is_seen(value: str, faults: list[str]) -> None:
    (declaration,) = declarations(f"a {{ width: {value}; }}")
    assert unnamed_numbers(declaration) == faults
    (named,) = declarations(f"a {{ --width: {value}; }}")
    assert unnamed_numbers(named) == []
