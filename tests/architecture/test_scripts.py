"""The form of the scripts: short lines, and what lets the site serve them without comments and indentation."""

import re
from collections.abc import Callable

from .source import ROOT

SCRIPTS = sorted((ROOT / "static").rglob("*.js"))
WIDTH = 120
# A line that consists of one text may be longer: the formatter does not break it, and a translated sentence stays whole.
SENTENCE = re.compile(r'\s*"[^"]*",?')


def too_long(script: str) -> list[int]:
    """Return the numbers of the lines longer than WIDTH; Biome, which checks the format, leaves comments as they are."""
    lines = enumerate(script.splitlines(), 1)
    return [number for number, line in lines if len(line) > WIDTH and not SENTENCE.fullmatch(line)]


def open_literals(script: str) -> list[int]:
    """Return the numbers of the lines, outside comments, on which a template literal has one of its two ends."""
    lines = [(number, line) for number, line in enumerate(script.splitlines(), 1) if not line.lstrip().startswith("*")]
    return [number for number, line in lines if len(re.findall(r"(?<!\\)`", line)) % 2]


def in_scripts(find: Callable[[str], list[int]]) -> list[str]:
    """Return the places, as file and line, that `find` names in the text of each script."""
    assert len(SCRIPTS) > 100
    return [f"{path.relative_to(ROOT)}:{line}" for path in SCRIPTS for line in find(path.read_text(encoding="utf-8"))]


def test_no_line_is_too_long() -> None:
    assert in_scripts(too_long) == []


def test_a_long_line_is_found_unless_it_is_one_text() -> None:
    words = "word " * WIDTH
    assert too_long(f'// {words}\ntell(\n  "{words}",\n);\ntell("{words}");') == [1, 5]


# What turns a text into markup or code: the pages' Trusted Types refuse it in the browser, this test names the line.
SINKS = re.compile(
    r"(inner|outer)HTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc|\beval\(|new Function"
    r"|set(Timeout|Interval)\(\s*[\"'`]|trustedTypes|setHTMLUnsafe|importScripts|new (Shared)?Worker"
)


# The one policy that the headers allow: it gives the service worker's address and nothing else.
ALLOWED = (
    "const { trustedTypes } = /** @type {any} */ (window);",
    'const policy = trustedTypes?.createPolicy("offline-page", { createScriptURL: () => address });',
)


def test_no_script_turns_a_text_into_markup_or_code() -> None:
    found = [
        (path.name, line.strip())
        for path in SCRIPTS
        for line in path.read_text(encoding="utf-8").splitlines()
        if SINKS.search(line)
    ]
    assert [(name, line) for name, line in found if name != "site.js" or line not in ALLOWED] == []


def test_no_template_literal_spans_lines() -> None:
    assert in_scripts(open_literals) == []


def test_a_literal_over_two_lines_is_found() -> None:
    assert open_literals("let a = `one`;\nlet b = `two\n// lines`;") == [2, 3]
