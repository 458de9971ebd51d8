"""Templates: violations of the content security policy are found before a browser finds them; the layout rules hold."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.contrib.staticfiles import finders

from . import layout
from .source import ROOT

TEMPLATES = layout.paths()
SCRIPTS = sorted((ROOT / "static").rglob("*.js"))
# `<script src=...></script>` is allowed; data for scripts come by json_script, which writes its own tag.
INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>", re.IGNORECASE)
INLINE_STYLE = re.compile(r"<style\b|<[^>]*\sstyle\s*=", re.IGNORECASE)
HANDLER = re.compile(r"<[^>]*\son[a-z]+\s*=", re.IGNORECASE)
ELSEWHERE = re.compile(r"""(?:src|href|action|srcset)\s*=\s*["'](?:https?:)?//(?!www\.w3\.org)""", re.IGNORECASE)
RULES = {"inline script": INLINE_SCRIPT, "inline style": INLINE_STYLE, "handler": HANDLER, "other origin": ELSEWHERE}
IMPORTS_FROM_ELSEWHERE = re.compile(r"""(?:from|import)\s*\(?\s*["']https?://|\beval\s*\(|new\s+Function\s*\(""")


def faults(text: str) -> list[str]:
    """Return the rules that a template's `text` breaks, with the offending text; comments are ignored."""
    shown = re.sub(r"{#.*?#}|{% comment %}.*?{% endcomment %}|<!--.*?-->", "", text, flags=re.DOTALL)
    return [f"{rule}: {found.group(0)[:80]}" for rule, pattern in RULES.items() for found in pattern.finditer(shown)]


def test_a_template_keeps_the_content_security_policy() -> None:
    wrong = [f"{path.relative_to(ROOT)}: {fault}" for path in TEMPLATES for fault in faults(path.read_text("utf-8"))]
    assert wrong == []


def test_a_script_loads_no_code_from_other_sites() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {found}"
        for path in SCRIPTS
        for found in IMPORTS_FROM_ELSEWHERE.findall(path.read_text("utf-8"))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '<p style="color: red">',
        "<style>p {}</style>",
        '<button onclick="go()">',
        '<img src="//example.org/x.png">',
        '<link href="https://example.org/x.css">',
    ],
)
def test_each_violation_of_the_policy_is_found(text: str) -> None:
    assert faults(text) != []


def test_data_and_own_files_are_allowed() -> None:
    assert (
        faults('{{ boot|json_script:"boot" }}<script type="module" src="{% static \'live/table.js\' %}"></script>')
        == []
    )


@pytest.mark.parametrize("rule", [layout.too_long, layout.crowded, layout.askew, layout.meaningful_space])
def test_templates_are_laid_out_as_code(rule: Callable[[str], Iterator[tuple[int, str]]]) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in TEMPLATES
        for number, line in rule(path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (layout.too_long, f"<p>{'x' * 120}</p>"),
        (layout.too_long, '<p>{% translate "' + "x" * 120 + '" %}</p>'),
        (layout.crowded, "<ul><li>One</li></ul>"),
        (layout.askew, "<p>\nOne\n</p>"),
        (layout.askew, "{% if one %}\n<p>One</p>\n{% endif %}"),
        (layout.askew, '<a\n  class="\n  strong\n  "\n>One</a>'),
        (layout.meaningful_space, "<textarea\n  name='a'\n>\n  one</textarea>"),
        (layout.meaningful_space, "{% blocktranslate %}One\n  two{% endblocktranslate %}"),
    ],
)
def test_a_badly_laid_out_template_is_found(rule: Callable[[str], Iterator[tuple[int, str]]], text: str) -> None:
    assert list(rule(text)) != []


def test_a_translated_sentence_may_be_long() -> None:
    assert list(layout.too_long('  {% translate "' + "x" * 120 + '" %}')) == []


def test_every_include_lists_its_parameters() -> None:
    parts = layout.includes()
    assert len(parts) > 50
    without = [str(path.relative_to(ROOT)) for path in parts if not layout.lists_parameters(path.read_text("utf-8"))]
    assert without == []


STATIC = re.compile(r"""{%\s*static\s+["']([^"']+)["']""")


def test_every_static_file_that_a_template_names_exists() -> None:
    named = {(path, name) for path in TEMPLATES for name in STATIC.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 20
    assert [f"{path}: {name}" for path, name in sorted(named) if finders.find(name) is None] == []
