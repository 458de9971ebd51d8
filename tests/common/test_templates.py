"""Pages are served without the indentation of their templates, with the line numbers of the source."""

from django.template import engines
from django.test import Client

from tests.architecture import layout


def test_a_template_is_loaded_without_indentation() -> None:
    path = layout.TEMPLATES / "base.html"
    loaded = engines["django"].engine.get_template("base.html").source  # type: ignore[attr-defined]
    written = path.read_text(encoding="utf-8")
    assert [line.lstrip(" \t") for line in written.split("\n")] == loaded.split("\n")


def test_templates_of_libraries_are_loaded_as_they_are() -> None:
    assert "\n  " in engines["django"].engine.get_template("admin/base.html").source  # type: ignore[attr-defined]


def test_a_page_has_no_indentation(db: None) -> None:
    lines = Client().get("/accounts/login/").content.decode().splitlines()
    assert [line for line in lines if line != line.lstrip(" \t")] == []
