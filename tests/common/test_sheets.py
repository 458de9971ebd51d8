"""Components joined into bundles: same rules, same layers, few requests, in development and when files are collected."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client

from tock_league.common import sheets

BUNDLE = """/* Every page. */
@layer tokens, parts;

@import "tokens.css" layer(tokens);
@import "parts/tag.css" layer(parts);
"""


@pytest.fixture
def look(tmp_path: Path) -> Path:
    """Give a folder with a bundle of two components."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "site.css").write_text(BUNDLE)
    (tmp_path / "tokens.css").write_text('/* Colours. */\n\n:root {\n  --sash: url("sash.svg");\n}\n')
    (tmp_path / "parts" / "tag.css").write_text(
        "/* A tag;\n   on cards. */\n\n.tag,\n.mark {\n  color: red;\n\n  top: 0;\n}\n"
    )
    return tmp_path


def test_a_bundle_holds_its_components_in_order_and_in_their_layers(look: Path) -> None:
    assert sheets.bundles(look) == [look / "site.css"]
    assert sheets.joined(look / "site.css").splitlines() == [
        "@layer tokens, parts;",
        "",
        "/* tokens.css */",
        "@layer tokens {",
        ":root {",
        '--sash: url("sash.svg");',
        "}",
        "}",
        "/* parts/tag.css */",
        "@layer parts {",
        ".tag,",
        ".mark {",
        "color: red;",
        "top: 0;",
        "}",
        "}",
    ]


@pytest.mark.parametrize("line", ['@import "parts/tag.css";', "@import url(parts/tag.css) layer(parts);"])
def test_an_import_of_another_form_is_refused(look: Path, line: str) -> None:
    (look / "site.css").write_text(line + "\n")
    with pytest.raises(ImproperlyConfigured, match="not joined"):
        sheets.joined(look / "site.css")


def test_an_import_of_a_file_that_is_not_there_is_refused(look: Path) -> None:
    (look / "parts" / "tag.css").unlink()
    with pytest.raises(FileNotFoundError):
        sheets.joined(look / "site.css")


def test_the_site_serves_the_joined_sheet_and_each_component() -> None:
    joined = Client().get("/static/look/site.css")
    assert joined.status_code == 200
    assert joined.content.startswith(b"@layer tokens, base")
    assert b"@import" not in joined.content
    component = Client().get("/static/look/components/tag.css")
    assert component.content.startswith(b"/* A small label")


def test_a_finder_looks_for_other_files_as_before() -> None:
    assert finders.find("look/nothing.css") is None
    assert str(finders.find("look/logo.svg")).endswith("static/look/logo.svg")
    assert len(finders.find("look/site.css", find_all=True)) == 2  # the joined one first, then the bundle itself


def test_collected_sheets_are_joined_hashed_and_name_hashed_fonts(tmp_path: Path, settings: object) -> None:
    settings.STATIC_ROOT = tmp_path  # type: ignore[attr-defined]
    settings.STORAGES = settings.STORAGES | {  # type: ignore[attr-defined]
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}
    }
    call_command("collectstatic", verbosity=0, interactive=False, ignore_patterns=["drf_spectacular_sidecar", "admin"])
    (hashed,) = [path for path in (tmp_path / "look").glob("site.*.css") if re.search(r"\.[0-9a-f]{12}\.", path.name)]
    text = hashed.read_text()
    assert "@import" not in text
    addresses = re.findall(r'url\("([^"]+)"\)', text)
    assert len(addresses) == 3
    assert all(re.search(r"\.[0-9a-f]{12}\.", address) for address in addresses)
    assert all((tmp_path / "look" / address).exists() for address in addresses)
