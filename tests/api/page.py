"""docs/api/permissions.md, from the document and the lines that the tests ask: `python -m tests.api.page` writes it."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "docs" / "api" / "permissions.md"
HEAD = """\
# Who may do what over the API

One row for each operation of [the document](openapi.json), by its path below `/api/v1/`. `python -m tests.api.page` writes this
page; `tests/api/test_matrix.py` and `tests/api/test_matrix_tables.py` ask each operation for the roles. The API has no right of
its own: the services decide, as for the pages ([../permissions.md](../permissions.md) has all roles).

- **yes**: gets further than “you may not”. What then happens depends on the state of the thing.
- **own**: for what is theirs, or where they sit. **shown**: where the page of the same thing is open to them.
- –: refused, with 401 for visitors and 403 or 404 for others.

The **scope** is what a token needs. Reading needs `read`, which every token has. The **organiser** organises in the club that the
thing belongs to, the **other organiser** in another club, the **captain** and the **player** are in the team in question, the
**referee** is one of the competition. Where no column says yes, officers of the club, head referees or a panel may.
"""
ROLES = {
    "visitor": "Visitor",
    "stranger": "Stranger",
    "player": "Player",
    "captain": "Captain",
    "referee": "Referee",
    "club_organiser": "Organiser",
    "strange_club_organiser": "Other organiser",
}
# Reads that depend on the thing, by tests of their own.
SHOWN = ("players/{slug}/ratings", "rulings/{slug}", "games/{slug}", "play/", "matches/{slug}/paper")
NOTE = "Needs the scope `"


def text() -> str:
    """Return the page."""
    lines = [f"| | Scope | {' | '.join(ROLES.values())} |", "| --- " * (len(ROLES) + 2) + "|"]
    for method, path, scope, cells in rows():
        lines.append(f"| `{method.upper()} {path}` | {scope} | {' | '.join(cells)} |")
    return HEAD + "\n" + "\n".join(lines) + "\n"


def rows() -> Iterator[tuple[str, str, str, list[str]]]:
    """Yield method, path, scope and the cells by role, in the order of the document."""
    from .calling import document
    from .deeds import DEEDS

    for address, operations in sorted(document()["paths"].items()):
        path = address.removeprefix("/api/v1/")
        for method, operation in operations.items():
            scope = operation.get("description", "").partition(NOTE)[2].partition("`")[0]
            line = f"{method} {path}"
            if line in DEEDS:
                may = DEEDS[line][2]
                cells = ["yes" if role in may else "–" for role in ROLES]
            elif method == "get":
                cells = _reading(path, public={} in operation["security"])
            else:  # casual tables and play
                cells = ["–" if role == "visitor" else "own" for role in ROLES]
            yield method, path, f"`{scope or ('play' if method != 'get' else 'read')}`", cells


def _reading(path: str, *, public: bool) -> list[str]:
    if not public:
        return ["–" if role == "visitor" else "own" for role in ROLES]
    return ["shown" if path.startswith(SHOWN) else "yes"] * len(ROLES)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.test")
    import django

    django.setup()
    FILE.write_text(text(), encoding="utf-8")
    print(f"{FILE} is written.")
    sys.exit()
