"""Scripts are served without their comments and indentation, with the line numbers of the source."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tock_league.common import scripts


@pytest.mark.parametrize(
    ("script", "served"),
    [
        ("// A head.\nlet a;\n", "\nlet a;\n"),
        ("/**\n * Two\n * lines.\n */\nlet a;\n", "\n\n\n\nlet a;\n"),
        ("  /** One line. */\n  let a;", "\nlet a;"),
        ('if (a) {\n\tb();\n\n  c("  d");\n}\n', 'if (a) {\nb();\n\nc("  d");\n}\n'),
        ("let a; // trailing\n", "let a; // trailing\n"),
        ("/** @type {A} */ (a).b();\n/** Next. */\nlet c;", "/** @type {A} */ (a).b();\n\nlet c;"),
        ('let a = "/* no comment */";\n', 'let a = "/* no comment */";\n'),
    ],
)
def test_comments_with_lines_of_their_own_and_indentation_are_left_out(script: str, served: str) -> None:
    assert scripts.compact(script) == served


def test_the_site_serves_compact_scripts() -> None:
    served = Client().get("/static/live/table.js")
    assert served.status_code == 200
    assert served.headers["Content-Type"].startswith("text/javascript")
    assert not [line for line in served.content.decode().splitlines() if line.strip().startswith(("//", "/*"))]
    written = Path(str(finders.find("live/table.js", find_all=True)[1])).read_text(encoding="utf-8")
    assert len(served.content.decode().splitlines()) == len(written.splitlines())
