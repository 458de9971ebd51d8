"""A language is offered when it is complete: every text is translated, none is fuzzy, the compiled files are up to
date.

The source texts are English, so the English catalogues may omit texts; the others may not.
"""

import ast
import gettext
import re
from pathlib import Path

import pytest
from django.conf import settings

from .msgids import catalogue, of_script, of_template, of_tree, sources
from .source import ROOT

SOURCE_LANGUAGE = "en"
TRANSLATED = [code for code, _ in settings.LANGUAGES if code != SOURCE_LANGUAGE]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


def compiled(language: str, domain: str) -> dict[str, object]:
    """Return the compiled catalogue, text -> translation; plural forms are keyed (text, form)."""
    path = catalogue(language, domain).with_suffix(".mo")
    assert path.is_file(), f"{path} is missing: makemessages, translate, compilemessages"
    with path.open("rb") as file:
        return dict(gettext.GNUTranslations(file)._catalog)  # type: ignore[attr-defined]


def entries(path: Path) -> list[tuple[str, str]]:
    """Return (msgid, first msgstr) of a .po file's current entries; fuzzy ones are returned as untranslated."""
    found = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#~")]
        text = "\n".join(line for line in lines if not line.startswith("#"))
        pieces = {
            key: "".join(ast.literal_eval(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', body))
            for key, body in re.findall(
                r'^(msgctxt|msgid|msgstr|msgstr\[0\]) ((?:"(?:[^"\\]|\\.)*"\n?)+)', text, re.MULTILINE
            )
        }
        if pieces.get("msgid"):
            fuzzy = any(line.startswith("#,") and "fuzzy" in line for line in lines)
            key = "\x04".join(filter(None, (pieces.get("msgctxt"), pieces["msgid"])))
            found.append((key, "" if fuzzy else pieces.get("msgstr", pieces.get("msgstr[0]", ""))))
    return found


def plurals(path: Path) -> dict[str, str]:
    """Return msgid -> msgid_plural of a .po file: "a card" may have several plural forms of "%(count)s cards"."""
    text = r'((?:"(?:[^"\\]|\\.)*"\n)+)'
    found = re.findall(rf"^msgid {text}msgid_plural {text}", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {one: many for one, many in (map(unquoted, pair) for pair in found)}


def unquoted(body: str) -> str:
    """Return the text of a .po file's quoted lines."""
    return "".join(ast.literal_eval(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', body))


@pytest.mark.parametrize("domain", ["django", "djangojs"])
@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language: str, domain: str) -> None:
    known = compiled(language, domain)
    texts = sources()[domain]
    assert texts
    missing = {key: place for key, place in texts.items() if not (known.get(key) or known.get((key, 0)))}  # type: ignore[call-overload]
    assert missing == {}


@pytest.mark.parametrize("domain", ["django", "djangojs"])
@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_file_is_that_of_its_source(language: str, domain: str) -> None:
    known = compiled(language, domain)
    written = [(key, text) for key, text in entries(catalogue(language, domain).with_suffix(".po")) if text]
    assert written
    assert [key for key, text in written if text not in (known.get(key), known.get((key, 0)))] == []  # type: ignore[call-overload]


@pytest.mark.parametrize("domain", ["django", "djangojs"])
@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_keeps_the_placeholders(language: str, domain: str) -> None:
    wrong = []
    many = plurals(catalogue(language, domain).with_suffix(".po"))
    for key, text in compiled(language, domain).items():
        source = key[0] if isinstance(key, tuple) else key
        plain = source.rsplit("\x04", 1)[-1]
        wanted = set(PLACEHOLDER.findall(plain + many.get(plain, "")))
        given = set(PLACEHOLDER.findall(str(text)))
        # A plural form may omit the number ("one game"), but must not add placeholders.
        if source and (given - wanted or (wanted - given and not isinstance(key, tuple))):
            wrong.append((source, text))
    assert wrong == []


def test_every_text_of_a_page_is_found() -> None:
    page = '{% translate "Sign in" %} {% blocktranslate count n=n %}{{ n }} game{% plural %}{{ n }} games{% endblocktranslate %}'
    assert list(of_template(page)) == ["Sign in", "%(n)s game"]
    assert list(of_template('{% translate "May" context "month" %}')) == ["month\x04May"]
    assert list(of_script("say(gettext('Your turn')); ngettext(\"%s card\", '%s cards', n)")) == [
        "Your turn",
        "%s card",
    ]
    assert [key for _, key in of_tree(ast.parse("x = _('Burn'); y = pgettext('card', 'Jack'); z = _(name)"))] == [
        "Burn",
        "card\x04Jack",
    ]


def test_texts_are_marked_by_names_that_makemessages_knows() -> None:
    renamed = [
        f"{path}: {alias.name} as {alias.asname}"
        for folder in ("games", "ratings", "tock_league")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
        if alias.name.removesuffix("_lazy").endswith("gettext") and alias.asname not in (None, "_")
    ]
    assert renamed == []
