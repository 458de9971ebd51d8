"""The rules pages: the same sentences in three languages, each with its mark, each mark with its test."""

import importlib
import pkgutil
import re

import pytest

import tests.rules
from games.engine import registry
from tests.rules.sheets import MARK, marks, name_of, pages

LANGUAGES = ["fr", "en", "es"]
EVERY = [(rules, language) for rules in pages() for language in LANGUAGES]
# A full stop, a question mark or an exclamation mark at the end of a sentence, then a space and a new sentence.
BOUNDARY = re.compile(r"[.!?](?:\*\*)? +(?=[A-ZÀÉÎÔŒ¿¡«“*`])")


def _rules_of(text: str) -> list[str]:
    """Return the lines below the first heading of the second level; those before it introduce the page."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("## "))
    return [line for line in lines[first:] if line.strip() and not line.startswith("#")]


def _tests() -> set[str]:
    found = set()
    for module in pkgutil.iter_modules(tests.rules.__path__):
        if module.name.startswith("test_") and module.name != "test_pages":
            names = vars(importlib.import_module(f"tests.rules.{module.name}"))
            found |= {name for name in names if name.startswith("test_")}
    return found


def test_every_rule_set_has_its_page_in_three_languages() -> None:
    assert sorted(pages()) == list(registry.ids())
    assert all(list(parts) == LANGUAGES for parts in pages().values())


@pytest.mark.parametrize("rules", pages())
def test_the_languages_say_the_same_in_the_same_order(rules: str) -> None:
    french, english, spanish = (marks(text) for text in pages()[rules].values())
    assert french == english == spanish
    assert len(set(english)) == len(english)


@pytest.mark.parametrize(("rules", "language"), EVERY)
def test_every_sentence_has_its_mark(rules: str, language: str) -> None:
    lines = _rules_of(pages()[rules][language])
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("| ") and not MARK.search(line):
            assert line.startswith("| --- ") or following.startswith("| --- "), line  # the heads of the tables
            continue
        assert MARK.match(line.removeprefix("- ").removeprefix("| ").strip()), line
        for said in MARK.split(line)[2::2]:
            assert not BOUNDARY.search(re.sub(r"\*\*[^*]+[.:]\*\*", "", said.strip())), line


@pytest.mark.parametrize(("rules", "language"), EVERY)
def test_every_page_names_its_rule_set(rules: str, language: str) -> None:
    assert f"`{rules}`" in pages()[rules][language]


def test_every_sentence_has_its_test_and_every_test_its_sentence() -> None:
    said = {name_of(mark) for parts in pages().values() for mark in marks(parts["en"])}
    assert sorted(said - _tests()) == []
    assert sorted(_tests() - said) == []
