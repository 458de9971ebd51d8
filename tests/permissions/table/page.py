"""The text of docs/permissions.md."""

from collections.abc import Iterator, Mapping

from ..expected import ROWS
from .measure import Cell
from .roles import Role
from .rows import SUBJECTS, Deed, Subject

PATH = "docs/permissions.md"
COMMAND = "python -m tests.permissions.table"
INTRODUCTION = """\
# Who may do what

For organisers, referees and maintainers. Each table has one row for each thing that somebody can do, with the code name
of its permission, and one column for each role.

- **yes**: the role may do it.
- –: the role may not. The site refuses it, and no page offers it.

Who has several roles may do what any of them may. Visitors who have not signed in may do nothing of this. The site
itself (its scheduled tasks) passes every permission.
"""
END = f"""\
## For maintainers

This page is generated: `{COMMAND}` asks the registered rules (`*/permissions.py`) about real people and real things, and
writes it. `tests/permissions` compares every cell with a second table, which is written by hand from the roles
(`tests/permissions/expected.py`), and compares this file with what the command would write. To add a permission, add a
rule, its rows in `expected.py` and in `tests/permissions/table/rows.py`, and run the command.
"""


class Mixed(ValueError):
    """People of one role of whom some may and some may not; they need columns of their own."""


def text(cells: Mapping[Cell, bool]) -> str:
    """Return the page. Raises Mixed."""
    parts = [INTRODUCTION, *(_section(subject, cells) for subject in SUBJECTS), END]
    return "\n".join(parts)


def _section(subject: Subject, cells: Mapping[Cell, bool]) -> str:
    return "\n".join([f"## {subject.title}", "", *_lines(subject, cells), "", *_roles(subject.roles), ""])


def _lines(subject: Subject, cells: Mapping[Cell, bool]) -> Iterator[str]:
    head = ["", "Permission", *(role.title for role in subject.roles)]
    yield _line(head)
    yield _line(["---"] * len(head))
    for deed in subject.deeds:
        yield _line([deed.words, f"`{deed.action}`", *(cell(deed, role, cells) for role in subject.roles)])


def _line(values: list[str]) -> str:
    return f"| {' | '.join(values)} |".replace("|  |", "| |")


def cell(deed: Deed, role: Role, cells: Mapping[Cell, bool]) -> str:
    """Return what a role's column says of a deed. Raises Mixed."""
    row = next(row for row in ROWS if (row.action, row.thing) == (deed.action, deed.thing))
    by_person = {
        name: tuple(state for state in row.states if cells[Cell(deed.action, deed.thing, state, name)])
        for name in role.people
    }
    if len(set(by_person.values())) > 1:
        raise Mixed(f"{deed.words}: {role.title}: {by_person}")
    allowed = by_person[role.people[0]]
    if allowed and allowed != row.states:
        raise Mixed(f"{deed.words}: {role.title}: only in the states {', '.join(allowed)}")
    return "yes" if allowed else "–"


def _roles(roles: tuple[Role, ...]) -> Iterator[str]:
    for role in roles:
        yield f"- **{role.title}**: {role.meaning}"
